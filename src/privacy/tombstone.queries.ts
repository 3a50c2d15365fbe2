import type { EntityManager } from 'typeorm';
import { removeDeliveries, removeKeys, type RemovedMessage } from './removal.queries.js';

// A tombstone keeps its id, place, time and kind of sender, and names no visitor. While its visitor exists it keeps the
// name that the client gave it, so that a client which comes back late does not say it twice.
const BURY = `
  UPDATE messages SET
    type = 'TEXT', content = '', metadata = NULL, reply_to_message_id = NULL, reply_to_value = NULL,
    sender_name = CASE WHEN sender_type = 'VISITOR' THEN NULL ELSE sender_name END,
    sender_id = CASE WHEN sender_type = 'VISITOR' AND $5 THEN NULL ELSE sender_id END,
    client_message_id = CASE WHEN $5 THEN NULL ELSE client_message_id END,
    deleted_at = COALESCE(deleted_at, $6)
  WHERE organization_id = $1 AND chat_id = $2 AND seq > $3 AND seq <= $4
  RETURNING id, created_at AS "createdAt"`;

/** Messages of a chat, after one seq and up to another. */
export interface Stretch {
  organizationId: string;
  chatId: string;
  afterSeq: number;
  lastSeq: number;
}

/**
 * Makes messages tombstones, and removes what goes with them, inside the transaction of `tx`, which holds their chat.
 * @param isErased whether nothing may be left that leads to their visitor
 */
export async function tombstone(
  tx: EntityManager,
  { organizationId, chatId, afterSeq, lastSeq }: Stretch,
  isErased: boolean,
) {
  const values = [organizationId, chatId, afterSeq, lastSeq, isErased, new Date()];
  const [messages] = (await tx.query(BURY, values)) as [RemovedMessage[], number];
  const ids = messages.map(({ id }) => id);
  await removeDeliveries(tx, organizationId, ids);
  await removeKeys(tx, organizationId, messages);
}
