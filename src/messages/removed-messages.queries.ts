import type { EntityManager } from 'typeorm';
import { removeWords } from '../changes/index-words.queries.js';
import { removeFiles } from '../files/removals.queries.js';
import type { Sender } from './message.js';
import type { MessageRow } from './message-view.js';
import { MESSAGE_COLUMNS } from './messages.queries.js';
import { forgetEndpoints } from './endpoint-memory.queries.js';

// Removes what belongs to removed messages: their deliveries, and the idempotency keys of the requests that sent them. Both are found
// by values that they share with their message, so that storing a message doesn't have to maintain an index for this. The messages'
// chats must be locked, so that nothing is added.

/** A message that was removed or turned into a tombstone. */
export interface RemovedMessage {
  id: string;
  createdAt: Date;
}

// Finds the receivers that have deliveries, including deleted ones, by a loose index scan.
const FIND_RECEIVERS = `
  WITH RECURSIVE lane AS (
    (SELECT receiver_id FROM deliveries WHERE organization_id = $1 ORDER BY receiver_id LIMIT 1)
    UNION ALL
    SELECT next.receiver_id FROM lane CROSS JOIN LATERAL (
      SELECT d.receiver_id FROM deliveries d WHERE d.organization_id = $1 AND d.receiver_id > lane.receiver_id
      ORDER BY d.receiver_id LIMIT 1) next
  )
  SELECT receiver_id AS "receiverId" FROM lane`;

// A delivery's id has the same suffix as the id of its message.
const REMOVE_DELIVERIES = `
  DELETE FROM deliveries WHERE organization_id = $1 AND receiver_id = $2 AND id = ANY (ARRAY(
    SELECT 'dlv' || substr(id, 4) FROM unnest($3::text[]) AS id))`;

/** Removes the deliveries of messages with their attempts, including waiting deliveries. */
export async function removeDeliveries(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const receivers: { receiverId: string }[] = await tx.query(FIND_RECEIVERS, [organizationId]);
  // One receiver per statement: there may be 50 of each kind, and no statement may take long.
  for (const { receiverId } of receivers) await tx.query(REMOVE_DELIVERIES, [organizationId, receiverId, ids]);
}

// A message and its key have the same creation time, to the millisecond.
const REMOVE_KEYS = `
  DELETE FROM idempotency_keys
  WHERE created_at = ANY ($2::timestamptz[]) AND organization_id || '' = $1 AND endpoint || '' = 'messages'
    AND response ->> 'id' = ANY ($3)`;

/** Removes the idempotency keys of the requests that sent messages. */
export async function removeKeys(tx: EntityManager, organizationId: string, messages: readonly RemovedMessage[]) {
  if (messages.length === 0) return;
  const times = [...new Set(messages.map(({ createdAt }) => createdAt.toISOString()))];
  await tx.query(REMOVE_KEYS, [organizationId, times, messages.map(({ id }) => id)]);
}

// A tombstone keeps its id, position, time, and kind of sender, and doesn't contain the visitor. While the visitor exists, it keeps its
// client message id, so that a client that reconnects late doesn't send the message twice.
const MAKE_TOMBSTONES = `
  UPDATE messages SET
    type = 'TEXT', content = '', metadata = NULL, files = NULL, reply_to_message_id = NULL, reply_to_value = NULL,
    sender_name = CASE WHEN sender_type = 'VISITOR' THEN NULL ELSE sender_name END,
    sender_id = CASE WHEN sender_type = 'VISITOR' AND $5 THEN NULL ELSE sender_id END,
    client_message_id = CASE WHEN $5 THEN NULL ELSE client_message_id END,
    deleted_at = COALESCE(deleted_at, $6)
  WHERE organization_id = $1 AND chat_id = $2 AND seq > $3 AND seq <= $4
  RETURNING id, created_at AS "createdAt"`;

const REMOVE_RATINGS = `
  DELETE FROM message_ratings WHERE organization_id = $1 AND chat_id = $2 AND seq > $3 AND seq <= $4`;

/** The messages of a chat after one seq and up to another. */
export interface MessageRange {
  organizationId: string;
  chatId: string;
  afterSeq: number;
  lastSeq: number;
}

/**
 * Turns messages into tombstones and removes their ratings, deliveries, and keys, in the transaction `tx`, which has locked their chat.
 * Returns the ids of the messages.
 * @param isErased whether to also remove every reference to their visitor
 */
export async function tombstone(
  tx: EntityManager,
  { organizationId, chatId, afterSeq, lastSeq }: MessageRange,
  isErased: boolean,
): Promise<string[]> {
  const values = [organizationId, chatId, afterSeq, lastSeq, isErased, new Date()];
  const [messages] = (await tx.query(MAKE_TOMBSTONES, values)) as [RemovedMessage[], number];
  const ids = messages.map(({ id }) => id);
  await removeFiles(tx, organizationId, { usedBy: ids, chatId });
  await tx.query(REMOVE_RATINGS, [organizationId, chatId, afterSeq, lastSeq]);
  await removeWords(tx, organizationId, { chatIds: [chatId], afterSeq, lastSeq });
  await forgetEndpoints(tx, organizationId, [chatId]);
  await removeDeliveries(tx, organizationId, ids);
  await removeKeys(tx, organizationId, messages);
  return ids;
}

const TOMBSTONE_ONE = `
  UPDATE messages m SET type = 'TEXT', content = '', metadata = NULL, files = NULL, reply_to_message_id = NULL,
    reply_to_value = NULL, deleted_at = statement_timestamp()
  WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.seq = $3 AND m.deleted_at IS NULL
  RETURNING ${MESSAGE_COLUMNS}`;

/** Does the same for one message, and returns it; null if it's a tombstone already. */
export async function tombstoneOne(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  seq: number,
): Promise<MessageRow | null> {
  const [[message]] = (await tx.query(TOMBSTONE_ONE, [organizationId, chatId, seq])) as [MessageRow[], number];
  if (!message) return null;
  await removeWords(tx, organizationId, { chatIds: [chatId], ids: [message.id] });
  await forgetEndpoints(tx, organizationId, [chatId]);
  await removeDeliveries(tx, organizationId, [message.id]);
  await removeKeys(tx, organizationId, [message]);
  return message;
}

const FIND_SENDER = `
  SELECT sender_type AS type, sender_id AS id FROM messages WHERE organization_id = $1 AND chat_id = $2 AND seq = $3`;

/** The sender of a message; null for an unknown one. */
export async function findSender(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  seq: number,
): Promise<Pick<Sender, 'type' | 'id'> | null> {
  const rows: Pick<Sender, 'type' | 'id'>[] = await tx.query(FIND_SENDER, [organizationId, chatId, seq]);
  return rows[0] ?? null;
}
