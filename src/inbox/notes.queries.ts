import type { Pool } from 'pg';
import { isSeen, seenAs, type Viewer } from '../chats/model/chat-rights.js';

export interface StoredNote {
  id: string;
  content: string;
  authorId: string;
  authorName: string;
  afterSeq: number;
  createdAt: Date;
  editedAt: Date | null;
}

const COLUMNS = `
  id, content, author_id AS "authorId", author_name AS "authorName", after_seq AS "afterSeq", created_at AS "createdAt",
  edited_at AS "editedAt"`;

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

// Only the author's own note of a chat that the viewer may see. The chat is locked first, as when a note is added.
const changeOwn = (change: string) => `
  WITH chat AS MATERIALIZED (
    SELECT c.id FROM chats c WHERE c.organization_id = $1 AND c.id = $3 AND ${isSeen('c')}
    FOR NO KEY UPDATE OF c
  ), note AS (
    ${change} WHERE organization_id = $1 AND chat_id IN (SELECT id FROM chat) AND id = $4 AND author_id = $5
    RETURNING ${COLUMNS}
  ), changed AS (
    UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = $3 AND EXISTS (SELECT FROM note)
  )
  SELECT * FROM note`;

const EDIT = changeOwn('UPDATE notes SET content = $6, edited_at = $7');
const DELETE = changeOwn('DELETE FROM notes');

/** Changes the viewer's own note and raises the chat's `rev`. Null if there's no such note. */
export async function editNote(
  pool: Pool,
  viewer: Viewer,
  chatId: string,
  { id, content, editedAt }: { id: string; content: string; editedAt: Date },
): Promise<StoredNote | null> {
  const values = [viewer.organizationId, seenAs(viewer), chatId, id, viewer.agentId, content, editedAt];
  return (await pool.query<StoredNote>(EDIT, values)).rows[0] ?? null;
}

/** Deletes the viewer's own note and raises the chat's `rev`. Returns whether there was one. */
export async function deleteNote(pool: Pool, viewer: Viewer, chatId: string, id: string): Promise<boolean> {
  const values = [viewer.organizationId, seenAs(viewer), chatId, id, viewer.agentId];
  return (await pool.query(DELETE, values)).rows.length > 0;
}

const AUTHOR = `
  SELECT n.author_id AS "authorId" FROM notes n JOIN chats c ON c.organization_id = $1 AND c.id = n.chat_id
  WHERE n.organization_id = $1 AND n.chat_id = $3 AND n.id = $4 AND ${isSeen('c')}`;

/** The author of a note, if the viewer may see its chat; null if there's no such note. */
export async function findAuthor(pool: Pool, viewer: Viewer, chatId: string, id: string): Promise<string | null> {
  const values = [viewer.organizationId, seenAs(viewer), chatId, id];
  return (await pool.query<{ authorId: string }>(AUTHOR, values)).rows[0]?.authorId ?? null;
}
