import type { Pool, PoolClient } from 'pg';
import { removeWords } from '../../changes/index-words.queries.js';
import type { StoredFile } from '../../files/file.js';
import { isSeen, seenAs, type Viewer } from '../../chats/model/chat-rights.js';
import { isDistributed } from '../../platform/database/citus/per-organization.js';

export interface StoredNote {
  id: string;
  content: string;
  authorId: string;
  authorName: string;
  afterSeq: number;
  createdAt: Date;
  editedAt: Date | null;
  mentions: { id: string; name: string }[];
  files: StoredFile[] | null;
}

// With the names of now. An agent who was deleted is no longer mentioned.
const MENTIONS = `
  COALESCE((SELECT json_agg(json_build_object('id', a.id, 'name', a.name) ORDER BY a.id) FROM note_mentions t
    JOIN agents a ON a.organization_id = t.organization_id AND a.id = t.agent_id
    WHERE t.organization_id = $1 AND t.chat_id = n.chat_id AND t.note_id = n.id), '[]')`;

/** The columns of a StoredNote, from `notes n`. */
export const NOTE_COLUMNS = `
  n.id, n.content, n.author_id AS "authorId", n.author_name AS "authorName", n.after_seq AS "afterSeq",
  n.created_at AS "createdAt", n.edited_at AS "editedAt", ${MENTIONS} AS mentions, n.files`;

const LIST = `
  SELECT ${NOTE_COLUMNS} FROM notes n
  WHERE n.organization_id = $1 AND n.chat_id = $2 AND n.id > $3 ORDER BY n.id LIMIT $4`;

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
  /** The ids of agents who may see the chat. */
  mentions: readonly string[];
}

// The lock makes erasing the visitor wait, so that it finds the note. An agent who is deleted now is left out: the lock makes
// the deletion wait, or shows that it's done.
const LOCK_CHAT = `
    SELECT c.id, c.message_count FROM chats c
    WHERE c.organization_id = $1 AND c.id = $3 AND ${isSeen('c')}
    FOR NO KEY UPDATE OF c`;
const INTO_NOTES = `
    INSERT INTO notes (organization_id, chat_id, id, content, author_id, author_name, after_seq, created_at)`;
const INTO_MENTIONS = `
    INSERT INTO note_mentions (organization_id, agent_id, note_id, chat_id)`;
const INSERT = `
  WITH chat AS MATERIALIZED (${LOCK_CHAT}
  ), mentioned AS MATERIALIZED (
    SELECT id FROM agents WHERE organization_id = $1 AND id = ANY ($9::text[]) ORDER BY id FOR KEY SHARE
  ), note AS (${INTO_NOTES}
    SELECT $1, chat.id, $4, $5, $6, $7, chat.message_count, $8::timestamptz FROM chat
    RETURNING chat_id, id, after_seq
  ), mention AS (${INTO_MENTIONS}
    SELECT $1, mentioned.id, note.id, note.chat_id FROM note CROSS JOIN mentioned
  ), changed AS (
    UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = $3 AND EXISTS (SELECT FROM chat)
  )
  SELECT after_seq AS "afterSeq" FROM note`;

// A Citus cluster sends what an INSERT reads from WITH to all workers, so it fails while one of them is down.
const INSERT_NOTE = `${INTO_NOTES} VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const LOCK_MENTIONED = `
  SELECT id FROM agents WHERE organization_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE`;
const INSERT_MENTIONS = `${INTO_MENTIONS}
    SELECT $1, m.agent_id, $2, $3 FROM unnest($4::text[]) AS m (agent_id)
    ON CONFLICT (organization_id, agent_id, note_id) DO NOTHING`;
const LEAVE_OUT = `
  DELETE FROM note_mentions WHERE organization_id = $1 AND note_id = $2 AND chat_id = $3 AND agent_id <> ALL ($4::text[])`;
const COUNT_CHANGE = 'UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = $2';

async function insertMentions(
  client: PoolClient,
  organizationId: string,
  chatId: string,
  { id, mentions }: { id: string; mentions: readonly string[] },
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(LOCK_MENTIONED, [organizationId, mentions]);
  await client.query(INSERT_MENTIONS, [organizationId, id, chatId, rows.map((agent) => agent.id)]);
}

async function insertOnCluster(client: PoolClient, viewer: Viewer, chatId: string, note: NewNote): Promise<boolean> {
  const { organizationId } = viewer;
  const locked = await client.query<{ message_count: number }>(LOCK_CHAT, [organizationId, seenAs(viewer), chatId]);
  const [chat] = locked.rows;
  if (!chat) return false;
  const { id, content, author, createdAt } = note;
  const values = [organizationId, chatId, id, content, author.id, author.name, chat.message_count, createdAt];
  await client.query(INSERT_NOTE, values);
  await insertMentions(client, organizationId, chatId, note);
  await client.query(COUNT_CHANGE, [organizationId, chatId]);
  return true;
}

/** Stores a note and raises the chat's `rev`, in the transaction of `client`. Returns whether the viewer may see the chat. */
export async function insertNote(
  pool: Pool,
  client: PoolClient,
  viewer: Viewer,
  chatId: string,
  newNote: NewNote,
): Promise<boolean> {
  if (isDistributed(pool)) return insertOnCluster(client, viewer, chatId, newNote);
  const { id, content, author, createdAt, mentions } = newNote;
  const note = [id, content, author.id, author.name, createdAt, mentions];
  const { rows } = await client.query(INSERT, [viewer.organizationId, seenAs(viewer), chatId, ...note]);
  return rows.length > 0;
}

// Only the author's own note of a chat that the viewer may see. The chat is locked first, as when a note is added.
const changeOwn = (change: string, more = '') => `
  WITH chat AS MATERIALIZED (
    SELECT c.id FROM chats c WHERE c.organization_id = $1 AND c.id = $3 AND ${isSeen('c')}
    FOR NO KEY UPDATE OF c
  ), note AS (
    ${change} WHERE organization_id = $1 AND chat_id IN (SELECT id FROM chat) AND id = $4 AND author_id = $5
    RETURNING chat_id, id
  ), ${more} changed AS (
    UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = $3 AND EXISTS (SELECT FROM note)
  )
  SELECT FROM note`;

// Agents who are still mentioned keep what they have seen. No agent is equal to NULL or differs from it, so that NULL changes no mentions.
const CHANGE_CONTENT = 'UPDATE notes SET content = COALESCE($6, content), edited_at = $7';
const EDIT_ON_CLUSTER = changeOwn(CHANGE_CONTENT);
const EDIT = changeOwn(
  CHANGE_CONTENT,
  `mentioned AS MATERIALIZED (
    SELECT id FROM agents WHERE organization_id = $1 AND id = ANY ($8::text[]) ORDER BY id FOR KEY SHARE
  ), left_out AS (
    DELETE FROM note_mentions WHERE organization_id = $1 AND chat_id = $3 AND note_id IN (SELECT id FROM note)
      AND agent_id <> ALL ($8::text[])
  ), mention AS (${INTO_MENTIONS}
    SELECT $1, mentioned.id, note.id, note.chat_id FROM note CROSS JOIN mentioned
    ON CONFLICT (organization_id, agent_id, note_id) DO NOTHING
  ),`,
);
const DELETE = changeOwn('DELETE FROM notes');

interface NoteChange {
  id: string;
  /** Null: it stays. */
  content: string | null;
  editedAt: Date;
  /** Null: they stay. */
  mentions: readonly string[] | null;
}

/** Changes the viewer's own note and raises the chat's `rev`, in the transaction of `client`. Returns whether there was one. */
export async function editNote(
  pool: Pool,
  client: PoolClient,
  viewer: Viewer,
  chatId: string,
  noteChange: NoteChange,
): Promise<boolean> {
  const { id, content, editedAt, mentions } = noteChange;
  const { organizationId } = viewer;
  const own = [organizationId, seenAs(viewer), chatId, id, viewer.agentId, content, editedAt];
  if (!isDistributed(pool)) return (await client.query(EDIT, [...own, mentions])).rows.length > 0;
  if ((await client.query(EDIT_ON_CLUSTER, own)).rows.length === 0) return false;
  if (!mentions) return true;
  await client.query(LEAVE_OUT, [organizationId, id, chatId, mentions]);
  await insertMentions(client, organizationId, chatId, { id, mentions });
  return true;
}

/** Deletes the viewer's own note and raises the chat's `rev`, in the transaction of `client`. Returns whether there was one. */
export async function deleteNote(client: PoolClient, viewer: Viewer, chatId: string, id: string): Promise<boolean> {
  const values = [viewer.organizationId, seenAs(viewer), chatId, id, viewer.agentId];
  const isDeleted = (await client.query(DELETE, values)).rows.length > 0;
  if (isDeleted) await removeWords(client, viewer.organizationId, { chatIds: [chatId], ids: [id] });
  return isDeleted;
}

const ONE = `
  SELECT ${NOTE_COLUMNS} FROM notes n JOIN chats c ON c.organization_id = $1 AND c.id = n.chat_id
  WHERE n.organization_id = $1 AND n.chat_id = $3 AND n.id = $4 AND ${isSeen('c')}`;

/** A note of a chat that the viewer may see; null if there's no such note. */
export async function findNote(pool: Pool, viewer: Viewer, chatId: string, id: string): Promise<StoredNote | null> {
  const values = [viewer.organizationId, seenAs(viewer), chatId, id];
  return (await pool.query<StoredNote>(ONE, values)).rows[0] ?? null;
}
