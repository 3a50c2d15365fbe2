import type { EntityManager } from 'typeorm';

// Removes what belongs to removed chats. They must be locked, so that nothing is added.

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

const REMOVE_TRANSFER_KEYS = `
  DELETE FROM idempotency_keys
  WHERE organization_id = $1 AND response ->> 'chatId' = ANY ($2) AND endpoint = 'transfer'`;

/** Removes the idempotency keys of the transfers of chats. */
export async function removeTransferKeys(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  await tx.query(REMOVE_TRANSFER_KEYS, [organizationId, chatIds]);
}
