import type { EntityManager } from 'typeorm';
import { sqlIsInGroup } from '../../agents/agents.queries.js';
import type { OnUnanswered } from '../../groups/routing.js';
import { queryNamed } from '../../platform/database/transaction.js';
import type { BotNote } from '../model/chat.entity.js';
import type { ChatStatus } from '../model/chat-status.js';
import type { FailureCause, HandoffOutcome, How } from '../model/handoff.entity.js';

// The only SQL that changes a chat's status, agent or group, its hand-offs, and its agents' counters. Only an ACTIVE chat has an
// agent (`ck_chats_agent`), and only a QUEUED chat has a running hand-off. Locks are taken in this order: group, bot, visitor,
// chat, hand-off, offer, agents by id.

/** SET columns of an UPDATE that erases or removes a chat: it stays ARCHIVED. */
export const ARCHIVED_FOR_GOOD = `agent_id = NULL, status = 'ARCHIVED', rev = rev + 1`;

/** A chat whose row is locked until the end of the transaction. */
export interface LockedChat {
  id: string;
  status: ChatStatus;
  agentId: string | null;
  groupId: string;
  visitorId: string;
  queuedAt: Date | null;
  /** The agent's first message since the assignment. */
  agentRepliedAt: Date | null;
  erasedAt: Date | null;
  /** The visitor's first message without an answer. */
  waitingSince: Date | null;
  lastVisitorSeq: number;
  isSnoozed: boolean;
  /** When a snoozed chat wakes; null: when the visitor writes. */
  snoozedUntil: Date | null;
  /** The database's time when the row was locked. It is the time of the change. */
  now: Date;
  /** The hand-off while it is QUEUED; null for a chat that a node of the previous release queued. */
  handoff: RunningHandoff | null;
  /** The pending offer. */
  offer: PendingOffer | null;
  /** Whether the agent who acts is in its group. */
  isInGroup: boolean;
}

export interface RunningHandoff {
  id: string;
  beganAt: Date;
  queuedAt: Date;
  dueAt: Date | null;
  onUnanswered: OnUnanswered;
  unansweredAt: Date | null;
}

export interface PendingOffer {
  id: string;
  agentId: string;
  madeAt: Date;
  expiresAt: Date;
}

const LOCK = `
  SELECT id, status, agent_id AS "agentId", group_id AS "groupId", visitor_id AS "visitorId", queued_at AS "queuedAt",
    agent_replied_at AS "agentRepliedAt", erased_at AS "erasedAt", waiting_since AS "waitingSince",
    last_visitor_seq AS "lastVisitorSeq", snoozed_by IS NOT NULL AS "isSnoozed", snoozed_until AS "snoozedUntil"
  FROM chats WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`;

// The hand-off and the offer change only under the chat's lock.
const FIND_WAITING = `
  SELECT date_trunc('milliseconds', clock_timestamp()) AS now,
    h.id AS "handoffId", h.began_at AS "beganAt", h.queued_at AS "queuedAt", h.due_at AS "dueAt",
    h.on_unanswered AS "onUnanswered", h.unanswered_at AS "unansweredAt",
    o.id AS "offerId", o.agent_id AS "offeredTo", o.created_at AS "madeAt", o.expires_at AS "expiresAt",
    ${sqlIsInGroup('$3', '$4')} AS "isInGroup"
  FROM (SELECT) AS one
  LEFT JOIN handoffs h ON h.organization_id = $1 AND h.chat_id = $2 AND h.ended_at IS NULL
  LEFT JOIN chat_offers o ON o.organization_id = $1 AND o.chat_id = $2 AND o.ended_at IS NULL`;

type ChatRow = Omit<LockedChat, 'now' | 'handoff' | 'offer' | 'isInGroup'>;

interface WaitingRow extends RunningHandoff {
  now: Date;
  handoffId: string | null;
  offerId: string | null;
  offeredTo: string;
  madeAt: Date;
  expiresAt: Date;
  isInGroup: boolean;
}

/** Locks a chat; null for an unknown chat. @param agentId the agent who acts, if any */
export async function lockChat(
  tx: EntityManager,
  organizationId: string,
  id: string,
  agentId: string | null = null,
): Promise<LockedChat | null> {
  const values = [organizationId, id];
  const [chat] = await queryNamed<ChatRow>(tx, { name: 'lock-chat', text: LOCK, values });
  if (!chat) return null;
  const [row] = await queryNamed<WaitingRow>(tx, {
    name: 'find-handoff-and-offer',
    text: FIND_WAITING,
    values: [...values, agentId ?? '', chat.groupId],
  });
  const { now, isInGroup, handoffId, beganAt, queuedAt, dueAt, onUnanswered, unansweredAt } = row!;
  const { offerId, offeredTo, madeAt, expiresAt } = row!;
  const handoff = handoffId === null ? null : { id: handoffId, beganAt, queuedAt, dueAt, onUnanswered, unansweredAt };
  const offer = offerId === null ? null : { id: offerId, agentId: offeredTo, madeAt, expiresAt };
  return { ...chat, now, handoff, offer, isInGroup };
}

/** The new state of a chat. */
export interface ChangedChat {
  status: ChatStatus;
  /** Null unless the status is ACTIVE. */
  agentId: string | null;
  groupId: string;
  /** Since when the visitor waits. Kept while an agent has the chat, and after its end, in case it returns to the queue. */
  queuedAt: Date | null;
}

/** How a stay in the queue ends. */
export interface HandoffEnd {
  outcome: HandoffOutcome;
  how?: How | null;
  agentId?: string | null;
  /** The agent's note to the bot. */
  note?: string | null;
}

/** A change to an agent's counters. */
export interface LoadChange {
  agentId: string;
  chats: number;
  offers: number;
}

// The changes of an agent's counters are parameters.
const addLoadTo = (agentId: string, chats: string, offers: string, at: string) => `
  UPDATE agents SET open_chats = GREATEST(open_chats + ${chats}, 0), pending_offers = GREATEST(pending_offers + ${offers}, 0),
    last_assigned_at = CASE WHEN ${chats} > 0 THEN ${at}::timestamptz ELSE last_assigned_at END,
    missed_offers = CASE WHEN ${chats} > 0 THEN 0 ELSE missed_offers END
  WHERE organization_id = $1 AND id = ${agentId}`;

// One statement, because the round trip of a statement costs more CPU time than its changes. A chat that has already ended keeps its end
// time. A visitor's request for a person ends as soon as the bots no longer have the chat.
const CHANGE = `
  WITH handoff AS (
    UPDATE handoffs SET ended_at = $7, outcome = $9, how = $10, agent_id = $11, note = $12
    WHERE organization_id = $1 AND id = $8
  ), request AS (
    DELETE FROM person_requests WHERE organization_id = $1 AND chat_id = $15
  ), load AS (${addLoadTo('$13', '$14::integer', '0', '$7')}
  )
  UPDATE chats SET status = $3, agent_id = $4, group_id = $5, queued_at = $6,
    status_changed_at = CASE WHEN status IN ('CLOSED', 'ARCHIVED') AND $3 IN ('CLOSED', 'ARCHIVED') THEN status_changed_at ELSE $7 END,
    last_agent_id = COALESCE($4, last_agent_id),
    agent_left_at = CASE WHEN $4::text IS NULL AND agent_id IS NOT NULL THEN $7 ELSE agent_left_at END,
    assigned_at = CASE WHEN $4::text IS NULL THEN NULL ELSE $7 END, agent_replied_at = NULL,
    waiting_since = CASE WHEN $3 IN ('CLOSED', 'ARCHIVED') THEN NULL ELSE waiting_since END,
    ended_snooze_until = CASE WHEN $3 NOT IN ('CLOSED', 'ARCHIVED') THEN NULL
      WHEN status IN ('CLOSED', 'ARCHIVED') THEN ended_snooze_until
      WHEN snoozed_by IS NOT NULL THEN COALESCE(snoozed_until, 'infinity') END,
    rev = rev + 1
  WHERE organization_id = $1 AND id = $2`;

/**
 * Changes a chat, ends its running hand-off, and changes the number of an agent's chats.
 * @param load of one agent only, and if the chat has no offer: otherwise call `addLoad` afterwards, so that locks are taken in order
 */
export async function changeChat(
  tx: EntityManager,
  organizationId: string,
  { id, now, handoff }: LockedChat,
  { status, agentId, groupId, queuedAt }: ChangedChat,
  { outcome, how = null, agentId: endedBy = null, note = null }: HandoffEnd,
  load: Pick<LoadChange, 'agentId' | 'chats'> | null,
): Promise<void> {
  const chat = [id, status, agentId, groupId, queuedAt, now];
  // No row has an empty id. With NULL, a Citus cluster would leave out the whole statement.
  const end = [handoff?.id ?? '', outcome, how, endedBy, note];
  const asked = status === 'ACTIVE' && agentId === null ? '' : id;
  const values = [organizationId, ...chat, ...end, load?.agentId ?? '', load?.chats ?? 0, asked];
  await queryNamed(tx, { name: 'change-chat', text: CHANGE, values });
}

const KEEP_BOT_NOTE = `UPDATE chats SET bot_note = $3, bot_note_at = $4 WHERE organization_id = $1 AND id = $2`;

/** Keeps a note to the bot that gets the chat, in place of an earlier one. */
export async function keepBotNote(
  tx: EntityManager,
  organizationId: string,
  { id, now }: LockedChat,
  note: BotNote,
): Promise<void> {
  const values = [organizationId, id, note, now];
  await queryNamed(tx, { name: 'keep-bot-note', text: KEEP_BOT_NOTE, values });
}

/** A hand-off to start. */
export interface NewHandoff {
  id: string;
  by: { type: string; id: string | null; name: string | null };
  reason: string | null;
  summary: string | null;
  cause: FailureCause | null;
  previousAgentId: string | null;
  /** Null: the group's value. */
  maxWaitSeconds: number | null;
  /** Null: the group's value. */
  onUnanswered: OnUnanswered | null;
  /** Since when the visitor waits. */
  queuedAt: Date;
}

// 0 seconds means never.
const BEGIN_HANDOFF = `
  INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, by_id, by_name, reason, summary, previous_agent_id,
    began_at, queued_at, due_at, on_unanswered, cause)
  SELECT $1, $2, $3, g.id, $5, $6, $7, $8, $9, $10, $11, $12,
    $11::timestamptz + make_interval(secs => NULLIF(COALESCE($13::integer, g.max_wait_seconds), 0)),
    COALESCE($14::text, g.on_unanswered), $15::jsonb
  FROM groups g WHERE g.organization_id = $1 AND g.id = $4
  RETURNING due_at AS "dueAt", on_unanswered AS "onUnanswered"`;

/** Starts a hand-off. Its deadline counts from the time when the chat was locked. */
export async function beginHandoff(
  tx: EntityManager,
  organizationId: string,
  { id: chatId, now }: LockedChat,
  groupId: string,
  handoff: NewHandoff,
): Promise<RunningHandoff> {
  const { id, by, reason, summary, previousAgentId, queuedAt, maxWaitSeconds } = handoff;
  const whoAndWhy = [by.type, by.id, by.name, reason, summary, previousAgentId];
  const values = [
    organizationId,
    id,
    chatId,
    groupId,
    ...whoAndWhy,
    now,
    queuedAt,
    maxWaitSeconds,
    handoff.onUnanswered,
    handoff.cause,
  ];
  const [row] = await queryNamed<Pick<RunningHandoff, 'dueAt' | 'onUnanswered'>>(tx, {
    name: 'begin-handoff',
    text: BEGIN_HANDOFF,
    values,
  });
  return { id, beganAt: now, queuedAt, unansweredAt: null, ...row! };
}

/**
 * SQL: whether a row of `handoffs` is a stay in the queue, and not a direct assignment to an agent.
 * @param handoff its alias
 */
export const isStay = (handoff: string) =>
  `(${handoff}.outcome IS DISTINCT FROM 'MOVED' OR ${handoff}.agent_id IS NULL)`;

// The chat's last hand-off is the one that gave it to this agent.
const KEEP_FIRST_REPLY = `
  UPDATE handoffs SET first_reply_at = $4 WHERE organization_id = $1 AND id = (
    SELECT h.id FROM handoffs h WHERE h.organization_id = $1 AND h.chat_id = $2 AND h.ended_at IS NOT NULL AND ${isStay('h')}
    ORDER BY h.id DESC LIMIT 1) AND agent_id = $3 AND first_reply_at IS NULL`;

/** Stores when the agent, who loses the chat, wrote first. Reports use it. */
export async function keepFirstReply(
  tx: EntityManager,
  organizationId: string,
  { id, agentId, agentRepliedAt }: LockedChat,
): Promise<void> {
  if (!agentRepliedAt) return;
  const values = [organizationId, id, agentId, agentRepliedAt];
  await queryNamed(tx, { name: 'keep-first-reply', text: KEEP_FIRST_REPLY, values });
}

// Each part of `held` uses an index. With OR, PostgreSQL would read every chat of the organization.
const UNSEEN_CHATS = `
  WITH held AS (
    SELECT c.id, c.group_id, c.status FROM chats c WHERE c.organization_id = $1 AND c.agent_id = $2
    UNION
    SELECT c.id, c.group_id, c.status FROM chat_offers o
    JOIN chats c ON c.organization_id = o.organization_id AND c.id = o.chat_id
    WHERE o.organization_id = $1 AND o.agent_id = $2 AND o.ended_at IS NULL
  )
  SELECT held.id FROM agents a CROSS JOIN held
  WHERE a.organization_id = $1 AND a.id = $2 AND a.role = 'AGENT' AND held.status IN ('ACTIVE', 'QUEUED') AND NOT EXISTS (
    SELECT FROM agent_groups m WHERE m.organization_id = $1 AND m.group_id = held.group_id AND m.agent_id = $2)
    AND ($3::text IS NULL OR held.id = $3)
  ORDER BY held.id`;

/** An agent's chats and offered chats that the agent can no longer see. @param chatId only this one */
export async function findUnseenChats(
  manager: EntityManager,
  organizationId: string,
  agentId: string,
  chatId: string | null = null,
): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(UNSEEN_CHATS, [organizationId, agentId, chatId]);
  return rows.map(({ id }) => id);
}

const PENDING_OFFERS = `
  SELECT id, chat_id AS "chatId" FROM chat_offers
  WHERE organization_id = $1 AND agent_id = $2 AND ended_at IS NULL ORDER BY id`;

/** An agent's pending offers. */
export function findPendingOffers(
  manager: EntityManager,
  organizationId: string,
  agentId: string,
): Promise<{ id: string; chatId: string }[]> {
  return manager.query(PENDING_OFFERS, [organizationId, agentId]);
}

/** Raises the `rev` of a chat, for a change other than a message. */
export async function raiseRev(tx: EntityManager, organizationId: string, id: string): Promise<void> {
  await tx.query('UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = $2', [organizationId, id]);
}

const ADD_LOAD = addLoadTo('$2', '$3::integer', '$4::integer', '$5');

/** Changes agents' counters. Locks the agents in the order of their ids. */
export async function addLoad(tx: EntityManager, organizationId: string, changes: readonly LoadChange[], at: Date) {
  for (const { agentId, chats, offers } of sumByAgent(changes)) {
    await queryNamed(tx, { name: 'add-load', text: ADD_LOAD, values: [organizationId, agentId, chats, offers, at] });
  }
}

/** The changes, one for each agent whose counters change, in the order of their ids. */
export function sumByAgent(changes: readonly LoadChange[]): LoadChange[] {
  const sums = new Map<string, LoadChange>();
  for (const { agentId, chats, offers } of changes) {
    const sum = sums.get(agentId) ?? { agentId, chats: 0, offers: 0 };
    sums.set(agentId, { agentId, chats: sum.chats + chats, offers: sum.offers + offers });
  }
  const changed = [...sums.values()].filter(({ chats, offers }) => chats !== 0 || offers !== 0);
  return changed.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
}

const CHATS_OF_AGENT = `SELECT id FROM chats WHERE organization_id = $1 AND agent_id = $2 ORDER BY id LIMIT $3`;

/** The ids of some of an agent's chats. */
export async function findChatsOfAgent(manager: EntityManager, organizationId: string, agentId: string, limit: number) {
  const rows: { id: string }[] = await manager.query(CHATS_OF_AGENT, [organizationId, agentId, limit]);
  return rows.map(({ id }) => id);
}

/** The most chats that `moveSomeChatsToDefault` moves. */
export const MOVE_BATCH = 500;

// A waiting chat keeps `queued_at`.
const moveToDefault = (which: string) => `
  WITH target AS (
    SELECT id FROM groups WHERE organization_id = $1 AND is_default AND id <> $2 FOR KEY SHARE
  ), picked AS (
    SELECT id FROM chats WHERE organization_id = $1 AND group_id = $2 AND EXISTS (SELECT FROM target) ${which}
  ), moved AS (
    UPDATE chats c SET group_id = (SELECT id FROM target), rev = rev + 1 FROM picked
    WHERE c.organization_id = $1 AND c.id = picked.id
    RETURNING c.id, c.status, c.group_id, c.agent_id
  )
  SELECT id, group_id AS "groupId", agent_id AS "agentId", status IN ('ACTIVE', 'QUEUED') AS "isOpen" FROM moved`;

const MOVE_ALL = moveToDefault('FOR NO KEY UPDATE');
// Waiting chats, which may be offered, and locked chats are left for the last statement, so that they don't delay the others.
const MOVE_SOME = moveToDefault(`AND status <> 'QUEUED' LIMIT ${MOVE_BATCH} FOR NO KEY UPDATE SKIP LOCKED`);

/** A moved chat, in its new group. */
export interface MovedChat {
  id: string;
  groupId: string;
  agentId: string | null;
  isOpen: boolean;
}

/** Moves some of a group's chats to the default group. Moves none if the group is the default group. */
export function moveSomeChatsToDefault(
  tx: EntityManager,
  organizationId: string,
  groupId: string,
): Promise<MovedChat[]> {
  return tx.query(MOVE_SOME, [organizationId, groupId]);
}

// Another statement than the chats', so that it sees the hand-off of a chat that was queued while that one waited for the chat.
const MOVE_HANDOFFS = `
  UPDATE handoffs h SET group_id = c.group_id FROM chats c
  WHERE h.organization_id = $1 AND h.chat_id = ANY ($2) AND h.ended_at IS NULL
    AND c.organization_id = $1 AND c.id = h.chat_id`;

/** Moves all of a group's chats to the default group, with the hand-offs of the waiting ones. */
export async function moveChatsToDefault(
  tx: EntityManager,
  organizationId: string,
  groupId: string,
): Promise<MovedChat[]> {
  const moved: MovedChat[] = await tx.query(MOVE_ALL, [organizationId, groupId]);
  const ids = moved.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  await tx.query(MOVE_HANDOFFS, [organizationId, ids]);
  return moved;
}
