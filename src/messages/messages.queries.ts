import type { Pool } from 'pg';
import { AWAIT_REPLICATION } from '../platform/database/replication.js';
import type { MessageRow } from './message-view.js';
import { queryOrganizations } from '../platform/database/citus/per-organization.js';

/** The most bytes of messages as JSON in one response. The first message may have more. */
export const MAX_ANSWER_BYTES = 1_000_000;
/** The bytes of a message's JSON without its content, metadata and answer. */
const FRAME_BYTES = 400;

/** The columns of a MessageRow, from `messages m`. */
export const MESSAGE_COLUMNS = `
  m.chat_id AS "chatId", m.seq, m.id, m.type, m.content, m.metadata, m.sender_type AS "senderType",
  m.sender_id AS "senderId", m.sender_name AS "senderName", m.sender_is_ai AS "senderIsAi", m.reply_to_message_id AS "replyToMessageId",
  m.reply_to_value AS "replyToValue", m.created_at AS "createdAt", m.deleted_at AS "deletedAt",
  m.files`;

const SIZE = `
  ${FRAME_BYTES} + octet_length(to_json(m.content)::text) + COALESCE(octet_length(m.metadata::text), 0)
    + COALESCE(octet_length(to_json(m.reply_to_value)::text), 0) + COALESCE(octet_length(m.files::text), 0)`;

// PostgreSQL counts the bytes, so that it sends only what fits into the response.
const readFrom = (order: 'ASC' | 'DESC') => `
  SELECT ${MESSAGE_COLUMNS} FROM (
    SELECT m.*, sum(${SIZE}) OVER (ORDER BY m.seq ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM messages m
    WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.seq BETWEEN $3 AND $4
  ) m
  WHERE COALESCE(m.before, 0) < $5
  ORDER BY m.seq`;
const READ = readFrom('ASC');
const READ_LAST = readFrom('DESC');

/** The messages of a chat from one `seq` to another. */
export interface Range {
  organizationId: string;
  chatId: string;
  firstSeq: number;
  lastSeq: number;
}

const valuesOf = ({ organizationId, chatId, firstSeq, lastSeq }: Range) => [
  organizationId,
  chatId,
  firstSeq,
  lastSeq,
  MAX_ANSWER_BYTES,
];

/** Reads the first messages of a range, in order: as many as fit into a response, at least one. */
export async function readMessages(pool: Pool, range: Range): Promise<MessageRow[]> {
  const { rows } = await pool.query<MessageRow>({ name: 'read-messages', text: READ, values: valuesOf(range) });
  return rows;
}

/** Reads the last messages of a range, in order: as many as fit into a response, at least one. */
export async function readLastMessages(pool: Pool, range: Range): Promise<MessageRow[]> {
  const { rows } = await pool.query<MessageRow>({ name: 'read-last', text: READ_LAST, values: valuesOf(range) });
  return rows;
}

/** The most deleted messages that are returned, and among how many of the latest messages they're searched. */
const MAX_DELETED = 100;
const DELETED_AMONG = 200;

const READ_DELETED = `
  SELECT ${MESSAGE_COLUMNS} FROM messages m
  WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.seq BETWEEN $3 AND $4 AND m.deleted_at IS NOT NULL
  ORDER BY m.seq DESC LIMIT ${MAX_DELETED}`;

/** Reads the deleted messages among the last 200 up to one, latest first. */
export async function readDeleted(
  pool: Pool,
  organizationId: string,
  chatId: string,
  lastSeq: number,
): Promise<MessageRow[]> {
  const values = [organizationId, chatId, lastSeq - DELETED_AMONG + 1, lastSeq];
  const { rows } = await pool.query<MessageRow>({ name: 'read-deleted', text: READ_DELETED, values });
  return rows;
}

// Reads chat by chat, in a form that PostgreSQL can't turn into a scan of the whole table.
const READ_MISSING = `
  SELECT ${MESSAGE_COLUMNS} FROM (
    SELECT m.*, sum(${SIZE}) OVER (ORDER BY k.ordinal, m.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before, k.ordinal
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::integer[])
      WITH ORDINALITY AS k (organization_id, chat_id, first, last, ordinal)
    CROSS JOIN LATERAL (
      SELECT * FROM messages m
      WHERE m.organization_id = k.organization_id AND m.chat_id = k.chat_id AND m.seq BETWEEN k.first AND k.last
      OFFSET 0
    ) m
  ) m
  WHERE COALESCE(m.before, 0) < $5
  ORDER BY m.ordinal, m.seq`;

/** The messages of a chat after one seq, up to another. */
export interface Missing {
  organizationId: string;
  chatId: string;
  afterSeq: number;
  lastSeq: number;
}

/** Reads missing messages of several chats, chat by chat, each in order: as many as fit into a response. */
export async function readMissing(pool: Pool, chats: readonly Missing[]): Promise<MessageRow[]> {
  const values = [
    chats.map(({ organizationId }) => organizationId),
    chats.map(({ chatId }) => chatId),
    chats.map(({ afterSeq }) => afterSeq + 1),
    chats.map(({ lastSeq }) => lastSeq),
    MAX_ANSWER_BYTES,
  ];
  const items = [[0, 1, 2, 3]];
  return queryOrganizations<MessageRow>(pool, { name: 'read-missing', text: READ_MISSING, values, items });
}

const FIND_SENT = `
  SELECT ${MESSAGE_COLUMNS}, ${AWAIT_REPLICATION} FROM messages m
  WHERE m.organization_id = $1 AND m.sender_id = $2 AND m.client_message_id = $3`;

/** Returns a sender's message by its `clientMessageId`, once it's replicated; null if there's none. */
export async function findSent(
  pool: Pool,
  organizationId: string,
  senderId: string,
  clientMessageId: string,
): Promise<MessageRow | null> {
  const query = { name: 'find-sent', text: FIND_SENT, values: [organizationId, senderId, clientMessageId] };
  const { rows } = await pool.query<MessageRow>(query);
  return rows[0] ?? null;
}
