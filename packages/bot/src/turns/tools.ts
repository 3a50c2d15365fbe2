import type { Answers } from './bursts.js';
import type { ChatState } from '../chat-state.js';
import type { Source } from './speech.js';
import type {
  Chat,
  GroupAvailability,
  HandOver,
  HandOverOptions,
  Message,
  MessageOptions,
  OutgoingMessage,
  ParleyEvent,
  SentMessage,
} from '../wire.js';

/** The chat of an event, as it was right after it, with what the bot keeps about it. */
export type TurnChat = Chat & { readonly state: ChatState };

/** Passed to every handler. Once the turn is over, each function except `history` and `availability` rejects with TurnOverError. */
export interface Tools {
  chat: TurnChat;
  /**
   * Aborts when the turn is over: the handler returned, the deadline passed, people took the chat, or it was closed. Pass it to your
   * model's client.
   */
  signal: AbortSignal;
  /** The number of this run for this event, from 1. See `onError`. */
  attempt: number;
  /** Sends one message, if the bots still have the chat: a text, or `{ text?, files? }` with up to 10 files, which are uploaded first. */
  reply: (message: string | OutgoingMessage, more?: MessageOptions) => Promise<SentMessage>;
  /**
   * Sends a text, or a stream of texts when it has ended. A long text becomes several messages. The visitor sees a stream while it
   * arrives. Every message gets `metadata`. Only the last one gets `type` and the metadata of the stream's parts.
   */
  say: (source: Source, more?: Omit<MessageOptions, 'files'>) => Promise<SentMessage[]>;
  /**
   * Hands the chat over to people. Returns null if no agent is available and `ifUnavailable` is `'FAIL'`. You can't send anything
   * afterwards, so put what the visitor should read into `say`, which is sent first.
   */
  handOver: (options?: HandOverOptions & { say?: Source }) => Promise<HandOver | null>;
  /** Leaves a message unanswered on purpose: `return ignore()`. */
  ignore: () => void;
  /** The latest messages up to the event, oldest first. Default: 20. */
  history: (limit?: number) => Promise<Message[]>;
  /** Whether agents of each group can take a chat. */
  availability: () => Promise<GroupAvailability[]>;
}

/** The tools with their event. */
export interface EventTools extends Tools {
  event: ParleyEvent;
}

/** The task of a turn. */
export interface Task {
  event: ParleyEvent;
  /** The prefix of its idempotency keys. */
  key: string;
  attempt: number;
  /** Whether it's an error if it ends without an answer. */
  needsAnswer: boolean;
  /** The visitor's messages that it answers, and the `answers` metadata of its own messages. Only with `onNewMessage`. */
  messages?: Message[];
  answers?: Answers;
  /** Whether an earlier run for these messages had sent something. */
  isPinned?: boolean;
}
