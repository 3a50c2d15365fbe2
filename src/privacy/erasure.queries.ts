import type { EntityManager } from 'typeorm';
import { ARCHIVED_FOR_GOOD } from '../chats/chat-transitions.queries.js';
import { newId } from '../platform/lib/ids.js';
import { removeChatEvents, removeTransferKeys } from './removal.queries.js';
import { tombstone } from './tombstone.queries.js';

/** The most messages that a transaction makes tombstones. */
const BATCH = 250;

// From here on the token is dead, nothing can be begun, and events of webhooks name nobody.
const MARK = `
  UPDATE visitors SET name = NULL, email = NULL, metadata = NULL, external_id = NULL, signed_at = NULL,
    erasing_since = COALESCE(erasing_since, $3)
  WHERE organization_id = $1 AND id = $2 AND external_id IS DISTINCT FROM ''`;

/** Begins to erase a visitor; false when there is none. */
export async function markErasing(manager: EntityManager, organizationId: string, visitorId: string): Promise<boolean> {
  const [, count] = (await manager.query(MARK, [organizationId, visitorId, new Date()])) as [unknown, number];
  return count > 0;
}

const INSERT_NOBODY = `
  INSERT INTO visitors (organization_id, id, external_id, created_at) VALUES ($1, $2, '', $3)
  ON CONFLICT (organization_id, external_id) DO NOTHING`;
const FIND_NOBODY = `SELECT id FROM visitors WHERE organization_id = $1 AND external_id = ''`;

/** The nobody to whom the chats of the organization's erased visitors belong. */
export async function findNobody(manager: EntityManager, organizationId: string): Promise<string> {
  const find = (): Promise<{ id: string }[]> => manager.query(FIND_NOBODY, [organizationId]);
  const [found] = await find();
  if (found) return found.id;
  await manager.query(INSERT_NOBODY, [organizationId, newId('vis'), new Date()]);
  return (await find())[0]!.id;
}

interface ErasedChat {
  id: string;
  messageCount: number;
  deletedSeq: number;
  erasedAt: Date | null;
}

// What is being said is waited for; what comes later finds that the chat takes no more.
const LOCK_NEXT = `
  SELECT id, message_count AS "messageCount", deleted_seq AS "deletedSeq", erased_at AS "erasedAt" FROM chats
  WHERE organization_id = $1 AND visitor_id = $2 ORDER BY id LIMIT 1 FOR NO KEY UPDATE`;

const EMPTY = `metadata = NULL, ${ARCHIVED_FOR_GOOD}`;
const CLOSE = `UPDATE chats SET erased_at = $3, deleted_seq = 0, ${EMPTY} WHERE organization_id = $1 AND id = $2`;

const ADVANCE = `UPDATE chats SET deleted_seq = $3 WHERE organization_id = $1 AND id = $2`;
const GIVE_AWAY = `
  UPDATE chats SET deleted_seq = $3, visitor_id = $4, ${EMPTY} WHERE organization_id = $1 AND id = $2`;
const REMOVE_READS = `DELETE FROM chat_reads WHERE organization_id = $1 AND chat_id = $2`;

/**
 * One step of erasing what was said in a visitor's chats, inside the transaction of `tx`; false when none is left. A chat
 * belongs to nobody once all of it is erased, so those that are the visitor's still are what is left to do.
 */
export async function eraseStep(tx: EntityManager, organizationId: string, visitorId: string, nobodyId: string) {
  const [chat]: ErasedChat[] = await tx.query(LOCK_NEXT, [organizationId, visitorId]);
  if (!chat) return false;
  const chatId = chat.id;
  if (chat.erasedAt === null) await tx.query(CLOSE, [organizationId, chatId, new Date()]);
  const afterSeq = chat.erasedAt === null ? 0 : chat.deletedSeq;
  const lastSeq = Math.min(chat.messageCount, afterSeq + BATCH);
  await tombstone(tx, { organizationId, chatId, afterSeq, lastSeq }, true);
  if (lastSeq < chat.messageCount) {
    await tx.query(ADVANCE, [organizationId, chatId, lastSeq]);
    return true;
  }
  await removeChatEvents(tx, organizationId, [chatId]);
  await removeTransferKeys(tx, organizationId, [chatId]);
  await tx.query(REMOVE_READS, [organizationId, chatId]);
  await tx.query(GIVE_AWAY, [organizationId, chatId, lastSeq, nobodyId]);
  return true;
}

// In a chat that somebody took along when they said who they are, a message keeps its sender when both had given one the
// same name.
const FIND_LEFT_BEHIND = `
  SELECT chat_id AS "chatId", seq FROM messages
  WHERE organization_id = $1 AND sender_id = $2 AND client_message_id IS NOT NULL LIMIT 100`;
const LOCK_CHAT = `SELECT FROM chats WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`;

/** Erases what the visitor said in chats that are another's by now; false when nothing is left. */
export async function eraseLeftBehind(tx: EntityManager, organizationId: string, visitorId: string): Promise<boolean> {
  const left: { chatId: string; seq: number }[] = await tx.query(FIND_LEFT_BEHIND, [organizationId, visitorId]);
  const [first] = left;
  if (!first) return false;
  await tx.query(LOCK_CHAT, [organizationId, first.chatId]);
  for (const { chatId, seq } of left) {
    if (chatId === first.chatId) await tombstone(tx, { organizationId, chatId, afterSeq: seq - 1, lastSeq: seq }, true);
  }
  return true;
}

const REMOVE = `
  DELETE FROM visitors WHERE organization_id = $1 AND id = $2 AND erasing_since IS NOT NULL
    AND NOT EXISTS (SELECT FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = $2)`;

/** Removes the row of a visitor of whom nothing else is left. */
export async function removeVisitor(manager: EntityManager, organizationId: string, visitorId: string): Promise<void> {
  await manager.query(REMOVE, [organizationId, visitorId]);
}

const FIND_ERASING = `
  SELECT organization_id AS "organizationId", id AS "visitorId" FROM visitors
  WHERE erasing_since IS NOT NULL ORDER BY organization_id, id LIMIT $1`;

/** Visitors whose erasing was begun and is not done. */
export function findErasing(
  manager: EntityManager,
  limit: number,
): Promise<{ organizationId: string; visitorId: string }[]> {
  return manager.query(FIND_ERASING, [limit]);
}
