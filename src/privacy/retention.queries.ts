import type { EntityManager } from 'typeorm';
import { idAt } from '../platform/lib/ids.js';
import { removeWords } from '../changes/index-words.queries.js';
import { removeFiles } from '../files/removals.queries.js';
import { removeEvents, removeMessages } from './removal.queries.js';

/** The number of chats, or of visitors, in a page. */
const PAGE = 500;
/** The most messages that a transaction turns into tombstones. */
const BATCH = 250;

const FIND_ORGANIZATIONS = `
  SELECT id, retention_days AS "days" FROM organizations
  WHERE retention_days IS NOT NULL AND deleted_at IS NULL AND id > $1 ORDER BY id LIMIT ${PAGE}`;

/** The next organizations after an id that keep messages for a limited number of days. */
export function findRetaining(manager: EntityManager, after: string): Promise<{ id: string; days: number }[]> {
  return manager.query(FIND_ORGANIZATIONS, [after]);
}

/**
 * An old chat. `isOver`: its last message is too old. `hasOld`: its first remaining message, its rating, an event, a note, a bot's state,
 * the chat's attributes, or the texts of a hand-off are too old.
 */
export interface OldChat {
  id: string;
  isOver: boolean;
  hasOld: boolean;
  /** How long ago its retention ended, in seconds; negative if it hasn't. */
  overdueSeconds: number;
}

// Reports need a hand-off's times, which stay. Its texts are removed once it's over.
const hasOldTexts = (handoff: string, before: string) =>
  `${handoff}ended_at < ${before} AND COALESCE(${handoff}reason, ${handoff}summary, ${handoff}note, ${handoff}cause::text) IS NOT NULL`;

// Reads by primary key only, because an index on the last use of a chat would cost every message a write. Ids sort by time, and chats
// that ended long ago are already removed, so only old chats that are still in use are read.
const FIND_CHATS = `
  SELECT c.id, COALESCE(c.last_message_at, c.created_at) < $4 AS "isOver",
    extract(epoch FROM $4::timestamptz - COALESCE(c.last_message_at, c.created_at))::float8 AS "overdueSeconds",
    c.erased_at IS NULL AND (
      EXISTS (SELECT FROM messages m WHERE m.organization_id = $1 AND m.chat_id = c.id
        AND m.seq = c.deleted_seq + 1 AND m.created_at < $4)
      OR EXISTS (SELECT FROM ratings r WHERE r.organization_id = $1 AND r.chat_id = c.id
        AND COALESCE(r.changed_at, r.rated_at) < $4)
      OR EXISTS (SELECT FROM deliveries d WHERE d.organization_id = $1 AND d.chat_id = c.id
        AND d.event_type <> 'message.created' AND d.created_at < $4)
      OR EXISTS (SELECT FROM notes n WHERE n.organization_id = $1 AND n.chat_id = c.id AND n.created_at < $4)
      OR EXISTS (SELECT FROM bot_states s WHERE s.organization_id = $1 AND s.chat_id = c.id
        AND s.updated_at < $4)
      OR c.attributes_at < $4 OR c.bot_note_at < $4
      OR EXISTS (SELECT FROM handoffs h WHERE h.organization_id = $1 AND h.chat_id = c.id
        AND ${hasOldTexts('h.', '$4')})
    ) AS "hasOld"
  FROM chats c WHERE c.organization_id = $1 AND c.id > $2 AND c.id < $3
  ORDER BY c.id LIMIT ${PAGE}`;

/** The next old chats after an id; empty if none are left. */
export function findOldChats(
  manager: EntityManager,
  organizationId: string,
  after: string,
  before: Date,
): Promise<OldChat[]> {
  return manager.query(FIND_CHATS, [organizationId, after, idAt('cht', before), before]);
}

const LOCK = `
  SELECT deleted_seq AS "deletedSeq", message_count AS "messageCount" FROM chats
  WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`;

// Ends before the first message that is new enough, because a chat's tombstones are at its beginning.
const FIND_LAST = `
  SELECT COALESCE(min(seq) - 1, $4) AS "lastSeq" FROM messages
  WHERE organization_id = $1 AND chat_id = $2 AND seq > $3 AND seq <= $4 AND created_at >= $5`;

const REMOVE_RATING = `
  DELETE FROM ratings WHERE organization_id = $1 AND chat_id = $2 AND COALESCE(changed_at, rated_at) < $3`;

const REMOVE_NOTES = `
  DELETE FROM notes WHERE organization_id = $1 AND chat_id = $2 AND created_at < $3 RETURNING id`;

const REMOVE_STATES = 'DELETE FROM bot_states WHERE organization_id = $1 AND chat_id = $2 AND updated_at < $3';

const REMOVE_ATTRIBUTES = `
  UPDATE chats SET attributes = NULL, attributes_at = NULL WHERE organization_id = $1 AND id = $2 AND attributes_at < $3`;

const REMOVE_BOT_NOTE = `
  UPDATE chats SET bot_note = NULL, bot_note_at = NULL WHERE organization_id = $1 AND id = $2 AND bot_note_at < $3`;

const REMOVE_HANDOFF_TEXTS = `
  UPDATE handoffs SET reason = NULL, summary = NULL, note = NULL, cause = NULL
  WHERE organization_id = $1 AND chat_id = $2 AND ${hasOldTexts('', '$3')}`;

// A title may repeat what the removed messages say.
const ADVANCE = `UPDATE chats SET deleted_seq = $3, title = NULL WHERE organization_id = $1 AND id = $2`;

/**
 * Turns some old messages of a chat into tombstones and removes its other old data, in the transaction `tx`. Returns how many messages,
 * and whether there may be more. Skips a chat that another transaction has locked; a later pass handles it.
 */
export async function tombstoneOld(tx: EntityManager, organizationId: string, chatId: string, before: Date) {
  const [chat]: { deletedSeq: number; messageCount: number }[] = await tx.query(LOCK, [organizationId, chatId]);
  if (!chat) return { messages: 0, hasMore: false };
  const afterSeq = chat.deletedSeq;
  const end = Math.min(chat.messageCount, afterSeq + BATCH);
  const [found]: { lastSeq: number }[] = await tx.query(FIND_LAST, [organizationId, chatId, afterSeq, end, before]);
  const { lastSeq } = found!;
  if (lastSeq > afterSeq) {
    await removeMessages(tx, { organizationId, chatId, afterSeq, lastSeq }, false);
    await tx.query(ADVANCE, [organizationId, chatId, lastSeq]);
  }
  await removeEvents(tx, organizationId, [chatId], before);
  const [notes] = (await tx.query(REMOVE_NOTES, [organizationId, chatId, before])) as [{ id: string }[], number];
  if (notes.length > 0) await removeWords(tx, organizationId, { chatIds: [chatId], ids: notes.map(({ id }) => id) });
  await removeFiles(tx, organizationId, { usedBy: notes.map(({ id }) => id), chatId });
  for (const statement of [REMOVE_RATING, REMOVE_STATES, REMOVE_ATTRIBUTES, REMOVE_BOT_NOTE, REMOVE_HANDOFF_TEXTS])
    await tx.query(statement, [organizationId, chatId, before]);
  return { messages: lastSeq - afterSeq, hasMore: lastSeq === end && end < chat.messageCount };
}

const REMOVE_TURNS = `
  DELETE FROM bot_turns WHERE organization_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM bot_turns WHERE organization_id = $1 AND created_at < $2 AND id < $3 ORDER BY id LIMIT ${PAGE}))`;

/** Removes some of the turns from before a time. Returns whether there may be more. */
export async function removeOldTurns(manager: EntityManager, organizationId: string, before: Date): Promise<boolean> {
  const values = [organizationId, before, idAt('trn', before)];
  const [, count] = (await manager.query(REMOVE_TURNS, values)) as [unknown, number];
  return count === PAGE;
}

const FIND_VISITORS = `
  SELECT v.id, v.external_id IS DISTINCT FROM '' AND v.erasing_since IS NULL
    AND NOT EXISTS (SELECT FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = v.id) AS "isIdle"
  FROM visitors v WHERE v.organization_id = $1 AND v.id > $2 AND v.id < $3
  ORDER BY v.id LIMIT ${PAGE}`;

/** The next visitors after an id who were created before a time, and whether each has no chat. */
export function findOldVisitors(
  manager: EntityManager,
  organizationId: string,
  after: string,
  before: Date,
): Promise<{ id: string; isIdle: boolean }[]> {
  return manager.query(FIND_VISITORS, [organizationId, after, idAt('vis', before)]);
}

// Two statements: the second sees chats that were created before the lock, and no chat can be created after it.
const LOCK_VISITORS = `
  SELECT id FROM visitors WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE SKIP LOCKED`;
const REMOVE_VISITORS = `
  DELETE FROM visitors v WHERE v.organization_id = $1 AND v.id = ANY ($2)
    AND NOT EXISTS (SELECT FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = v.id)
  RETURNING v.id`;

/** Removes the visitors among these who have no chat, in the transaction `tx`. Returns how many. */
export async function removeIdleVisitors(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<number> {
  const locked: { id: string }[] = await tx.query(LOCK_VISITORS, [organizationId, ids]);
  const [removed, count] = (await tx.query(REMOVE_VISITORS, [organizationId, locked.map(({ id }) => id)])) as [
    { id: string }[],
    number,
  ];
  await removeEvents(
    tx,
    organizationId,
    removed.map(({ id }) => id),
  );
  return count;
}

const REMOVE_VISITORS_ATTRIBUTES = `
  UPDATE visitors SET attributes = NULL, attributes_at = NULL WHERE organization_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM visitors WHERE organization_id = $1 AND id = ANY ($2) AND attributes_at < $3
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED))`;

/** Removes these visitors' attributes that were last set before a time, and their older events, in the transaction `tx`. */
export async function removeOldAttributes(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
  before: Date,
): Promise<void> {
  await tx.query(REMOVE_VISITORS_ATTRIBUTES, [organizationId, ids, before]);
  await removeEvents(tx, organizationId, ids, before);
}
