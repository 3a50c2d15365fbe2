/** The message everywhere (REST, sockets, webhooks). Order by `seq`, never by time. */
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
  /** Of a message that was deleted alone: it keeps its place, its content is empty. */
  deletedAt?: string;
}

export type MessageType = 'TEXT' | 'IMAGE' | 'BUTTON' | 'QUICK_REPLY';

/** Who says something; id and name are null for SYSTEM. */
export interface Sender {
  type: 'VISITOR' | 'BOT' | 'AGENT' | 'SYSTEM';
  id: string | null;
  name: string | null;
}

/** The choice that a message is the answer to: one of `metadata.options` of a QUICK_REPLY or BUTTON of a bot or agent in the same chat. */
export interface ReplyTo {
  messageId: string;
  value: string;
}

/** A chat as its visitor sees it. */
export interface Chat {
  id: string;
  status: 'ACTIVE' | 'QUEUED' | 'CLOSED' | 'ARCHIVED';
  channel: 'WIDGET';
  group: { id: string; name: string } | null;
  assignedTo: { id: string; name: string } | null;
  createdAt: string;
  lastMessageAt: string | null;
  messageCount: number;
  metadata: Record<string, unknown>;
  /** The highest `seq` that each side has read. */
  read: { visitor: number; organization: number };
}

/** A message of this visitor that is not stored yet, or could not be. */
export interface PendingMessage {
  clientMessageId: string;
  content: string;
  type: MessageType;
  metadata?: Record<string, unknown>;
  replyTo?: ReplyTo;
  createdAt: string;
  /** `queued`: goes out as soon as there is a connection. `failed`: refused for good, or given up; `retry` tries again. */
  state: 'queued' | 'sending' | 'failed';
  error?: VisitorError;
}

/** What was answered to a request that failed: `code` is one of the contract's, or `unreachable`. */
export interface VisitorError {
  code: string;
  detail: string;
}

/**
 * - `idle`: nothing was asked for yet, or the client is closed
 * - `connecting`: the first attempt is under way
 * - `online`: messages arrive over a socket, at once
 * - `polling`: no socket can be had; messages arrive over REST, within seconds
 * - `offline`: the connection was lost or cannot be made; it is tried again, and what is sent meanwhile waits
 * - `refused`: the service will not have this page (`error` says why); nothing is tried again
 */
export interface Connection {
  state: 'idle' | 'connecting' | 'online' | 'polling' | 'offline' | 'refused';
  error?: VisitorError;
}

/** A value that changes, and whoever wants to know. */
export interface Observable<T> {
  readonly value: T;
  /** Calls the listener now and after every change. Answers a function that ends it. */
  subscribe(listener: (value: T) => void): () => void;
}

/** Where the session is kept, so that the visitor is the same after a reload and in every tab. `localStorage` is one. */
export interface VisitorStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface VisitorProfile {
  name?: string;
  email?: string;
  metadata?: Record<string, unknown>;
}

export interface VisitorClientOptions {
  /** The address of the service: `https://chat.example.com`. */
  url: string;
  /** The organization's public key: `prl_wk_…`. */
  widgetKey: string;
  /** Who the visitor is: a JWT signed by your own server, or a function that fetches a fresh one. */
  identity?: Identity;
  /** What you know of a visitor without an identity. */
  visitor?: VisitorProfile;
  /** `localStorage` when omitted, memory when that cannot be had. */
  storage?: VisitorStorage;
}

export type Identity = string | (() => string | Promise<string>);

export interface SendOptions {
  type?: MessageType;
  metadata?: Record<string, unknown>;
  replyTo?: ReplyTo;
  /** Your own name for the message, 1 to 64 characters: the same never makes a second one. Made when omitted. */
  clientMessageId?: string;
}

/** A visitor's side of one chat at a time. Every method may be called at any time, connected or not. */
export interface VisitorClient {
  readonly connection: Observable<Connection>;
  /** The chat that is open; null before `openChat`. */
  readonly chat: Observable<Chat | null>;
  /** The chat's messages, in order of `seq`, each once, without a gap. A new array at every change. */
  readonly messages: Observable<readonly Message[]>;
  /** What this visitor has sent and the service has not confirmed. */
  readonly pending: Observable<readonly PendingMessage[]>;
  /** Who of the other side is typing. */
  readonly typing: Observable<readonly Sender[]>;
  /** How many messages of the other side are after the last one read. */
  readonly unread: Observable<number>;
  /** Whether there are messages before the first of `messages`. */
  readonly hasEarlier: Observable<boolean>;

  /** Whether a chat is going on in this browser, so that `openChat` would find one. Reads storage only. */
  hasChat(): boolean;
  /**
   * Opens the chat that is named, else the one that is going on, else a new one, and stays connected. Resolves when its
   * latest messages are there; rejects with a VisitorError when it is refused.
   * @param isNew leave a chat that was closed behind and begin another
   */
  openChat(options?: { chatId?: string; metadata?: Record<string, unknown>; isNew?: boolean }): Promise<Chat>;
  /** Reads up to 50 messages before the first one; false when there are none. */
  loadEarlier(): Promise<boolean>;
  /**
   * Sends a message, now or when there is a connection again, once. Resolves when it is stored; rejects with a
   * VisitorError when it is refused, and then it stays in `pending` as `failed`.
   */
  send(content: string, options?: SendOptions): Promise<Message>;
  /** Tries a failed message again. */
  retry(clientMessageId: string): void;
  /** Forgets a failed message. */
  discard(clientMessageId: string): void;
  /** Says that the visitor is typing, or no more. Call it as often as you like. */
  setTyping(isTyping: boolean): void;
  /** Says that everything up to `seq` was read; all there is when omitted. */
  read(seq?: number): void;
  /**
   * Becomes the person whom the identity names. A chat that an anonymous visitor began on this very page comes along; one that
   * was found in storage does not: it may be of whoever used the computer before. null: signs out and forgets who the visitor was.
   */
  identify(identity: Identity | null): Promise<void>;
  /** Calls the listener with every new message that arrives, of whoever; not with those that were there when the chat was opened. */
  onMessage(listener: (message: Message) => void): () => void;
  /** Ends the connection. The session stays in storage. */
  close(): void;
}
