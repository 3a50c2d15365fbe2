import type { EntityManager } from 'typeorm';

// Every statement that locks several visitors locks them in the order of their ids, to prevent deadlocks.
const LOCK_VISITORS = `
  SELECT id, external_id IS NULL AS "isAnonymous" FROM visitors
  WHERE organization_id = $1 AND id = ANY ($2) AND erasing_since IS NULL ORDER BY id FOR NO KEY UPDATE`;

/** Whether `from` is anonymous and differs from `to`. Locks both until the end of the transaction. */
export async function lockToMerge(
  tx: EntityManager,
  organizationId: string,
  from: string,
  to: string,
): Promise<boolean> {
  const rows: { id: string; isAnonymous: boolean }[] = await tx.query(LOCK_VISITORS, [organizationId, [from, to]]);
  return rows.length === 2 && rows.some(({ id, isAnonymous }) => id === from && isAnonymous);
}

const LOCK_CHATS = `
  SELECT id FROM chats WHERE organization_id = $1 AND visitor_id = $2 AND status IN ('ACTIVE', 'QUEUED')
  ORDER BY id FOR NO KEY UPDATE`;

const MOVE_CHATS = `UPDATE chats SET visitor_id = $3, rev = rev + 1 WHERE organization_id = $1 AND id = ANY ($2)`;

// Every message gets the signed name. A message keeps its sender if the other visitor has used the same clientMessageId,
// because sender and clientMessageId must be unique together.
const MOVE_MESSAGES = `
  UPDATE messages m SET
    sender_id = CASE WHEN EXISTS (SELECT FROM messages o
      WHERE o.organization_id = $1 AND o.sender_id = $4 AND o.client_message_id = m.client_message_id) THEN $3 ELSE $4 END,
    sender_name = (SELECT v.name FROM visitors v WHERE v.organization_id = $1 AND v.id = $4)
  WHERE m.organization_id = $1 AND m.chat_id = ANY ($2) AND m.sender_type = 'VISITOR' AND m.sender_id = $3`;

// Uploads that no message has go with their chat.
const MOVE_UPLOADS = `
  UPDATE files SET sender_id = $4
  WHERE organization_id = $1 AND chat_id = ANY ($2) AND sender_type = 'VISITOR' AND sender_id = $3`;

// Removes the name, email, metadata, and attributes of a visitor without chats: that visitor is now the other person.
const FORGET = `
  UPDATE visitors v SET name = NULL, email = NULL, verified_email = NULL, metadata = NULL, attributes = NULL, attributes_at = NULL
  WHERE v.organization_id = $1 AND v.id = $2
    AND NOT EXISTS (SELECT FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = $2)
  RETURNING v.id`;

// Erasing the other person then removes the events of this one too.
const MOVE_EVENTS = `
  UPDATE deliveries SET chat_id = $3 WHERE organization_id = $1 AND chat_id = $2 AND event_type <> 'message.created'`;

/**
 * Moves a visitor's open chats, with their messages, to another visitor. Returns the ids of the chats. It waits for messages
 * that are being stored. Later messages of the old visitor are refused, because the chat is no longer theirs.
 */
export async function moveOpenChats(
  tx: EntityManager,
  organizationId: string,
  from: string,
  to: string,
): Promise<string[]> {
  const chats: { id: string }[] = await tx.query(LOCK_CHATS, [organizationId, from]);
  const ids = chats.map(({ id }) => id);
  if (ids.length > 0) {
    await tx.query(MOVE_CHATS, [organizationId, ids, to]);
    await tx.query(MOVE_UPLOADS, [organizationId, ids, from, to]);
    await tx.query(MOVE_MESSAGES, [organizationId, ids, from, to]);
  }
  const [forgotten]: [unknown[], number] = await tx.query(FORGET, [organizationId, from]);
  if (forgotten.length > 0) await tx.query(MOVE_EVENTS, [organizationId, from, to]);
  return ids;
}
