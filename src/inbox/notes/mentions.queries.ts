import type { Pool } from 'pg';
import { isSeen, seenAs, type Viewer } from '../../chats/model/chat-rights.js';
import { NOTE_COLUMNS, type StoredNote } from './notes.queries.js';

/** The most agents whom one note can mention. */
export const MAX_MENTIONS = 20;

// Only notes of chats that the viewer may see, newest first.
const LIST = `
  SELECT ${NOTE_COLUMNS}, n.chat_id AS "chatId", m.seen_at AS "seenAt"
  FROM note_mentions m
  JOIN notes n ON n.organization_id = $1 AND n.chat_id = m.chat_id AND n.id = m.note_id
  JOIN chats c ON c.organization_id = $1 AND c.id = m.chat_id
  WHERE m.organization_id = $1 AND m.agent_id = $3 AND ($4::text IS NULL OR m.note_id < $4) AND ${isSeen('c')}
  ORDER BY m.note_id DESC LIMIT $5`;

export interface StoredMention extends StoredNote {
  chatId: string;
  seenAt: Date | null;
}

/** The notes that mention the viewer. @param after only notes before this one */
export async function listMentions(
  pool: Pool,
  viewer: Viewer,
  { after, limit }: { after?: string; limit: number },
): Promise<StoredMention[]> {
  const values = [viewer.organizationId, seenAs(viewer), viewer.agentId, after ?? null, limit];
  return (await pool.query<StoredMention>({ name: 'list-mentions', text: LIST, values })).rows;
}

const MARK_SEEN = `
  UPDATE note_mentions SET seen_at = $4 WHERE organization_id = $1 AND agent_id = $2 AND chat_id = $3 AND seen_at IS NULL`;

/** Marks the agent's mentions in a chat as seen. Returns whether there were unseen ones. */
export async function markMentionsSeen(
  pool: Pool,
  { organizationId, agentId }: Viewer,
  chatId: string,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(MARK_SEEN, [organizationId, agentId, chatId, at]);
  return (rowCount ?? 0) > 0;
}
