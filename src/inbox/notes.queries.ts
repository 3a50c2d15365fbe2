import type { Pool } from 'pg';
import { isSeen, seenAs, type Viewer } from '../chats/model/chat-rights.js';

export interface StoredNote {
  id: string;
  content: string;
  authorId: string;
  authorName: string;
  afterSeq: number;
  createdAt: Date;
}

const COLUMNS = `
  id, content, author_id AS "authorId", author_name AS "authorName", after_seq AS "afterSeq", created_at AS "createdAt"`;

const LIST = `
  SELECT ${COLUMNS} FROM notes WHERE organization_id = $1 AND chat_id = $2 AND id > $3 ORDER BY id LIMIT $4`;

/** The notes of a chat after an id, oldest first. */
export async function listNotes(
  pool: Pool,
  organizationId: string,
  chatId: string,
  { after = '', limit }: { after?: string; limit: number },
): Promise<StoredNote[]> {
  const values = [organizationId, chatId, after, limit];
  const { rows } = await pool.query<StoredNote>({ name: 'list-notes', text: LIST, values });
  return rows;
}

export interface NewNote {
  id: string;
  content: string;
  author: { id: string; name: string };
  createdAt: Date;
}

// The lock makes erasing the visitor wait, so that it finds the note.
const INSERT = `
  WITH chat AS MATERIALIZED (
    SELECT c.id, c.message_count FROM chats c
    WHERE c.organization_id = $1 AND c.id = $3 AND ${isSeen('c')}
    FOR NO KEY UPDATE OF c
  ), note AS (
    INSERT INTO notes (organization_id, chat_id, id, content, author_id, author_name, after_seq, created_at)
    SELECT $1, chat.id, $4, $5, $6, $7, chat.message_count, $8::timestamptz FROM chat
    RETURNING ${COLUMNS}
  ), changed AS (
    UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = $3 AND EXISTS (SELECT FROM chat)
  )
  SELECT * FROM note`;

/** Stores a note and raises the chat's `rev`. Null if the viewer may not see the chat. */
export async function insertNote(
  pool: Pool,
  viewer: Viewer,
  chatId: string,
  { id, content, author, createdAt }: NewNote,
): Promise<StoredNote | null> {
  const values = [viewer.organizationId, seenAs(viewer), chatId, id, content, author.id, author.name, createdAt];
  const { rows } = await pool.query<StoredNote>(INSERT, values);
  return rows[0] ?? null;
}
