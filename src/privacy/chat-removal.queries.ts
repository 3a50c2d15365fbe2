import type { EntityManager } from 'typeorm';
import { ARCHIVED_FOR_GOOD } from '../chats/moves/chat-transitions.queries.js';
import { removeWords } from '../changes/index-words.queries.js';
import { removeFiles } from '../files/removals.queries.js';
import { removeDeliveries, removeKeys, type RemovedMessage } from '../messages/removed-messages.queries.js';
import { detachTurns, removeEvents, removeChatKeys } from './removal.queries.js';

/** The most messages that a transaction removes. A chat with more loses its latest first, so that its seqs stay 1..N. */
const MAX_MESSAGES = 1_000;
/** The most chats that a transaction removes. */
export const MAX_CHATS = 100;

// Skips chats that another transaction is removing. A chat that got a new message is no longer old, and stays.
const LOCK_CHATS = `
  SELECT id, message_count AS "messageCount" FROM chats
  WHERE organization_id = $1 AND id = ANY ($2) AND ($3::timestamptz IS NULL OR COALESCE(last_message_at, created_at) < $3)
    AND ($4::text[] IS NULL OR (visitor_id = ANY ($4) AND agent_id IS NULL AND status_changed_at < $3))
  ORDER BY id FOR UPDATE SKIP LOCKED`;

const REMOVE_MESSAGES = `
  DELETE FROM messages WHERE organization_id = $1 AND chat_id = ANY ($2) AND seq > $3
  RETURNING id, created_at AS "createdAt"`;

// Closes the chat to new messages, because none may reuse the seq of a removed one. Archives it too, because otherwise it would stay
// its visitor's open chat, where they couldn't write until it's removed, or ever if retention is turned off before. Sets deleted_seq
// to 0, so that the tombstones from retention are still erased with their visitor.
const TRUNCATE_CHAT = `
  UPDATE chats SET message_count = $3, erased_at = least(erased_at, now()), ${ARCHIVED_FOR_GOOD},
    deleted_seq = CASE WHEN erased_at IS NULL THEN 0 ELSE least(deleted_seq, $3) END
  WHERE organization_id = $1 AND id = $2`;

const REMOVE_CHATS = `DELETE FROM chats WHERE organization_id = $1 AND id = ANY ($2)`;

interface ChatSize {
  id: string;
  messageCount: number;
}

/**
 * Removes some of these chats with their contents, in the transaction `tx`: chats without messages since `before`, or all if it's
 * null. With `ofVisitors`, only chats that still belong to these visitors and have no agent. Returns the removed chats, the number of removed
 * messages, and whether there may be more to remove.
 * @param beforeRemoving called with the chats that are removed or lose messages, while they're locked
 */
export async function removeChats(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
  before: Date | null,
  ofVisitors: readonly string[] | null,
  beforeRemoving: (chatIds: readonly string[]) => Promise<void>,
): Promise<{ removed: string[]; messages: number; hasMore: boolean }> {
  const chats: ChatSize[] = await tx.query(LOCK_CHATS, [organizationId, ids, before, ofVisitors]);
  const [first] = chats;
  if (!first) return { removed: [], messages: 0, hasMore: false };
  if (first.messageCount > MAX_MESSAGES) {
    await beforeRemoving([first.id]);
    const left = first.messageCount - MAX_MESSAGES;
    const messages = await removeMessages(tx, organizationId, [first.id], left, first.id);
    await tx.query(TRUNCATE_CHAT, [organizationId, first.id, left]);
    await removeWords(tx, organizationId, { chatIds: [first.id], afterSeq: left });
    return { removed: [], messages, hasMore: true };
  }
  const removed = firstFitting(chats);
  await beforeRemoving(removed);
  const messages = await removeMessages(tx, organizationId, removed, 0);
  await removeFiles(tx, organizationId, { ofChats: removed });
  await removeEvents(tx, organizationId, removed);
  await removeChatKeys(tx, organizationId, removed);
  await detachTurns(tx, organizationId, removed);
  await tx.query(REMOVE_CHATS, [organizationId, removed]);
  await removeWords(tx, organizationId, { chatIds: removed });
  return { removed, messages, hasMore: removed.length < chats.length };
}

function firstFitting(chats: readonly ChatSize[]): string[] {
  let size = 0;
  return chats.filter(({ messageCount }) => (size += messageCount) <= MAX_MESSAGES).map(({ id }) => id);
}

async function removeMessages(
  tx: EntityManager,
  organizationId: string,
  chatIds: readonly string[],
  afterSeq: number,
  keptChat?: string,
) {
  const [messages] = (await tx.query(REMOVE_MESSAGES, [organizationId, chatIds, afterSeq])) as [
    RemovedMessage[],
    number,
  ];
  const ids = messages.map(({ id }) => id);
  await removeDeliveries(tx, organizationId, ids);
  await removeKeys(tx, organizationId, messages);
  if (keptChat !== undefined) await removeFiles(tx, organizationId, { usedBy: ids, chatId: keptChat });
  return ids.length;
}
