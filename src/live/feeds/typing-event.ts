import type { Sender } from '../../messages/message.js';

/** `typing`: a sender started, goes on or stopped typing in a chat, as sockets get it (CONTRACT sections 3 and 12). */
export interface TypingEvent {
  chatId: string;
  sender: Sender;
  isTyping: boolean;
  /** Everything that it has written so far. Only with it there are `afterSeq` and `at`. */
  text?: string;
  afterSeq?: number;
  at?: number;
}

/** The same as it was taken. Nodes of the release before tell the first three fields. */
export interface TypingSignal {
  chatId: string;
  sender: Sender;
  isTyping: boolean;
  /** Everything that was written so far; empty: nothing any more; undefined: not told, what was shown stays. */
  text?: string;
  /** The highest `seq` of the chat when it was taken. */
  afterSeq?: number;
  /** When it was taken, by the database's clock, in milliseconds since 1970. */
  at?: number;
  /** Of a visitor's text: the agent who had the chat when it was taken. */
  agentId?: string;
  /** How many milliseconds of its time are left, when it is told again. */
  left?: number;
}
