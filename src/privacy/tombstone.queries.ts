import type { EntityManager } from 'typeorm';
import { removeDeliveries, removeKeys, type RemovedMessage } from './removal.queries.js';

// A tombstone keeps its id, position, time, and kind of sender, and doesn't contain the visitor. While the visitor exists, it keeps its
// client message id, so that a client that reconnects late doesn't send the message twice.
const MAKE_TOMBSTONES = `
  UPDATE messages SET
    type = 'TEXT', content = '', metadata = NULL, reply_to_message_id = NULL, reply_to_value = NULL,
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
 * @param isErased whether to also remove every reference to their visitor
 */
export async function tombstone(
  tx: EntityManager,
  { organizationId, chatId, afterSeq, lastSeq }: MessageRange,
  isErased: boolean,
) {
  const values = [organizationId, chatId, afterSeq, lastSeq, isErased, new Date()];
  const [messages] = (await tx.query(MAKE_TOMBSTONES, values)) as [RemovedMessage[], number];
  const ids = messages.map(({ id }) => id);
  await tx.query(REMOVE_RATINGS, [organizationId, chatId, afterSeq, lastSeq]);
  await removeDeliveries(tx, organizationId, ids);
  await removeKeys(tx, organizationId, messages);
}
