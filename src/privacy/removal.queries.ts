import type { EntityManager } from 'typeorm';

// Removes what belongs to removed messages: their deliveries, and the idempotency keys of the requests that sent them. Both are found
// by values that they share with their message, so that storing a message doesn't have to maintain an index for this. The messages'
// chats must be locked, so that nothing is added.

/** A message that was removed or turned into a tombstone. */
export interface RemovedMessage {
  id: string;
  createdAt: Date;
}

// Finds the webhooks that have deliveries, including deleted webhooks, by a loose index scan.
const FIND_WEBHOOKS = `
  WITH RECURSIVE lane AS (
    (SELECT webhook_id FROM deliveries WHERE organization_id = $1 ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT next.webhook_id FROM lane CROSS JOIN LATERAL (
      SELECT d.webhook_id FROM deliveries d WHERE d.organization_id = $1 AND d.webhook_id > lane.webhook_id
      ORDER BY d.webhook_id LIMIT 1) next
  )
  SELECT webhook_id AS "webhookId" FROM lane`;

// A delivery's id has the same suffix as the id of its message.
const REMOVE_DELIVERIES = `
  DELETE FROM deliveries WHERE organization_id = $1 AND webhook_id = $2 AND id = ANY (ARRAY(
    SELECT 'dlv' || substr(id, 4) FROM unnest($3::text[]) AS id))`;

/** Removes the deliveries of messages with their attempts, including waiting deliveries. */
export async function removeDeliveries(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const webhooks: { webhookId: string }[] = await tx.query(FIND_WEBHOOKS, [organizationId]);
  // One webhook per statement: there may be 50, and no statement may take long.
  for (const { webhookId } of webhooks) await tx.query(REMOVE_DELIVERIES, [organizationId, webhookId, ids]);
}

const REMOVE_CHAT_EVENTS = `
  DELETE FROM deliveries WHERE organization_id = $1 AND chat_id = ANY ($2) AND event_type <> 'message.created'
    AND ($3::timestamptz IS NULL OR created_at < $3)`;

/** Removes the deliveries of chat events; with `before`, only older ones. */
export async function removeChatEvents(
  tx: EntityManager,
  organizationId: string,
  chatIds: readonly string[],
  before: Date | null = null,
): Promise<void> {
  await tx.query(REMOVE_CHAT_EVENTS, [organizationId, chatIds, before]);
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

const REMOVE_TRANSFER_KEYS = `
  DELETE FROM idempotency_keys
  WHERE organization_id = $1 AND response ->> 'chatId' = ANY ($2) AND endpoint = 'transfer'`;

/** Removes the idempotency keys of the transfers of chats. */
export async function removeTransferKeys(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  await tx.query(REMOVE_TRANSFER_KEYS, [organizationId, chatIds]);
}
