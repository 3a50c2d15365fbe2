import type { EntityManager } from 'typeorm';
import { ARCHIVED_FOR_GOOD } from '../chats/moves/chat-transitions.queries.js';
import { removeVisitorWords, removeWords } from '../changes/index-words.queries.js';
import { awaitErasure, removeFiles } from '../files/removals.queries.js';
import { newId } from '../platform/lib/ids.js';
import { detachTurns, removeChatKeys, removeEvents, removeMessages } from './removal.queries.js';
import { ERASE_ROWS_OF_CHAT } from './visitor-tables.js';

/** The most messages that a transaction turns into tombstones. */
const BATCH = 250;

// Once a visitor is marked, their token is refused, they can't start anything, and webhook events don't contain them.
const MARK = `
  UPDATE visitors SET name = NULL, email = NULL, verified_email = NULL, metadata = NULL, external_id = NULL, signed_at = NULL,
    attributes = NULL, attributes_at = NULL, verified_attributes = NULL,
    erasing_since = COALESCE(erasing_since, $3)
  WHERE organization_id = $1 AND id = $2`;
const LOCK_VISITOR = `
  SELECT erasing_since IS NOT NULL AS "isErasing" FROM visitors
  WHERE organization_id = $1 AND id = $2 AND external_id IS DISTINCT FROM '' FOR NO KEY UPDATE`;

/** Starts to erase a visitor, in the transaction `tx`. Returns whether an erasure had started before; null if the visitor doesn't exist. */
export async function markErasing(
  tx: EntityManager,
  organizationId: string,
  visitorId: string,
): Promise<{ isErasing: boolean } | null> {
  const [visitor]: { isErasing: boolean }[] = await tx.query(LOCK_VISITOR, [organizationId, visitorId]);
  if (!visitor) return null;
  await tx.query(MARK, [organizationId, visitorId, new Date()]);
  await removeVisitorWords(tx, organizationId, visitorId);
  await removeEvents(tx, organizationId, [visitorId]);
  return visitor;
}

const INSERT_PLACEHOLDER = `
  INSERT INTO visitors (organization_id, id, external_id, created_at) VALUES ($1, $2, '', $3)
  ON CONFLICT (organization_id, external_id) DO NOTHING`;
const FIND_PLACEHOLDER = `SELECT id FROM visitors WHERE organization_id = $1 AND external_id = ''`;

/** Finds or creates the placeholder that owns the chats of the organization's erased visitors. */
export async function findPlaceholder(manager: EntityManager, organizationId: string): Promise<string> {
  const find = (): Promise<{ id: string }[]> => manager.query(FIND_PLACEHOLDER, [organizationId]);
  const [found] = await find();
  if (found) return found.id;
  await manager.query(INSERT_PLACEHOLDER, [organizationId, newId('vis'), new Date()]);
  return (await find())[0]!.id;
}

interface ErasedChat {
  id: string;
  groupId: string;
  messageCount: number;
  deletedSeq: number;
  erasedAt: Date | null;
}

// Waits for messages that are being stored. Later ones find the chat closed to messages.
const LOCK_NEXT = `
  SELECT id, group_id AS "groupId", message_count AS "messageCount", deleted_seq AS "deletedSeq", erased_at AS "erasedAt"
  FROM chats
  WHERE organization_id = $1 AND visitor_id = $2 ORDER BY id LIMIT 1 FOR NO KEY UPDATE`;

const CLEARED = `metadata = NULL, attributes = NULL, attributes_at = NULL, bot_note = NULL, bot_note_at = NULL, title = NULL, has_tags = NULL, mails_to_check = NULL, ${ARCHIVED_FOR_GOOD}`;
const CLOSE = `UPDATE chats SET erased_at = $3, deleted_seq = 0, ${CLEARED} WHERE organization_id = $1 AND id = $2`;

const ADVANCE = `UPDATE chats SET deleted_seq = $3 WHERE organization_id = $1 AND id = $2`;
const REASSIGN = `
  UPDATE chats SET deleted_seq = $3, visitor_id = $4, ${CLEARED} WHERE organization_id = $1 AND id = $2`;

/**
 * Erases some of the messages in a visitor's chats, in the transaction `tx`. Returns false if no chat is left. A fully erased chat
 * moves to the placeholder, so the chats that the visitor still owns are the remaining work.
 * @param beforeClosing called with each chat before it's closed to messages
 */
export async function eraseStep(
  tx: EntityManager,
  organizationId: string,
  visitorId: string,
  placeholderId: string,
  beforeClosing: (chat: { id: string; groupId: string }) => Promise<void>,
) {
  const [chat]: ErasedChat[] = await tx.query(LOCK_NEXT, [organizationId, visitorId]);
  if (!chat) return false;
  const chatId = chat.id;
  if (chat.erasedAt === null) {
    await beforeClosing(chat);
    await tx.query(CLOSE, [organizationId, chatId, new Date()]);
    await removeFiles(tx, organizationId, { ofChats: [chatId] });
    await awaitErasure(tx, organizationId, chatId, visitorId);
  }
  const afterSeq = chat.erasedAt === null ? 0 : chat.deletedSeq;
  const lastSeq = Math.min(chat.messageCount, afterSeq + BATCH);
  await removeMessages(tx, { organizationId, chatId, afterSeq, lastSeq }, true);
  if (lastSeq < chat.messageCount) {
    await tx.query(ADVANCE, [organizationId, chatId, lastSeq]);
    return true;
  }
  await removeEvents(tx, organizationId, [chatId]);
  await removeChatKeys(tx, organizationId, [chatId]);
  await detachTurns(tx, organizationId, [chatId]);
  for (const statement of ERASE_ROWS_OF_CHAT) await tx.query(statement, [organizationId, chatId]);
  await removeWords(tx, organizationId, { chatIds: [chatId] });
  await tx.query(REASSIGN, [organizationId, chatId, lastSeq, placeholderId]);
  return true;
}

// A merge moves an anonymous visitor's chat to a signed visitor. A message keeps its old sender if the signed visitor has a message
// with the same clientMessageId.
const FIND_IN_OTHER_CHATS = `
  SELECT chat_id AS "chatId", seq FROM messages
  WHERE organization_id = $1 AND sender_id = $2 AND client_message_id IS NOT NULL LIMIT 100`;
const LOCK_CHAT = `SELECT FROM chats WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`;

/**
 * Erases up to 100 of the visitor's messages in one chat that now belongs to another visitor. Returns false if none is left.
 */
export async function eraseInOtherChats(
  tx: EntityManager,
  organizationId: string,
  visitorId: string,
): Promise<boolean> {
  const messages: { chatId: string; seq: number }[] = await tx.query(FIND_IN_OTHER_CHATS, [organizationId, visitorId]);
  const [first] = messages;
  if (!first) return false;
  await tx.query(LOCK_CHAT, [organizationId, first.chatId]);
  for (const { chatId, seq } of messages) {
    if (chatId === first.chatId)
      await removeMessages(tx, { organizationId, chatId, afterSeq: seq - 1, lastSeq: seq }, true);
  }
  await awaitErasure(tx, organizationId, first.chatId, visitorId);
  return true;
}

const REMOVE = `
  DELETE FROM visitors WHERE organization_id = $1 AND id = $2 AND erasing_since IS NOT NULL
    AND NOT EXISTS (SELECT FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = $2)`;

/** Removes the visitor's row once the visitor has no chats. Returns whether it was removed: once, when several nodes do it. */
export async function removeVisitor(tx: EntityManager, organizationId: string, visitorId: string): Promise<boolean> {
  const [, count] = (await tx.query(REMOVE, [organizationId, visitorId])) as [unknown, number];
  return count > 0;
}

const FIND_ERASING = `
  SELECT organization_id AS "organizationId", id AS "visitorId" FROM (
    SELECT organization_id, id, row_number() OVER (PARTITION BY organization_id ORDER BY id) AS turn FROM visitors
    WHERE erasing_since IS NOT NULL) AS v
  ORDER BY id = ANY ($2), turn, organization_id LIMIT $1`;

/** Visitors whose erasure has started and isn't finished, one of each organization in turn. @param last the ids of the last ones */
export function findErasing(
  manager: EntityManager,
  limit: number,
  last: readonly string[],
): Promise<{ organizationId: string; visitorId: string }[]> {
  return manager.query(FIND_ERASING, [limit, last]);
}
