import type { EntityManager } from 'typeorm';
import { forgetEndpoints } from '../messages/endpoint-memory.queries.js';
import { type MessageRange, tombstone } from '../messages/removed-messages.queries.js';

// Removes what belongs to removed chats and visitors. They must be locked, so that nothing is added.

const REMOVE_TEXTS_OF_MAILS = `
  UPDATE inbound_mails SET content = NULL, full_text = NULL
  WHERE organization_id = $1 AND message_id = ANY ($2) AND full_text IS NOT NULL`;

/** Turns messages into tombstones, as `tombstone` does, and removes the texts of the mails that they arrived as. */
export async function removeMessages(tx: EntityManager, range: MessageRange, isErased: boolean): Promise<void> {
  const ids = await tombstone(tx, range, isErased);
  if (ids.length > 0) await tx.query(REMOVE_TEXTS_OF_MAILS, [range.organizationId, ids]);
}

const REMOVE_EVENTS = `
  DELETE FROM deliveries WHERE organization_id = $1 AND chat_id = ANY ($2) AND event_type <> 'message.created'
    AND ($3::timestamptz IS NULL OR created_at < $3)`;

/** Removes the deliveries of events of chats or visitors, other than messages; with `before`, only older ones. */
export async function removeEvents(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
  before: Date | null = null,
): Promise<void> {
  await tx.query(REMOVE_EVENTS, [organizationId, ids, before]);
}

// An endpoint's error may repeat words of the chat. A run that isn't over notices that its turn isn't its own anymore.
const CLEAR_RUNS = `
  UPDATE bot_runs SET detail = NULL, outcome = COALESCE(outcome, 'ABORTED') WHERE organization_id = $1 AND turn_id = ANY (ARRAY(
    SELECT t.id FROM bot_turns t WHERE t.organization_id = $1 AND t.chat_id = ANY ($2)))`;
const DETACH_TURNS = `
  UPDATE bot_turns SET chat_id = NULL, run_id = NULL, leased_until = NULL, ended_at = COALESCE(ended_at, $3),
    status = CASE WHEN status IN ('WAITING', 'RUNNING') THEN 'ABORTED' ELSE status END
  WHERE organization_id = $1 AND chat_id = ANY ($2)`;

/** Takes chats from the turns of connected bots, and lets endpoints remove what they keep of them. The turns are kept for a while, because they count. */
export async function detachTurns(
  tx: EntityManager,
  organizationId: string,
  chatIds: readonly string[],
): Promise<void> {
  await forgetEndpoints(tx, organizationId, chatIds);
  await tx.query(CLEAR_RUNS, [organizationId, chatIds]);
  await tx.query(DETACH_TURNS, [organizationId, chatIds, new Date()]);
}

const REMOVE_CHAT_KEYS = `
  DELETE FROM idempotency_keys
  WHERE organization_id = $1 AND response ->> 'chatId' = ANY ($2) AND endpoint IN ('transfer', 'tags')`;

/** Removes the idempotency keys of the transfers and tags of chats. */
export async function removeChatKeys(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  await tx.query(REMOVE_CHAT_KEYS, [organizationId, chatIds]);
}
