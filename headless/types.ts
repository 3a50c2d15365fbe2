/** A message, the same over REST, sockets and webhooks. Order by `seq`, never by time. */
export interface Message {
  id: string;
  chatId: string;
  seq: number;
  type: MessageType;
  content: string;
  metadata: Record<string, unknown>;
  sender: Sender;
  createdAt: string;
  replyTo?: ReplyTo;
  /** Set when this message was deleted: it keeps its place, and its content is empty. */
  deletedAt?: string;
}

export type MessageType = 'TEXT' | 'IMAGE' | 'BUTTON' | 'QUICK_REPLY';

/** The author of a message. `id` and `name` are null for SYSTEM. */
export interface Sender {
  type: 'VISITOR' | 'BOT' | 'AGENT' | 'SYSTEM';
  id: string | null;
  name: string | null;
}

/** A sender who is typing. */
export interface Typist extends Sender {
  /** Everything that was written so far, where the sender tells it; it is no message yet. */
  text?: string;
}

/** The option that a message chooses: one of `metadata.options` of a QUICK_REPLY or BUTTON message in the same chat. */
export interface ReplyTo {
  messageId: string;
  value: string;
}

/** A message of this side that the service has not confirmed. */
export interface PendingMessage {
  clientMessageId: string;
  content: string;
  type: MessageType;
  metadata?: Record<string, unknown>;
  replyTo?: ReplyTo;
  createdAt: string;
  /** `queued`: waits for a connection. `failed`: was refused, or tried too often; `retry` sends it again. */
  state: 'queued' | 'sending' | 'failed';
  error?: Failure;
}

/** Why a request failed. `code` is an error code of the contract, or `unreachable`. */
export interface Failure {
  code: string;
  detail: string;
}

/** A value that changes, with listeners. */
export interface Observable<T> {
  readonly value: T;
  /** Calls the listener now and after every change. Returns a function that removes the listener. */
  subscribe(listener: (value: T) => void): () => void;
}

/** Keeps texts by their keys. `localStorage` is one. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface SendOptions {
  type?: MessageType;
  metadata?: Record<string, unknown>;
  replyTo?: ReplyTo;
  /** Your id for the message, 1 to 64 characters: the same id never creates a second message. Random when omitted. */
  clientMessageId?: string;
}
