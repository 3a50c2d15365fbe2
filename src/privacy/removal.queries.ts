import type { EntityManager } from 'typeorm';

// What goes with messages when they are removed: what is to be delivered of them, and the keys of the requests that sent
// them. Each is found by what it shares with its message, so the statement that stores messages keeps no index for it. All of it
// is called while the messages' chats are locked: nothing new can come.

/** A message that has been removed, or is a tombstone now. */
export interface RemovedMessage {
  id: string;
  createdAt: Date;
}

// Hops from one webhook that has deliveries to the next, deleted ones included.
const FIND_WEBHOOKS = `
  WITH RECURSIVE lane AS (
    (SELECT webhook_id FROM deliveries WHERE organization_id = $1 ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT next.webhook_id FROM lane CROSS JOIN LATERAL (
      SELECT d.webhook_id FROM deliveries d WHERE d.organization_id = $1 AND d.webhook_id > lane.webhook_id
      ORDER BY d.webhook_id LIMIT 1) next
  )
  SELECT webhook_id AS "webhookId" FROM lane`;

// A delivery's id ends as that of its message does.
const REMOVE_DELIVERIES = `
  DELETE FROM deliveries WHERE organization_id = $1 AND webhook_id = $2 AND id = ANY (ARRAY(
    SELECT 'dlv' || substr(id, 4) FROM unnest($3::text[]) AS id))`;

/** Removes what is, or was, to be delivered of messages, with every attempt at it; also what is still waiting. */
export async function removeDeliveries(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const webhooks: { webhookId: string }[] = await tx.query(FIND_WEBHOOKS, [organizationId]);
  // One at a time: there may be fifty, and no statement may take long.
  for (const { webhookId } of webhooks) await tx.query(REMOVE_DELIVERIES, [organizationId, webhookId, ids]);
}

const REMOVE_CHAT_EVENTS = `
  DELETE FROM deliveries WHERE organization_id = $1 AND chat_id = ANY ($2) AND event_type <> 'message.created'
    AND ($3::timestamptz IS NULL OR created_at < $3)`;

/** Removes the deliveries of what happened to chats, before a time when one is given. */
export async function removeChatEvents(
  tx: EntityManager,
  organizationId: string,
  chatIds: readonly string[],
  before: Date | null = null,
): Promise<void> {
  await tx.query(REMOVE_CHAT_EVENTS, [organizationId, chatIds, before]);
}

// A message and its key are of the same millisecond.
const REMOVE_KEYS = `
  DELETE FROM idempotency_keys
  WHERE created_at = ANY ($2::timestamptz[]) AND organization_id || '' = $1 AND endpoint || '' = 'messages'
    AND response ->> 'id' = ANY ($3)`;

/** Frees the keys of the requests that sent messages. */
export async function removeKeys(tx: EntityManager, organizationId: string, messages: readonly RemovedMessage[]) {
  if (messages.length === 0) return;
  const times = [...new Set(messages.map(({ createdAt }) => createdAt.toISOString()))];
  await tx.query(REMOVE_KEYS, [organizationId, times, messages.map(({ id }) => id)]);
}

const REMOVE_TRANSFER_KEYS = `
  DELETE FROM idempotency_keys
  WHERE organization_id = $1 AND response ->> 'chatId' = ANY ($2) AND endpoint = 'transfer'`;

/** Frees the keys of the transfers of chats. */
export async function removeTransferKeys(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  await tx.query(REMOVE_TRANSFER_KEYS, [organizationId, chatIds]);
}
