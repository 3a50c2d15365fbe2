import { Conversation, NO_CHAT, type Opening } from './conversation.js';
import { createValue } from '../../headless/observable.js';
import { Outbox } from '../../headless/outbox.js';
import { hasCode, isTransient, RequestError } from '../../headless/errors.js';
import { CLOSED, FORGOTTEN, NO_SESSION, request } from './request.js';
import { Session } from './session.js';
import type { KeptMessage } from '../../headless/outbox-store.js';
import { createStore, type Kept, type Store } from './store.js';
import { type Road, Transport, type TransportListener } from './transport.js';
import type {
  Chat,
  Connection,
  Identity,
  ListedChat,
  Message,
  PendingMessage,
  SendOptions,
  VisitorClientOptions,
  VisitorProfile,
} from './types.js';

/** A promise's functions; the chat is null if there was none to resume. */
interface Waiter {
  resolve: (chat: Chat | null) => void;
  reject: (error: unknown) => void;
}

/** Connects the parts of the client, and decides when a chat is opened, left or forgotten. */
export class ChatLifecycle {
  readonly store: Store;
  readonly transport: Transport;
  readonly conversation: Conversation;
  readonly outbox: Outbox;
  /** The unconfirmed messages of the chat that is open, of the next one that opens, and of deleted chats. */
  readonly pending = createValue<readonly PendingMessage[]>([]);
  readonly #session: Session;
  readonly #options: VisitorClientOptions;
  readonly #unwatchStore: () => void;
  /** Which chat to open; null before the first `openChat`. */
  #opening: Opening | null = null;
  #waiters: Waiter[] = [];
  #catchingUp: Promise<void> | null = null;
  #isClosed = false;
  /** The visitor whose chat was opened last, and who that is by the identity. */
  #visitorId: string | undefined;
  #sub: string | undefined;
  /** The ids of what was not sent yet when the page last said who the visitor is. */
  #writtenBefore = new Set<string>();

  constructor(options: VisitorClientOptions, loadRoad: () => Promise<Road>) {
    const isUp = () => this.transport.isUp;
    this.#options = options;
    this.store = createStore(options.widgetKey, options.storage);
    this.#session = new Session(options, this.store, (wasPerson) => {
      // The next person sends nothing that a signed-in one wrote in any tab. An anonymous visitor who signs in sends their own.
      if (wasPerson) this.store.clearOutbox();
      this.#leaveFor((id) => !wasPerson || !this.#writtenBefore.has(id));
      if (wasPerson) options.onSignedOut?.(false);
    });
    this.conversation = new Conversation(
      this.store,
      (event, payload) => this.transport.request(event, payload),
      isUp,
      (message) => this.outbox.recognize(message),
    );
    const listener: TransportListener = {
      catchUp: () => this.#catchUp(),
      receive: (event, payload) => this.conversation.receive(event, payload as Record<string, unknown>),
      mayBegin: () => this.#mayBegin,
      mayReplaceToken: () => this.#mayBegin || this.#session.hasIdentity || this.#endResuming(),
    };
    this.transport = new Transport(options.url, this.#session, listener, loadRoad);
    this.outbox = new Outbox(this.store, {
      isUp: () => isUp() && this.#chat !== null,
      post: (message) => this.#post(message),
    });
    this.outbox.pending.subscribe(() => this.#showPending());
    this.conversation.chat.subscribe(() => this.#showPending());
    this.transport.connection.subscribe((connection) => this.#onConnection(connection));
    this.#unwatchStore = this.store.onChange((isCleared, before) => this.#onStoreChange(isCleared, before));
  }

  openChat(options?: Opening & { isNew?: boolean }): Promise<Chat> {
    return this.#openChat(options) as Promise<Chat>;
  }

  async resumeChat(): Promise<Chat | null> {
    if (this.#chat) return this.openChat();
    const hasWaiting = this.#hasWaiting;
    if (!hasWaiting && !this.#session.isBegun) return null;
    const kept = hasWaiting || this.store.read().chatId ? await this.#openChat({ isResuming: true }) : null;
    return kept ?? ((await this.#hasOpenChat()) ? this.openChat() : null);
  }

  #openChat({ isNew = false, ...asked }: Opening & { isNew?: boolean } = {}): Promise<Chat | null> {
    if (this.#isClosed) return Promise.reject(CLOSED);
    const isOther = asked.chatId !== undefined && asked.chatId !== this.#chat?.id;
    if (isNew || isOther) this.#leave();
    const { state } = this.transport.connection.value;
    if (this.#chat && state !== 'refused') return Promise.resolve(this.#chat);
    const opening: Opening = {
      ...asked,
      isNew,
      metadata: asked.metadata ?? (this.#options.page?.() as Opening['metadata']),
      locale: this.#options.locale?.(),
    };
    this.#opening = opening;
    const opened = new Promise<Chat | null>((resolve, reject) => this.#waiters.push({ resolve, reject }));
    if (state === 'idle' || state === 'refused') void this.transport.start();
    else if (this.transport.isUp) this.#catchUp().catch((error: unknown) => this.#onOpenFailed(opening, error));
    return opened;
  }

  send(content: string, options: SendOptions = {}): Promise<Message> {
    this.#begin();
    this.conversation.typing.stop();
    const page = this.#options.page?.();
    const metadata = page?.url ? { ...options.metadata, page: { url: page.url, title: page.title } } : options.metadata;
    return this.outbox.add(content, { ...options, metadata }, this.#chat?.id);
  }

  /** Sends a failed message again, into the chat that shows it. */
  retry(id: string): void {
    this.outbox.retry(id, this.#chat?.id);
    this.#begin();
  }

  async identify(identity: Identity | null): Promise<void> {
    const paused = this.outbox.pause();
    const before = (this.#writtenBefore = new Set(
      this.outbox.pending.value.map(({ clientMessageId }) => clientMessageId),
    ));
    // A page that signs out may be gone before a message is stored.
    if (identity) await paused;
    // What the page, or another tab, said later holds.
    if (before !== this.#writtenBefore) return;
    this.transport.stop();
    if (identity === null) {
      this.#forget();
      this.#session.forget();
      return this.#options.onSignedOut?.(true);
    }
    try {
      await this.#session.identify(identity);
    } catch (error) {
      if (error !== NO_SESSION) throw error;
    } finally {
      if (this.#opening) void this.transport.start();
    }
  }

  setVisitor(visitor: VisitorProfile | undefined): Promise<void> {
    return this.#session.setVisitor(visitor);
  }

  async post<T>(path: string, body?: object, method?: string, timeoutMs?: number): Promise<T> {
    const url = `${this.#options.url}/api/visitor/${path}`;
    return this.#session.ask((token) => request<T>(url, token, body, method, timeoutMs));
  }

  close(): void {
    this.#unwatchStore();
    // Nothing that is under way connects again.
    this.#isClosed = true;
    this.#opening = null;
    this.conversation.typing.reset();
    this.transport.close();
    this.#rejectAll(CLOSED);
  }

  /** Also false while the service can't be reached: then the first message opens the chat. @throws RequestError */
  async #hasOpenChat(): Promise<boolean> {
    if (!this.#session.isBegun) return false;
    try {
      await this.#session.getToken(false);
    } catch (error) {
      if (isTransient(error) || error === NO_SESSION) return false;
      throw error;
    }
    const { chats } = await this.transport.listChats().catch(() => ({ chats: [] as ListedChat[] }));
    return chats.some(({ status, messageCount }) => messageCount > 0 && (status === 'ACTIVE' || status === 'QUEUED'));
  }

  /** Whether a message waits for its chat. */
  get #hasWaiting(): boolean {
    return this.outbox.pending.value.some(({ state }) => state === 'queued');
  }

  /** Whether a chat and a visitor may be created. Resuming creates neither. */
  get #mayBegin(): boolean {
    return !this.#opening?.isResuming || this.#hasWaiting;
  }

  /** Opens a chat for a message unless one is open or being opened. After a refusal, asks the service again. */
  #begin(): void {
    if (!this.#opening) this.openChat().catch(() => undefined);
    else if (this.transport.connection.value.state === 'refused') this.transport.reconnect();
  }

  get #chat(): Chat | null {
    return this.conversation.chat.value;
  }

  /**
   * Brings the chat up to date when the previous call is done. That call is not reused: it may be one over REST, and
   * only a request over the socket joins the live feed.
   */
  #catchUp(): Promise<void> {
    const own: Promise<void> = Promise.resolve(this.#catchingUp)
      .catch(() => undefined)
      .then(async () => {
        if (this.#catchingUp !== own) return;
        try {
          const metadata = { ...this.#options.metadata?.(), ...this.#opening?.metadata };
          await this.conversation.catchUp({ ...this.#opening, metadata, isResuming: !this.#mayBegin });
        } catch (error) {
          if (error !== NO_CHAT) {
            // A chat that isn't the visitor's: the next message goes to their own.
            if (!this.#opening?.chatId || !hasCode(error, 'not_found')) throw error;
            this.#settle(({ reject }) => reject(error));
          }
          return void this.#endResuming();
        }
        this.#onCaughtUp();
      });
    return (this.#catchingUp = own);
  }

  /** There is no chat to resume: what comes next opens one. */
  #endResuming(): false {
    this.transport.stop();
    this.#opening = null;
    this.#settle(({ resolve }) => resolve(null));
    if (this.#hasWaiting) this.openChat().catch(() => undefined);
    return false;
  }

  #onCaughtUp(): void {
    ({ visitorId: this.#visitorId, sub: this.#sub } = this.store.read());
    const chat = this.#chat;
    if (this.#opening?.isResuming) this.#opening = {};
    if (chat) this.#settle(({ resolve }) => resolve(chat));
    this.outbox.resume(chat?.id);
  }

  #showPending(): void {
    const openId = this.#chat?.id ?? this.store.read().chatId;
    const isHere = ({ chatId = openId, error }: KeptMessage) => chatId === openId || error?.code === 'not_found';
    this.pending.set(this.outbox.pending.value.filter(isHere));
  }

  #onOpenFailed(opening: Opening, error: unknown): void {
    if (this.#opening !== opening) return;
    // A new connection repeats the request until there is an answer.
    if (isTransient(error)) return void this.transport.start();
    this.#opening = null;
    this.#rejectAll(error);
  }

  #onConnection({ state, error }: Connection): void {
    if (state === 'refused') this.#rejectAll(new RequestError(error?.code ?? 'forbidden', error?.detail ?? ''));
  }

  /** Follows another tab that signed in, signed out, or opened another chat. */
  #onStoreChange(isCleared: boolean, before: Kept): void {
    if (isCleared) {
      this.transport.stop();
      this.#forget();
      this.#session.forgetIdentity();
      return this.#options.onSignedOut?.(true);
    }
    const kept = this.store.read();
    if (!this.#chat) return this.#followWithoutChat(kept, before);
    const isSame = kept.visitorId === this.#visitorId;
    if (isSame && (kept.chatId === this.#chat.id || kept.chatId === undefined)) return;
    // An identity that this page set wins over the ones of other pages.
    if (this.#session.isOther(kept.sub)) return;
    this.#leave();
    if (!isSame && this.#sub) this.#endPerson();
    this.store.write(kept);
    this.#opening = {};
    void this.transport.start();
  }

  #followWithoutChat({ sub, chatId }: Kept, before: Kept): void {
    if (this.#session.isOther(sub)) return;
    if (before.sub && before.sub !== sub) {
      this.#endPerson();
      if (this.#opening) void this.transport.start();
    }
    if (chatId && !this.#opening) this.openChat().catch(() => undefined);
  }

  /** Another person has signed in on another tab. */
  #endPerson(): void {
    this.outbox.clear(FORGOTTEN);
    this.#options.onSignedOut?.(false);
  }

  async #post({ clientMessageId, content, type, metadata, replyTo, ...rest }: KeptMessage): Promise<Message> {
    const chatId = rest.chatId ?? this.#chat?.id;
    const files = rest.files?.map(({ id }) => id);
    const payload = { chatId, content, type, metadata, replyTo, files, clientMessageId };
    const { message } = await this.transport.request<{ message: Message }>('message:send', payload);
    this.conversation.add(message);
    return message;
  }

  /** Rejects the calls that wait for a chat. Their messages stay in the outbox, and are sent when a chat opens. */
  #rejectAll(error: unknown): void {
    this.#settle(({ reject }) => reject(error));
    this.outbox.reject(error);
  }

  #settle(settle: (waiter: Waiter) => void): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    waiters.forEach(settle);
  }

  #leave(): void {
    this.#catchingUp = null;
    this.conversation.leave();
  }

  /** @param isKept which messages to keep, of what was written on this page before a chat was open */
  #leaveFor(isKept?: (id: string) => boolean): void {
    this.outbox.clear(FORGOTTEN, isKept);
    // A chat that was chosen is the former visitor's, and so is the wish for another one.
    if (this.#opening) this.#opening = { ...this.#opening, chatId: undefined, isNew: undefined };
    this.#leave();
  }

  #forget(): void {
    this.#opening = null;
    this.#writtenBefore = new Set();
    this.#rejectAll(FORGOTTEN);
    this.#leaveFor();
  }
}
