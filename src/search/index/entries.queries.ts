import type { EntityManager } from 'typeorm';
import { lockWords } from '../../changes/index-words.queries.js';
import { TAGS_COLUMN } from '../../chats/reading/tags-sql.js';
import type { StoredFile } from '../../files/file.js';
import { queryNamed } from '../../platform/database/transaction.js';
import type { EntryKind } from './search-entry.entity.js';

export interface IndexedChat {
  createdAt: Date;
  /** Whether the chat is being erased or removed. Such a chat takes no messages. */
  isErased: boolean;
  visitorId: string;
  name: string | null;
  email: string | null;
  externalId: string | null;
  /** Whether its visitor is being erased. */
  isErasing: boolean;
  /** The names of its tags. */
  tags: string[] | null;
}

const READ_CHAT = `
  SELECT c.created_at AS "createdAt", c.erased_at IS NOT NULL AS "isErased", c.visitor_id AS "visitorId", ${TAGS_COLUMN}
  FROM chats c WHERE c.organization_id = $1 AND c.id = $2`;
const READ_VISITOR = `
  SELECT name, email, external_id AS "externalId", erasing_since IS NOT NULL AS "isErasing" FROM visitors
  WHERE organization_id = $1 AND id = $2`;

type ReadChat = Pick<IndexedChat, 'createdAt' | 'isErased' | 'visitorId' | 'tags'>;

/** Reads a chat and its visitor. The words of both stay locked until the transaction ends. Null if the chat was removed. */
export async function lockChat(tx: EntityManager, organizationId: string, chatId: string): Promise<IndexedChat | null> {
  const query = <Row extends object>(name: string, text: string, id: string) =>
    queryNamed<Row>(tx, { name, text, values: [organizationId, id] });
  await lockWords(tx, organizationId, [chatId]);
  const [chat] = await query<ReadChat>('search-chat', READ_CHAT, chatId);
  if (!chat) return null;
  await lockWords(tx, organizationId, [chat.visitorId]);
  const [visitor] = await query<Omit<IndexedChat, keyof ReadChat>>('search-visitor', READ_VISITOR, chat.visitorId);
  return { ...chat, ...(visitor ?? { name: null, email: null, externalId: null, isErasing: true }) };
}

export interface IndexedMessage {
  id: string;
  seq: number;
  senderType: 'VISITOR' | 'BOT' | 'AGENT' | 'SYSTEM';
  content: string;
  files: StoredFile[] | null;
  createdAt: Date;
  isDeleted: boolean;
}

const READ_MESSAGES = `
  SELECT m.id, m.seq, m.sender_type AS "senderType", m.content, m.files, m.created_at AS "createdAt",
    m.deleted_at IS NOT NULL AS "isDeleted"
  FROM messages m WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.seq > $3 ORDER BY m.seq LIMIT $4`;

/** The next messages of a chat after a `seq`. */
export function readMessages(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  afterSeq: number,
  limit: number,
): Promise<IndexedMessage[]> {
  return queryNamed(tx, {
    name: 'search-messages',
    text: READ_MESSAGES,
    values: [organizationId, chatId, afterSeq, limit],
  });
}

export interface IndexedNote {
  id: string;
  content: string;
  files: StoredFile[] | null;
  createdAt: Date;
}

const READ_NOTES = `
  SELECT n.id, n.content, n.files, n.created_at AS "createdAt" FROM notes n
  WHERE n.organization_id = $1 AND n.chat_id = $2 AND n.id > $3 ORDER BY n.id LIMIT $4`;

/** The next notes of a chat after an id. */
export function readNotes(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  after: string,
  limit: number,
): Promise<IndexedNote[]> {
  return queryNamed(tx, { name: 'search-notes', text: READ_NOTES, values: [organizationId, chatId, after, limit] });
}

/** A row to store. */
export interface NewEntry {
  id: string;
  kind: EntryKind;
  seq: number | null;
  createdAt: Date;
  words: string;
}

const STORE = `
  INSERT INTO search_entries AS e (organization_id, chat_id, id, kind, seq, created_at, words)
  SELECT $1, $2, n.id, n.kind, n.seq, n.created_at, n.words::tsvector
  FROM unnest($3::text[], $4::text[], $5::integer[], $6::timestamptz[], $7::text[]) AS n (id, kind, seq, created_at, words)
  ON CONFLICT (organization_id, id) DO UPDATE SET words = excluded.words, chat_id = excluded.chat_id
  WHERE e.words <> excluded.words OR e.chat_id <> excluded.chat_id`;

/** Stores rows of a chat, or replaces them. */
export async function storeEntries(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  entries: readonly NewEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const column = <K extends keyof NewEntry>(key: K) => entries.map((entry) => entry[key]);
  const columns = [column('id'), column('kind'), column('seq'), column('createdAt'), column('words')];
  await queryNamed(tx, { name: 'search-store', text: STORE, values: [organizationId, chatId, ...columns] });
}

const REMOVE_CHAT = 'DELETE FROM search_entries WHERE organization_id = $1 AND chat_id = $2';
const REMOVE_MESSAGES = `
  DELETE FROM search_entries
  WHERE organization_id = $1 AND chat_id = $2 AND seq > $3 AND ($4::integer IS NULL OR seq <= $4) AND id <> ALL ($5::text[])`;
const REMOVE_NOTES = `
  DELETE FROM search_entries
  WHERE organization_id = $1 AND chat_id = $2 AND kind = 'NOTE' AND id > $3 AND ($4::text IS NULL OR id <= $4)
    AND id <> ALL ($5::text[])`;
const REMOVE_VISITOR = `DELETE FROM search_entries WHERE organization_id = $1 AND chat_id = $2 AND kind = 'CHAT'`;

/**
 * Which of a chat's rows to delete: all, the one of its visitor, or the messages or notes of a range, except the ids in `besides`. A range
 * excludes its beginning and includes its end; without an end, it's open.
 */
export type Leftover =
  | 'all'
  | 'visitor'
  | { afterSeq: number; lastSeq: number | null; besides: readonly string[] }
  | { after: string; last: string | null; besides: readonly string[] };

export async function removeEntries(tx: EntityManager, organizationId: string, chatId: string, which: Leftover) {
  const ids = [organizationId, chatId];
  if (which === 'all') await queryNamed(tx, { name: 'search-remove-chat', text: REMOVE_CHAT, values: ids });
  else if (which === 'visitor')
    await queryNamed(tx, { name: 'search-remove-visitor', text: REMOVE_VISITOR, values: ids });
  else if ('afterSeq' in which) {
    const values = [...ids, which.afterSeq, which.lastSeq, which.besides];
    await queryNamed(tx, { name: 'search-remove-messages', text: REMOVE_MESSAGES, values });
  } else {
    const values = [...ids, which.after, which.last, which.besides];
    await queryNamed(tx, { name: 'search-remove-notes', text: REMOVE_NOTES, values });
  }
}

const LIST_CHATS = `
  SELECT id FROM chats WHERE organization_id = $1 AND visitor_id = $2 AND id > $3 ORDER BY id LIMIT $4`;

/** The next chats of a visitor after an id. */
export async function listChatsOf(
  tx: EntityManager,
  organizationId: string,
  visitorId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(LIST_CHATS, [organizationId, visitorId, after, limit]);
  return rows.map(({ id }) => id);
}
