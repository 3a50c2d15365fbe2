import type { PoolClient } from 'pg';
import { jsonChat } from '../../chats/reading/chat-json.queries.js';
import type { StoredFile } from '../../files/file.js';
import type { SenderType } from '../../messages/message.js';
import type { Hit } from './search.queries.js';

/** A message that matches, as it is now. */
export interface FoundMessage {
  id: string;
  chatId: string;
  seq: number;
  createdAt: Date;
  senderType: SenderType;
  senderId: string | null;
  senderName: string | null;
  senderIsAi: boolean | null;
  content: string;
  files: StoredFile[] | null;
}

// Leaves out messages that were deleted after the index was read.
const MESSAGES = `
  SELECT m.id, m.chat_id AS "chatId", m.seq, m.created_at AS "createdAt", m.sender_type AS "senderType", m.sender_id AS "senderId",
    m.sender_name AS "senderName", m.sender_is_ai AS "senderIsAi", m.content, m.files
  FROM unnest($2::text[], $3::integer[]) AS f (chat_id, seq)
  JOIN messages m ON m.organization_id = $1 AND m.chat_id = f.chat_id AND m.seq = f.seq
  WHERE m.deleted_at IS NULL`;

export async function readMessages(
  client: PoolClient,
  organizationId: string,
  hits: readonly Hit[],
): Promise<FoundMessage[]> {
  const found = hits.filter(({ seq }) => seq !== null);
  if (found.length === 0) return [];
  const values = [organizationId, found.map(({ chatId }) => chatId), found.map(({ seq }) => seq)];
  return (await client.query<FoundMessage>(MESSAGES, values)).rows;
}

/** A note that matches, as it is now. */
export interface FoundNote {
  id: string;
  chatId: string;
  createdAt: Date;
  authorId: string;
  authorName: string;
  content: string;
  files: StoredFile[] | null;
}

const NOTES = `
  SELECT n.id, n.chat_id AS "chatId", n.created_at AS "createdAt", n.author_id AS "authorId", n.author_name AS "authorName", n.content,
    n.files
  FROM unnest($2::text[], $3::text[]) AS f (chat_id, id)
  JOIN notes n ON n.organization_id = $1 AND n.chat_id = f.chat_id AND n.id = f.id`;

export async function readNotes(
  client: PoolClient,
  organizationId: string,
  hits: readonly Hit[],
): Promise<FoundNote[]> {
  const found = hits.filter(({ kind }) => kind === 'NOTE');
  if (found.length === 0) return [];
  const values = [organizationId, found.map(({ chatId }) => chatId), found.map(({ id }) => id)];
  return (await client.query<FoundNote>(NOTES, values)).rows;
}

const CHATS = `
  SELECT c.id, (${jsonChat()})::json AS chat FROM chats c
  WHERE c.organization_id = $1 AND c.id = ANY ($2) AND c.erased_at IS NULL`;

/** The chats in the form that events have, by id. Erased chats are left out. */
export async function readChats(
  client: PoolClient,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const { rows } = await client.query<{ id: string; chat: Record<string, unknown> }>(CHATS, [organizationId, ids]);
  return new Map(rows.map(({ id, chat }) => [id, chat]));
}
