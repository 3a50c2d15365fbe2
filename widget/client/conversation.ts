import { createListeners, createValue } from '../../headless/observable.js';
import { Reading } from './reading.js';
import { hasCode, isTransient, RequestError } from '../../headless/errors.js';
import type { Store } from './store.js';
import { Timeline } from '../../headless/timeline.js';
import { Typing, type TypingEvent } from '../../headless/typing.js';
import type { Chat, Message, Sender } from './types.js';

/** The number of messages in a page of history. */
const PAGE = 50;
/** The wait before a gap that could not be filled is requested again, in milliseconds. */
const SYNC_RETRY_MS = 2_000;

interface Batch {
  messages: Message[];
  latestSeq: number;
  hasMore: boolean;
}
type OpenedChat = Batch & { chat: Chat; deleted?: Message[] } & Pick<
    Chat,
    'typingPreview' | 'visitorUploads' | 'isConnected'
  >;
type EventPayload = { id?: string; chatId?: string } & Record<string, unknown>;

/** The chat to open: the one with this id, or the current one, or a new one. */
export interface Opening {
  chatId?: string;
  metadata?: Record<string, unknown>;
  /** The BCP 47 tag of the language that the client shows its words in. */
  locale?: string;
  /** Whether a chat beside the open ones is wanted. */
  isNew?: boolean;
  /** Whether only an existing chat is opened: without one the error is NO_CHAT. */
  isResuming?: boolean;
}

export const NO_CHAT = new RequestError('not_found', 'There is no chat to resume');

export type Ask = <T>(event: string, payload: Record<string, unknown>) => Promise<T>;

/** One chat at a time: opened, brought up to date after every connect, and followed by the events of the service. */
export class Conversation {
  readonly chat = createValue<Chat | null>(null);
  readonly timeline = new Timeline();
  readonly reading = new Reading((seq) => this.#notify('read', { seq }));
  readonly typing = new Typing((isTyping, text) => {
    if (this.chat.value && this.#isUp()) void this.#notify('typing', { isTyping, text });
  }, isVisitor);
  readonly #store: Store;
  readonly #ask: Ask;
  readonly #isUp: () => boolean;
  readonly #onOwn: (message: Message) => void;
  readonly #arrivals = createListeners<Message>();
  /** Grows when the chat is left: answers to requests from before are dropped. */
  #epoch = 0;
  /** Whether the first `catchUp` of this chat is done. Only the messages after it are new to the listeners. */
  #isOpened = false;
  #isFilling = false;
  /** The highest `seq` that the service has named. */
  #latestSeq = 0;
  /** The events that arrive while a chat is being opened. */
  #earlyEvents: [event: string, payload: EventPayload][] | null = null;

  constructor(store: Store, ask: Ask, isUp: () => boolean, onOwn: (message: Message) => void) {
    this.#store = store;
    this.#ask = ask;
    this.#isUp = isUp;
    this.#onOwn = onOwn;
  }

  /** Calls the listener with every message that arrives after the chat was opened. */
  onMessage(listener: (message: Message) => void): () => void {
    return this.#arrivals.listeners(listener);
  }

  /** Reads what is missing. Opens the chat when none is open. @throws RequestError */
  async catchUp(opening: Opening): Promise<void> {
    await (this.chat.value ? this.#resume(this.chat.value.id) : this.#open(opening));
    // The chat may have been left during the request.
    this.#isOpened = this.chat.value !== null;
    void this.reading.flush();
  }

  /** Handles an event that the service sends on its own. */
  receive(event: string, payload: EventPayload): void {
    if (this.#earlyEvents) this.#earlyEvents.push([event, payload]);
    else if (event.startsWith('message')) this.add(payload as unknown as Message);
    else if ((payload.chatId ?? payload.id) === this.chat.value?.id) this.#receiveOfChat(event, payload);
  }

  /** Shows a message that is known to be stored. */
  add(message: Message): void {
    if (message.chatId !== this.chat.value?.id) return;
    this.#apply([message]);
    if (this.timeline.hasGap) void this.#fillGap();
  }

  /** Reads the page before the first message; false when there is none. @throws RequestError */
  async loadEarlier(): Promise<boolean> {
    const epoch = this.#epoch;
    if (!this.timeline.hasEarlier.value) return false;
    const page = await this.#readPageBefore();
    if (epoch === this.#epoch) this.timeline.prepend(page);
    return true;
  }

  /** Reports whether the visitor types; the text only where an agent is to see it. */
  type(isTyping: boolean, text?: string): void {
    const chat = this.chat.value;
    this.typing.set(isTyping, chat?.typingPreview && chat.assignedTo ? text : undefined);
  }

  /** Marks everything up to `seq` as read. */
  read(seq = this.timeline.last): void {
    if (!this.chat.value || !this.reading.move(Math.min(seq, this.timeline.last))) return;
    this.reading.count(this.timeline.messages.value);
    if (this.#isUp()) void this.reading.flush();
  }

  /** Ends the chat. @throws RequestError */
  async close(): Promise<void> {
    const { chat } = await this.#askHere<{ chat: Chat }>('chat:close', {});
    if (chat.id === this.chat.value?.id) this.#update(chat);
  }

  /** Closes the chat on this side, and forgets it. */
  leave(): void {
    this.#epoch++;
    this.#isOpened = false;
    this.#earlyEvents = null;
    this.#store.forgetChat();
    this.typing.reset();
    this.reading.reset();
    this.timeline.reset(0);
    this.chat.set(null);
  }

  async #open(opening: Opening): Promise<void> {
    const { chatId, metadata, locale, isNew } = opening;
    const epoch = this.#epoch;
    const kept = this.#store.read();
    const id = chatId ?? kept.chatId;
    if (!id && opening.isResuming) throw NO_CHAT;
    this.#earlyEvents = [];
    const afterSeq = Math.max(0, (id === kept.chatId ? (kept.latestSeq ?? 0) : 0) - PAGE);
    let opened: OpenedChat;
    try {
      opened = await this.#ask<OpenedChat>('chat:open', { chatId: id, afterSeq, metadata, locale, isNew });
    } catch (error) {
      // The chat in storage was deleted, or belongs to another visitor: open another one.
      if (chatId || !id || !hasCode(error, 'not_found') || epoch !== this.#epoch) throw error;
      this.#store.forgetChat();
      return this.#open({ ...opening, chatId: undefined });
    }
    if (epoch !== this.#epoch) return;
    this.#show(opened, afterSeq);
    if (this.#isBehind) await this.#sync(epoch);
  }

  #show(opened: OpenedChat, afterSeq: number): void {
    const { chat, messages, latestSeq, hasMore } = opened;
    const early = this.#earlyEvents!;
    this.#earlyEvents = null;
    this.#latestSeq = latestSeq;
    // A long chat is read from its last page.
    this.timeline.reset(hasMore || afterSeq > latestSeq ? Math.max(0, latestSeq - PAGE) : afterSeq);
    this.reading.reset();
    this.#store.write({ chatId: chat.id });
    this.#update(chat, opened);
    this.#apply(messages);
    for (const [event, payload] of early) this.receive(event, payload);
  }

  async #resume(chatId: string): Promise<void> {
    const epoch = this.#epoch;
    const afterSeq = this.timeline.last;
    // What comes before the answer is newer than the answer.
    const early: [string, EventPayload][] = (this.#earlyEvents = []);
    let opened: OpenedChat;
    try {
      opened = await this.#ask<OpenedChat>('chat:open', { chatId, afterSeq });
    } catch (error) {
      if (!hasCode(error, 'not_found') || epoch !== this.#epoch) throw error;
      return this.#reopen({});
    } finally {
      if (this.#earlyEvents === early) this.#earlyEvents = null;
    }
    if (epoch !== this.#epoch) return;
    // The service was restored from a backup: messages that it no longer has must not be shown. A message that came since the question
    // isn't one of them.
    if (opened.latestSeq < afterSeq) return this.#reopen({ chatId });
    this.typing.expireSoon();
    this.#update(opened.chat, opened);
    this.#apply([...(opened.deleted ?? []), ...opened.messages]);
    this.#latestSeq = Math.max(this.#latestSeq, opened.latestSeq);
    for (const [event, payload] of early) this.receive(event, payload);
    if (this.#isBehind) await this.#sync(epoch);
  }

  #reopen(opening: Opening): Promise<void> {
    this.leave();
    return this.#open(opening);
  }

  /** Reads messages until none is missing up to the latest one that the service knows. */
  async #sync(epoch: number): Promise<void> {
    for (let isMissing = true; isMissing && epoch === this.#epoch;) {
      const batch = await this.#askHere<Batch>('sync', { afterSeq: this.timeline.last });
      if (epoch !== this.#epoch) return;
      this.#apply(batch.messages);
      isMissing = batch.hasMore || (this.#isBehind && batch.messages.length > 0);
    }
  }

  /** Like `#sync`, once at a time, and with retries. They end with the connection: the next one calls `catchUp`. */
  async #fillGap(epoch = this.#epoch): Promise<void> {
    if (this.#isFilling || epoch !== this.#epoch) return;
    this.#isFilling = true;
    const error: unknown = await this.#sync(epoch).catch((reason: unknown) => reason);
    this.#isFilling = false;
    if (error && isTransient(error)) setTimeout(() => this.#isUp() && void this.#fillGap(epoch), SYNC_RETRY_MS);
  }

  /** Reads the page before the first message. Long messages come in several answers. */
  async #readPageBefore(): Promise<Message[]> {
    const { timeline } = this;
    const page: Message[] = [];
    for (let afterSeq = Math.max(0, timeline.before - PAGE), isMore = true; isMore && afterSeq < timeline.before;) {
      const { messages } = await this.#askHere<Batch>('sync', { afterSeq, limit: timeline.before - afterSeq });
      page.push(...messages);
      afterSeq += messages.length;
      isMore = messages.length > 0;
    }
    return page;
  }

  get #isBehind(): boolean {
    return this.timeline.hasGap || this.timeline.last < this.#latestSeq;
  }

  #receiveOfChat(event: string, payload: EventPayload): void {
    if (event === 'chat') this.#update(payload as unknown as Chat);
    if (event === 'typing') {
      // The message that ends a text may be behind a gap: the text stays until the message can take its place.
      if (payload.isTyping || !this.timeline.hasGap) this.typing.receive(payload as unknown as TypingEvent);
    }
    if (event === 'seq') {
      this.#latestSeq = Number(payload.latestSeq);
      if (this.#isBehind) void this.#fillGap();
    }
  }

  #apply(messages: readonly Message[]): void {
    const applied = this.timeline.take(messages);
    for (const message of applied) {
      if (message.sender.type === 'VISITOR') this.#onOwn(message);
      else this.typing.onMessage(message);
    }
    if (applied.length > 0) this.#store.write({ latestSeq: this.timeline.last });
    this.reading.count(this.timeline.messages.value);
    if (this.#isOpened) applied.forEach(this.#arrivals.tell);
  }

  // The service's events of the chat don't include the settings.
  #update(chat: Chat, { typingPreview, visitorUploads, isConnected }: Partial<Chat> = this.chat.value ?? {}): void {
    this.chat.set({ typingPreview, visitorUploads, isConnected, ...chat });
    // The service doesn't send an end again that this side missed, or that a transfer caused.
    const isOpen = chat.status === 'ACTIVE' || chat.status === 'QUEUED';
    this.typing.keep(({ type, id }) => isOpen && (type !== 'AGENT' || id === chat.assignedTo?.id));
    this.reading.adopt(chat);
    this.reading.count(this.timeline.messages.value);
  }

  #askHere<T>(event: string, payload: Record<string, unknown>): Promise<T> {
    return this.#ask<T>(event, { chatId: this.chat.value?.id, ...payload });
  }

  /** Sends the service something that may be lost. Returns whether it was accepted. */
  #notify(event: string, payload: Record<string, unknown>): Promise<boolean> {
    return this.#askHere(event, payload).then(
      () => true,
      () => false,
    );
  }
}

function isVisitor({ type }: Sender): boolean {
  return type === 'VISITOR';
}
