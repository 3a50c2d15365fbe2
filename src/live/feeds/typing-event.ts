import type { Actor } from '../../auth/context/request-context.js';
import { type Sender, senderOf } from '../../messages/message.js';

/** What a sender reports while it types. */
export interface TypingReport {
  isTyping: boolean;
  /** Everything that it has written so far; empty when it deleted the text; undefined when the client sends no text. */
  text?: string;
  /** What a bot is doing; it comes with a text, and the next text ends it. */
  status?: string;
  /** Whether the bot can be stopped; only with a text. */
  canStop?: boolean;
}

/** `typing`, as sockets get it: a sender starts, continues, or stops typing in a chat (CONTRACT: Visitors and CONTRACT: Live text). */
export interface TypingEvent {
  chatId: string;
  sender: Sender;
  isTyping: boolean;
  /** Everything that it has written so far. The rest comes only with a text. */
  text?: string;
  status?: string;
  canStop?: boolean;
  afterSeq?: number;
  at?: number;
}

/** An accepted report, as nodes send it to each other. Nodes of the previous release send only the first three fields. */
export interface TypingSignal {
  chatId: string;
  sender: Sender;
  isTyping: boolean;
  /** Everything that was written so far; empty clears it; undefined leaves the shown text as it is. */
  text?: string;
  /** What the bot is doing, and whether it can be stopped; only with a text. */
  status?: string;
  canStop?: boolean;
  /** The highest `seq` of the chat when the report was accepted. */
  afterSeq?: number;
  /** When the report was accepted, by the database's clock, in milliseconds since 1970. */
  at?: number;
  /** For a visitor's text: the agent who had the chat when the report was accepted. */
  agentId?: string;
  /** Milliseconds until a republished text expires. */
  left?: number;
}

/** The same for a bot or an agent. */
export interface ChatTyping {
  organizationId: string;
  chatId: string;
  actor: Actor;
  /** Whether the bot that writes is an AI. */
  isAi?: boolean;
  isTyping: boolean;
  afterSeq: number;
  at: number;
  text?: string;
  status?: string;
  canStop?: boolean;
  /** Hidden from the visitor: an agent types who does not have the chat. */
  isForAgentsOnly?: boolean;
  left?: number;
}

export function signalOf(typing: ChatTyping): TypingSignal {
  const { chatId, isTyping, text, status, canStop, afterSeq, at, left } = typing;
  return { chatId, sender: senderOf(typing), isTyping, text, status, canStop, afterSeq, at, left };
}
