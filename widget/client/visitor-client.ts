import { ChatLifecycle } from './chat-lifecycle.js';
import type { Road } from './transport.js';
import type { CoreClient, VisitorClientOptions } from './types.js';

/** A visitor's side of a chat: each message once and in order, even if the connection is lost. */
export function createVisitorClient(options: VisitorClientOptions, loadRoad: () => Promise<Road>): CoreClient {
  const lifecycle = new ChatLifecycle({ ...options, url: options.url.replace(/\/+$/, '') }, loadRoad);
  const { store, transport, conversation, outbox } = lifecycle;
  const { chat, timeline, typing, reading } = conversation;
  // Functions and not methods: a page may pass each of them on alone.
  return {
    connection: transport.connection,
    chat,
    messages: timeline.messages,
    pending: lifecycle.pending,
    typing: typing.senders,
    unread: reading.unread,
    hasEarlier: timeline.hasEarlier,
    hasChat: () => store.read().chatId !== undefined,
    openChat: (opening) => lifecycle.openChat(opening),
    resumeChat: () => lifecycle.resumeChat(),
    listChats: (cursor) => transport.listChats(cursor),
    closeChat: () => conversation.close(),
    loadEarlier: () => conversation.loadEarlier(),
    send: (content, sendOptions) => lifecycle.send(content, sendOptions),
    retry: (id) => lifecycle.retry(id),
    discard: (id) => outbox.discard(id),
    setTyping: (isTyping, text) => conversation.type(isTyping, text),
    reconnect: () => transport.reconnect(),
    read: (seq) => conversation.read(seq),
    identify: (identity) => lifecycle.identify(identity),
    setVisitor: (visitor) => lifecycle.setVisitor(visitor),
    post: (...given) => lifecycle.post(...given),
    onMessage: (listener) => conversation.onMessage(listener),
    close: () => lifecycle.close(),
  };
}
