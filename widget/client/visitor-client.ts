import { type Ask, createConversation, type Opening } from './conversation.js';
import { createOutbox } from './outbox.js';
import { FORGOTTEN, isTransient, RequestError } from './request.js';
import { createSession } from './session.js';
import { createStore, type KeptMessage } from './store.js';
import { createTransport } from './transport.js';
import type { Chat, Identity, Message, VisitorClient, VisitorClientOptions } from './types.js';

/** A visitor's side of a chat: whatever happens to the connection, each message once and in order. */
export function createVisitorClient(given: VisitorClientOptions): VisitorClient {
  const options = { ...given, url: given.url.replace(/\/+$/, '') };
  const store = createStore(options.widgetKey, options.storage);
  const session = createSession(options, store, () => leaveTo(true));
  const ask: Ask = (event, payload) => transport.ask(event, payload);
  const conversation = createConversation(
    store,
    ask,
    () => transport.isUp,
    (message) => outbox.recognize(message),
  );
  const { chat } = conversation;
  const transport = createTransport(options.url, session, { catchUp, receive: conversation.receive });
  const outbox = createOutbox(store, { isUp: () => transport.isUp && chat.value !== null, post });

  /** What to open; null until somebody asks. */
  let wanted: Opening | null = null;
  let openings: { resolve: (chat: Chat) => void; reject: (error: unknown) => void }[] = [];
  let catchingUp: Promise<void> | null = null;
  let visitorId: string | undefined;

  // Socket and REST may both find a way: one question at a time. Never one for both: only a socket's own question puts it
  // into the live feed.
  function catchUp(): Promise<void> {
    const own: Promise<void> = Promise.resolve(catchingUp)
      .catch(() => undefined)
      .then(() => (catchingUp === own ? conversation.catchUp(wanted ?? {}).then(arrive) : undefined));
    return (catchingUp = own);
  }

  function arrive(): void {
    visitorId = store.read().visitorId;
    const opened = chat.value;
    if (opened) settle(({ resolve }) => resolve(opened));
    outbox.flush();
  }

  async function post({ clientMessageId, content, type, metadata, replyTo, ...rest }: KeptMessage): Promise<Message> {
    const chatId = rest.chatId ?? chat.value?.id;
    const payload = { chatId, content, type, metadata, replyTo, clientMessageId };
    const { message } = await ask<{ message: Message }>('message:send', payload);
    conversation.add(message);
    return message;
  }

  function settle(work: (opening: (typeof openings)[0]) => void): void {
    const all = openings;
    openings = [];
    all.forEach(work);
  }

  function leave(): void {
    catchingUp = null;
    conversation.leave();
  }

  function openChat({ isNew = false, ...opening }: Opening & { isNew?: boolean } = {}): Promise<Chat> {
    const isAnother = opening.chatId !== undefined && opening.chatId !== chat.value?.id;
    if (isNew || isAnother) leave();
    if (chat.value) return Promise.resolve(chat.value);
    wanted = opening;
    const opened = new Promise<Chat>((resolve, reject) => openings.push({ resolve, reject }));
    const { state } = transport.connection.value;
    if (state === 'idle' || state === 'refused') void transport.start();
    else if (transport.isUp) {
      catchUp().catch((error: unknown) => {
        if (wanted !== opening) return;
        // A new connection asks until there is an answer.
        if (isTransient(error)) return void transport.start();
        wanted = null;
        settle(({ reject }) => reject(error));
      });
    }
    return opened;
  }

  async function identify(identity: Identity | null): Promise<void> {
    await outbox.rest();
    transport.stop();
    if (identity === null) {
      forget();
      return session.forget();
    }
    try {
      await session.identify(identity);
    } finally {
      if (wanted) void transport.start();
    }
  }

  function forget(): void {
    wanted = null;
    settle(({ reject }) => reject(FORGOTTEN));
    leaveTo();
  }

  /** Leaves nothing of the chat to whoever comes next, who may have said something already. */
  function leaveTo(another?: boolean): void {
    outbox.clear(FORGOTTEN, another);
    leave();
  }

  transport.connection.subscribe(({ state, error }) => {
    if (state !== 'refused') return;
    settle(({ reject }) => reject(new RequestError(error?.code ?? 'forbidden', error?.detail ?? '')));
  });

  // Another tab became somebody else, forgot who it was, or began another chat.
  const endWatch = store.onChange(() => {
    const kept = store.read();
    if (!chat.value || (kept.visitorId === visitorId && kept.chatId === chat.value.id)) return;
    if (kept.visitorId === visitorId && kept.chatId === undefined) return;
    if (kept.visitorId === undefined) {
      transport.stop();
      return forget();
    }
    leave();
    store.write(kept);
    wanted = {};
    void transport.start();
  });

  return {
    connection: transport.connection,
    chat,
    messages: conversation.timeline.messages,
    pending: outbox.pending,
    typing: conversation.typing.senders,
    unread: conversation.reading.unread,
    hasEarlier: conversation.timeline.hasEarlier,
    hasChat: () => store.read().chatId !== undefined,
    openChat,
    loadEarlier: conversation.loadEarlier,
    send(content, sendOptions = {}) {
      if (!wanted) openChat().catch(() => undefined);
      conversation.typing.stop();
      return outbox.add(content, sendOptions, chat.value?.id);
    },
    retry: outbox.retry,
    discard: outbox.discard,
    setTyping: conversation.typing.set,
    read: conversation.read,
    identify,
    onMessage: conversation.onMessage,
    close() {
      endWatch();
      conversation.typing.reset();
      transport.close();
    },
  };
}
