import type { Answers } from './bursts.js';
import type { Source } from './speech.js';
import type {
  Chat,
  Content,
  GroupAvailability,
  HandOver,
  HandOverOptions,
  Message,
  ParleyEvent,
  SentMessage,
} from '../wire.js';

/** What every handler gets. After the turn is over each function but `history` and `availability` rejects with TurnOverError. */
export interface Tools {
  chat: Chat;
  /**
   * Aborts when the turn is over: the handler returned, the deadline passed, people took the chat, or it was closed. Hand it to
   * your model's client.
   */
  signal: AbortSignal;
  /** How often the handler runs for this event, counted from 1: see `onError`. */
  attempt: number;
  /** Sends one message, only while the bots have the chat. */
  reply: (content: string, more?: Omit<Content, 'content'>) => Promise<SentMessage>;
  /**
   * Sends what a text or a stream of texts contains, at its end; several messages when it is too long for one. The visitor sees
   * a stream while it comes. `metadata` is that of every message; `type`, and the metadata of the stream's parts, of the last.
   */
  say: (source: Source, more?: Omit<Content, 'content'>) => Promise<SentMessage[]>;
  /**
   * Hands the chat to people; null when no agent is free (with `ifUnavailable: 'FAIL'` alone). Nothing is sent after it: what
   * the visitor should read goes into `say`, which is sent before.
   */
  handOver: (options?: HandOverOptions & { say?: Source }) => Promise<HandOver | null>;
  /** Ends the turn of a message without an answer, on purpose: `return ignore()`. */
  ignore: () => void;
  /** The latest messages up to the event, oldest first; 20 when omitted. */
  history: (limit?: number) => Promise<Message[]>;
  /** Whether agents of each group can take a chat. */
  availability: () => Promise<GroupAvailability[]>;
}

/** The tools with the event that they are for. */
export interface EventTools extends Tools {
  event: ParleyEvent;
}

/** What a turn is about. */
export interface Task {
  event: ParleyEvent;
  /** The beginning of the keys of what it sends. */
  key: string;
  attempt: number;
  /** Whether it is an error when it ends without an answer. */
  needsAnswer: boolean;
  /** The visitor's messages that it answers, and what its own messages say of that: with `onNewMessage` alone. */
  messages?: Message[];
  answers?: Answers;
  /** Whether an earlier run for these messages has sent something. */
  isPinned?: boolean;
}
