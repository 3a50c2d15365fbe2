import type { FileView } from '../files/file.js';
import type { RequestContext } from '../auth/context/request-context.js';

/** The most messages in one response. */
export const MAX_MESSAGES = 200;

/** The types of messages (CONTRACT: Messages). */
export const MESSAGE_TYPES = ['TEXT', 'IMAGE', 'BUTTON', 'QUICK_REPLY'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export const SENDER_TYPES = ['VISITOR', 'BOT', 'AGENT', 'SYSTEM'] as const;
export type SenderType = (typeof SENDER_TYPES)[number];

/** The choice that a message answers: one of the `metadata.options` of a message in the same chat. */
export interface ReplyTo {
  messageId: string;
  value: string;
}

/** The sender of a message; id and name are null for SYSTEM. */
export interface Sender {
  type: SenderType;
  id: string | null;
  name: string | null;
  /** Whether it's an AI (CONTRACT: AI disclosure); absent unless it's a bot. */
  isAi?: boolean;
}

/** The sender of an actor's messages. An administrator's messages are system messages. */
export function senderOf({ actor: { type, id, name }, isAi }: Pick<RequestContext, 'actor' | 'isAi'>): Sender {
  return type === 'ADMIN' ? { type: 'SYSTEM', id: null, name: null } : toSender(type, id, name, isAi);
}

/** @param isAi as it's stored: a bot is an AI unless it's known not to be one */
export function toSender(type: SenderType, id: string | null, name: string | null, isAi?: boolean | null): Sender {
  return type === 'BOT' ? { type, id, name, isAi: isAi !== false } : { type, id, name };
}

/** The content of a message. */
export interface MessageBody {
  /** Omitted: empty, with `files`. */
  content?: string;
  /** Omitted: `TEXT`. */
  type?: MessageType;
  metadata?: Record<string, unknown>;
  /** The ids of 1 to 10 different uploads of the sender. */
  files?: string[];
}

/** The message as REST, sockets and webhooks show it (CONTRACT: Messages). */
export interface MessageView {
  id: string;
  chatId: string;
  seq: number;
  type: MessageType;
  content: string;
  metadata: Record<string, unknown>;
  sender: Sender;
  createdAt: string;
  replyTo?: ReplyTo;
  /** With addresses for agents and visitors; absent without any. */
  files?: FileView[];
  /** When the message became a tombstone; absent before. */
  deletedAt?: string;
}

/** Messages of a chat, in order. */
export interface MessagePage {
  messages: MessageView[];
  /** The highest `seq` of the chat. */
  latestSeq: number;
  /** Whether there are messages after the last of these. */
  hasMore: boolean;
}
