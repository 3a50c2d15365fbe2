import type { EntityManager } from 'typeorm';
import type { ChatStatus } from '../chats/chat-status.js';
import { CHAT_COLUMNS, CHAT_NAMES, type ChatRow } from '../chats/chats.queries.js';
import type { Message } from './message.entity.js';

/** A chat with its latest messages, oldest first. */
export interface ChatOverview extends ChatRow {
  messages: (Omit<Message, 'createdAt' | 'deletedAt'> & { createdAt: string; deletedAt: string | null })[];
}

// seq has no gaps: the five latest are the five highest, and no sorting is needed to find them.
const LATEST_MESSAGES = `
  SELECT COALESCE(json_agg(json_build_object(
    'id', m.id, 'chatId', m.chat_id, 'seq', m.seq, 'type', m.type, 'content', m.content, 'metadata', m.metadata,
    'senderType', m.sender_type, 'senderId', m.sender_id, 'senderName', m.sender_name,
    'replyToMessageId', m.reply_to_message_id, 'replyToValue', m.reply_to_value, 'createdAt', m.created_at,
    'deletedAt', m.deleted_at
  ) ORDER BY m.seq), '[]') AS messages
  FROM messages m
  WHERE m.organization_id = c.organization_id AND m.chat_id = c.id AND m.seq > c.message_count - 5`;

const LIST = `
  SELECT ${CHAT_COLUMNS}, latest.messages
  FROM (
    SELECT * FROM chats
    WHERE organization_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR id < $3)
      AND ($4::text IS NULL OR visitor_id = $4)
    ORDER BY id DESC LIMIT $5
  ) c ${CHAT_NAMES} CROSS JOIN LATERAL (${LATEST_MESSAGES}) latest
  ORDER BY c.id DESC`;

/** Which chats of an organization. */
export interface ChatFilter {
  status?: ChatStatus;
  visitorId?: string;
  /** Only chats before this id. */
  before?: string;
  limit: number;
}

/** Chats, newest first, each with up to five latest messages; one statement however many there are. */
export function listChatOverviews(
  manager: EntityManager,
  organizationId: string,
  filter: ChatFilter,
): Promise<ChatOverview[]> {
  const { status = null, before = null, visitorId = null, limit } = filter;
  return manager.query(LIST, [organizationId, status, before, visitorId, limit]);
}

const ONE = `
  SELECT ${CHAT_COLUMNS}, latest.messages FROM chats c ${CHAT_NAMES} CROSS JOIN LATERAL (${LATEST_MESSAGES}) latest
  WHERE c.organization_id = $1 AND c.id = $2`;

export async function findChatOverview(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<ChatOverview | null> {
  const rows: ChatOverview[] = await manager.query(ONE, [organizationId, id]);
  return rows[0] ?? null;
}
