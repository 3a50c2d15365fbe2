import type { ErrorCode } from './error-codes.js';
import type { File as MessageFile, Message, ReplyTo, Sender } from './visitor-api.js';

export type { File as MessageFile, Message, ReplyTo, Sender } from './visitor-api.js';

export type MessageType = Message['type'];

/** A sender who is typing. */
export interface Typist extends Sender {
  /** Everything that was written so far, if the sender shares it; it is no message yet. */
  text?: string;
  /** What a bot is doing, such as "Searching orders…". */
  status?: string;
  /** Whether `stopAnswer` reaches a bot that calls the bot API. */
  canStop?: boolean;
}

/** A message of this side that the service has not confirmed. */
export interface PendingMessage {
  clientMessageId: string;
  content: string;
  type: MessageType;
  metadata?: Record<string, unknown>;
  replyTo?: ReplyTo;
  files?: MessageFile[];
  createdAt: string;
  /** `queued`: waits for a connection. `failed`: was refused, or tried too often; `retry` sends it again. */
  state: 'queued' | 'sending' | 'failed';
  error?: Failure;
}

/** Why a request failed. A newer service may have codes that `ErrorCode` doesn't name. */
export interface Failure {
  code: ErrorCode | 'unreachable' | (string & {});
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
  /** Up to 10 files that were uploaded into the chat, and are in no message yet. The content may then be empty. */
  files?: MessageFile[];
  /** Your id for the message, 1 to 64 characters: the same id never creates a second message. Random when omitted. */
  clientMessageId?: string;
}
