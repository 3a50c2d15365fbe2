import type {
  Failure,
  Message,
  MessageFile,
  Observable,
  PendingMessage,
  SendOptions,
  TextStorage,
  Typist,
} from '../../headless/types.js';
import type { UploadOptions } from '../../headless/files/upload.js';
import type { ChatState, VisitorChat } from '../../headless/visitor-api.js';

export type { MessageRating, Rating } from '../../headless/visitor-api.js';
export type {
  Message,
  MessageFile,
  MessageType,
  Observable,
  PendingMessage,
  ReplyTo,
  Sender,
  SendOptions,
  Typist,
} from '../../headless/types.js';

/** Why a request failed. `code` is one of `errorCodes`, or `unreachable`. */
export type VisitorError = Failure;

/** Stores the session, so that the visitor is the same after a reload and in every tab. `localStorage` is one. */
export type VisitorStorage = TextStorage;

/** A chat, as its visitor sees it. */
export interface Chat extends ChatState {
  /** Whether the agent who has the chat sees what the visitor writes: say so where the visitor writes. */
  typingPreview?: boolean;
  /** The largest file that the visitor may send, in bytes; null or undefined: none. */
  visitorUploads?: { maxSize: number } | null;
  /** Whether its bot is connected to an address: `stopAnswer` and `retryAnswer` work while the bots have the chat. */
  isConnected?: boolean;
}

/** A page of the visitor's chats. */
export interface ChatPage {
  chats: ListedChat[];
  nextCursor: string | null;
  /** Whether the visitor unsubscribed from e-mails, and can ask for them again. An older service doesn't say it. */
  isUnsubscribed?: boolean;
}

/** A chat in the list of a visitor's chats. */
export type ListedChat = Pick<
  VisitorChat,
  'id' | 'status' | 'title' | 'createdAt' | 'lastMessageAt' | 'messageCount' | 'read' | 'messages'
>;

/**
 * - `idle`: the client has not been used yet, or is closed
 * - `connecting`: the first attempt is under way
 * - `online`: messages arrive immediately, over a WebSocket, or over Socket.IO's long polling where WebSockets are blocked
 * - `polling`: neither connects; messages arrive over REST, within 1 s in the minute after a message was sent, and within 4 s later
 * - `offline`: the connection is lost; the client tries to reconnect, and messages wait
 * - `refused`: the service does not accept this page or visitor (`error` says why); the client tries again on its own only
 *   after a block, and otherwise with the next `send`, `openChat`, or `reconnect`
 */
export interface Connection {
  state: 'idle' | 'connecting' | 'online' | 'polling' | 'offline' | 'refused';
  error?: VisitorError;
}

export interface VisitorProfile {
  name?: string;
  email?: string;
  metadata?: Record<string, unknown>;
  /** The response of a captcha's script, if the organization asks new visitors for one. */
  captcha?: string;
}

/** Where the visitor is. */
export interface PageContext {
  url: string;
  title?: string;
  referrer?: string;
  /** A BCP 47 tag. */
  language?: string;
  /** An IANA time zone. */
  timeZone?: string;
  /** `1920x1080` */
  screen?: string;
  /** The id of the proactive message that the visitor opened. */
  proactiveMessage?: string;
}

export interface VisitorClientOptions {
  /** The address of the service: `https://chat.example.com`. */
  url: string;
  /** The organization's public key: `prl_wk_…`. */
  widgetKey: string;
  /** Who the visitor is: a JWT signed by your own server, or a function that fetches a fresh one. */
  identity?: Identity;
  /** The profile of a visitor without an identity. */
  visitor?: VisitorProfile;
  /**
   * Called when a chat opens and when a message is sent. What it returns becomes the metadata of a new chat, and its `url` and
   * `title` the `page` in the metadata of the message. Undefined: nothing is added; without `url`, nothing to a message.
   */
  page?: () => Partial<PageContext> | undefined;
  /** Called when a chat opens. What it returns is added to the metadata of a new chat, unless `openChat` or `page` names the same key. */
  metadata?: () => Record<string, unknown>;
  /**
   * The BCP 47 tag of the language that you show the chat in, called when a chat opens. A new chat records the words of `aiDisclosure` in it,
   * which you show before the first word of an AI.
   */
  locale?: () => string;
  /**
   * Called when a person who was signed in no longer is: after `identify(null)` on this page or in another tab, or when
   * another person takes their place. Forget what they wrote and did not send.
   * @param isSignOut false when another person took the place; true: do not identify them again on this page
   */
  onSignedOut?: (isSignOut: boolean) => void;
  /** `localStorage` when omitted, or memory where that is not available. */
  storage?: VisitorStorage;
  /**
   * Called when the identity can't be had or the service refuses it, with the reason for developers. The visitor then chats on as who they
   * are, or anonymously. When omitted, calls reject instead.
   */
  onIdentityFailed?: (reason: string) => void;
}

export type Identity = string | (() => string | Promise<string>);

/** A visitor's side of one chat at a time. Every method may be called at any time, connected or not. */
export interface VisitorClient extends CoreClient {
  /**
   * Uploads a file into the visitor's open chat, for `files` of `send`, within a day. A lost connection is waited for, up to 15 minutes.
   * Rejects with a VisitorError:
   * - a code of the service, such as `type_not_allowed`
   * - `interrupted` when `signal` cancels it, or the client is closed
   * - `unreadable` for a folder, or a file that was moved
   */
  upload(chatId: string, file: Blob, options?: UploadOptions): Promise<MessageFile>;
}

/** What the widget always loads of it. */
export interface CoreClient {
  readonly connection: Observable<Connection>;
  /** The open chat; null before `openChat`. */
  readonly chat: Observable<Chat | null>;
  /** The messages of the chat in order of `seq`, each once, without a gap. A new array at every change. */
  readonly messages: Observable<readonly Message[]>;
  /** The messages for this chat that the service has not confirmed, and failed ones for deleted chats. */
  readonly pending: Observable<readonly PendingMessage[]>;
  /** The bots and agents that are typing, and what they have written so far if they share it. */
  readonly typing: Observable<readonly Typist[]>;
  /** The number of messages of bots and agents after the last one that the visitor has read. */
  readonly unread: Observable<number>;
  /** Whether there are messages before the first of `messages`. */
  readonly hasEarlier: Observable<boolean>;

  /** Whether this browser has stored a chat, which `openChat` would open. Reads storage only. */
  hasChat(): boolean;
  /**
   * Opens the chat with `chatId`, or the current one, or a new one, and stays connected. Resolves when the latest
   * messages have arrived; rejects with a VisitorError when the service refuses.
   * @param isNew leaves the current chat, which may stay open, and opens a new one
   */
  openChat(options?: { chatId?: string; metadata?: Record<string, unknown>; isNew?: boolean }): Promise<Chat>;
  /**
   * Opens the visitor's open chat, when there is one with a message, and sends what an earlier page could not send. Otherwise
   * makes no chat, and no session for a visitor without an identity: both begin with the first `send`. Null when there is none; rejects with a VisitorError when the service refuses.
   */
  resumeChat(): Promise<Chat | null>;
  /** Lists the visitor's chats, the newest first. @param cursor the `nextCursor` of the page before */
  listChats(cursor?: string): Promise<ChatPage>;
  /** Ends the open chat. Its messages stay; what the visitor says next opens it again. */
  closeChat(): Promise<void>;
  /** Reads up to 50 messages before the first one; false when there are none. */
  loadEarlier(): Promise<boolean>;
  /**
   * Sends a message once, now or when there is a connection again. Resolves when the service has stored it. Otherwise it
   * rejects with a VisitorError, and the message stays in `pending`:
   * - as `failed` when the service refuses the message; `retry` sends it again
   * - as `queued` when the service refuses the page or the visitor, which `connection` then says too: the message is sent when the
   *   service accepts them. The next call asks the service again. Pass the same `clientMessageId` to wait for the same message
   * - as `queued` when the client is closed (`interrupted`): the next page sends it
   *
   * Signing out deletes the message (`interrupted`).
   */
  send(content: string, options?: SendOptions): Promise<Message>;
  /** Sends a failed message again, into the open chat. */
  retry(clientMessageId: string): void;
  /** Deletes a failed message. */
  discard(clientMessageId: string): void;
  /**
   * Reports whether the visitor is typing. You may call it at every key: the client limits the rate.
   * @param text what the visitor has written so far; it leaves the browser only with the chat's `typingPreview`, for the agent who has the chat
   */
  setTyping(isTyping: boolean, text?: string): void;
  /** Tries to connect now, when the connection is lost or was refused. After a loss, the client does so on its own too, later. */
  reconnect(): void;
  /** Marks the messages up to `seq` as read; all of them when omitted. */
  read(seq?: number): void;
  /**
   * Signs in as the person whom the identity names. A chat that an anonymous visitor began on this page stays open. An
   * anonymous chat from storage does not: it may belong to another person on the same computer. null signs out and
   * forgets the visitor.
   */
  identify(identity: Identity | null): Promise<void>;
  /**
   * Sends a changed profile, or keeps it for the session that the first message begins. For a visitor with an identity, only `metadata`
   * counts. Creates no visitor: rejects with the VisitorError `unauthorized` if the session of a visitor without an identity was ended
   * elsewhere. The next message then begins another one, with this profile.
   */
  setVisitor(visitor: VisitorProfile | undefined): Promise<void>;
  /**
   * Sends a request of the visitor to a path below `/api/visitor/`, for what has no method here: a POST, or a GET without a body.
   * Rejects with a VisitorError.
   * @param timeoutMs 10,000 when omitted
   */
  post<T>(path: string, body?: object, method?: 'PUT' | 'DELETE', timeoutMs?: number): Promise<T>;
  /** Calls the listener with every message, of any sender, that arrives after the chat was opened. */
  onMessage(listener: (message: Message) => void): () => void;
  /**
   * Closes the client for good. The session stays in storage, and what's `queued` in `pending` is sent by the next client. Calls that
   * are under way, and later ones, reject with the VisitorError `interrupted`; `identify(null)` still signs out.
   */
  close(): void;
}
