import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import type { EntityManager } from 'typeorm';
import {
  type AgentKey,
  sqlHasRoom,
  sqlIsConnected,
  sqlIsOnline,
  sqlLastOnlineAt,
  sqlTakesChats,
} from '../agents/presence.queries.js';
import type { UnassignReason } from '../chats/model/handoff.entity.js';
import { newId } from '../platform/lib/ids.js';
import {
  findKinds,
  type IsOf,
  isDistributed,
  queryEverywhere,
  type RowKind,
} from '../platform/database/citus/per-organization.js';
import { poolOf } from '../platform/database/pool.js';

// These statements read all organizations: they are the service's own sweeps.

/** A chat with a deadline that has passed. */
export interface DueChat {
  organizationId: string;
  chatId: string;
}

/** A chat with an offer that must end. */
export interface DueOffer extends DueChat {
  offerId: string;
}

const IS_PENDING = 'ended_at IS NULL';
const HAS_EXPIRED = `${IS_PENDING} AND expires_at <= clock_timestamp()`;
const IS_UNANSWERED = 'ended_at IS NULL AND unanswered_at IS NULL AND due_at <= clock_timestamp()';
const IS_REQUEST_DUE = 'due_at <= clock_timestamp()';
const IS_SNOOZE_OVER = 'snoozed_until <= clock_timestamp()';
const HAS_LEFT_GROUPS = 'groups_left_at IS NOT NULL';

/** What may be due, handled in this order. A kind without such rows has nothing that is due. */
const KINDS = {
  expiredOffers: { table: 'chat_offers', condition: HAS_EXPIRED },
  unanswered: { table: 'handoffs', condition: IS_UNANSWERED },
  personRequests: { table: 'person_requests', condition: IS_REQUEST_DUE },
  snoozes: { table: 'chats', condition: IS_SNOOZE_OVER },
  offersToWithdraw: { table: 'chat_offers', condition: IS_PENDING },
  abandonedChats: { table: 'agents', condition: `open_chats > 0 AND NOT ${sqlIsConnected('r')}` },
  leftGroups: { table: 'agents', condition: HAS_LEFT_GROUPS },
} satisfies Record<string, RowKind>;

/** A kind of rows with deadlines. */
export type DueKind = keyof typeof KINDS;

/** The kinds that may have due rows, in the order of `KINDS`. */
export async function findDueKinds(manager: EntityManager): Promise<DueKind[]> {
  const found = await findKinds(poolOf(manager.connection), 'find-due-kinds', KINDS);
  return (Object.keys(KINDS) as DueKind[]).filter((kind) => found.has(kind));
}

function listEverywhere<T extends object>(
  manager: EntityManager,
  text: (isOf: IsOf) => string,
  values: readonly unknown[],
): Promise<T[]> {
  return queryEverywhere<T>(poolOf(manager.connection), { text, values });
}

const dueOffers = (isOf: IsOf) => `
  SELECT organization_id AS "organizationId", chat_id AS "chatId", id AS "offerId" FROM chat_offers o
  WHERE ${HAS_EXPIRED} AND ${isOf('o')} AND ${sqlIsOfExisting('o')} ORDER BY expires_at LIMIT $1`;

/** The offers that have expired. */
export function listExpiredOffers(manager: EntityManager, limit: number): Promise<DueOffer[]> {
  return listEverywhere(manager, dueOffers, [limit]);
}

// The agent is no longer ONLINE, or the group no longer offers chats. Absence counts only once nodes are settled.
const offersToWithdraw = (areNodesSettled: string, which: string, organizationId?: string) => `
  SELECT o.organization_id AS "organizationId", o.chat_id AS "chatId", o.id AS "offerId"
  FROM chat_offers o
  JOIN chats c ON c.organization_id = o.organization_id AND c.id = o.chat_id
  JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id
  JOIN agents a ON a.organization_id = o.organization_id AND a.id = o.agent_id
  WHERE o.ended_at IS NULL AND (g.routing <> 'OFFER' OR NOT ${sqlTakesChats('a')} OR NOT a.is_enabled
    OR (${areNodesSettled} AND NOT ${sqlIsOnline('a', organizationId)})) ${which}`;
const allOffersToWithdraw = (isOf: IsOf) =>
  offersToWithdraw('$2::boolean', `AND ${isOf('o')} AND ${sqlIsOfExisting('o')} LIMIT $1`);
const OFFER_TO_WITHDRAW = offersToWithdraw('true', 'AND o.organization_id = $1 AND o.id = $2', '$1');

/** The offers to withdraw. @param areNodesSettled whether absence can be trusted (`ThisNode.isSettled`) */
export function listOffersToWithdraw(
  manager: EntityManager,
  limit: number,
  areNodesSettled: boolean,
): Promise<DueOffer[]> {
  return listEverywhere(manager, allOffersToWithdraw, [limit, areNodesSettled]);
}

/** Whether to withdraw an offer; exact while its chat is locked. */
export async function isToWithdraw(tx: EntityManager, organizationId: string, offerId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(OFFER_TO_WITHDRAW, [organizationId, offerId]);
  return rows.length > 0;
}

const dueHandoffs = (isOf: IsOf) => `
  SELECT chat_id AS "chatId", organization_id AS "organizationId" FROM handoffs h
  WHERE ${IS_UNANSWERED} AND ${isOf('h')} AND ${sqlIsOfExisting('h')} ORDER BY due_at LIMIT $1`;

/** The chats that no agent took in time. */
export function listUnanswered(manager: EntityManager, limit: number): Promise<DueChat[]> {
  return listEverywhere(manager, dueHandoffs, [limit]);
}

const duePersonRequests = (isOf: IsOf) => `
  SELECT r.organization_id AS "organizationId", r.chat_id AS "chatId" FROM person_requests r
  WHERE ${IS_REQUEST_DUE} AND ${isOf('r')} AND ${sqlIsOfExisting('r')} ORDER BY r.due_at LIMIT $1`;

/** The chats whose visitors asked for a person, and the bots' time to react is over. */
export function listPersonRequests(manager: EntityManager, limit: number): Promise<DueChat[]> {
  return listEverywhere(manager, duePersonRequests, [limit]);
}

/** A chat whose agent is disabled, or was offline for too long. */
export interface AbandonedChat extends DueChat {
  agentId: string;
  reason: UnassignReason;
}

// The time counts from the latest of: the end of the agent's last connection, the assignment, the agent's last message.
const isAbsent = (
  organizationId?: string,
) => `(g.offline_reassign_seconds > 0 AND NOT ${sqlIsConnected('a', organizationId)}
  AND GREATEST(c.assigned_at, c.agent_wrote_at, ${sqlLastOnlineAt('a', organizationId)})
    <= clock_timestamp() - make_interval(secs => g.offline_reassign_seconds))`;

// A snoozed chat stays until it wakes.
const abandonedChats = (areNodesSettled: string, which: string, organizationId?: string) => `
  SELECT c.organization_id AS "organizationId", c.id AS "chatId", a.id AS "agentId",
    CASE WHEN a.is_enabled THEN 'OFFLINE' ELSE 'DISABLED' END AS reason
  FROM agents a
  JOIN chats c ON c.organization_id = a.organization_id AND c.agent_id = a.id
  JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id
  WHERE a.open_chats > 0 AND c.erased_at IS NULL AND c.snoozed_by IS NULL
    AND (NOT a.is_enabled OR (${areNodesSettled} AND ${isAbsent(organizationId)}))
  ${which}`;
const allAbandonedChats = (isOf: IsOf) =>
  abandonedChats('$2::boolean', `AND ${isOf('a')} AND ${sqlIsOfExisting('a')} LIMIT $1`);
const ABANDONED_CHAT = abandonedChats('true', 'AND a.organization_id = $1 AND c.id = $2', '$1');

/**
 * The chats whose agents are disabled, or were offline for too long.
 * @param areNodesSettled whether absence can be trusted (`ThisNode.isSettled`)
 */
export function listAbandonedChats(
  manager: EntityManager,
  limit: number,
  areNodesSettled: boolean,
): Promise<AbandonedChat[]> {
  return listEverywhere(manager, allAbandonedChats, [limit, areNodesSettled]);
}

/** The same for one chat, exact while it is locked. Null if its agent is available, or it has none. */
export async function findAbandonedChat(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<AbandonedChat | null> {
  const rows: AbandonedChat[] = await tx.query(ABANDONED_CHAT, [organizationId, chatId]);
  return rows[0] ?? null;
}

const dueSnoozes = (isOf: IsOf) => `
  SELECT organization_id AS "organizationId", id AS "chatId" FROM chats c
  WHERE ${IS_SNOOZE_OVER} AND ${isOf('c')} AND ${sqlIsOfExisting('c')} ORDER BY snoozed_until LIMIT $1`;

/** The snoozed chats whose time is over, or whose visitors wrote. */
export function listDueSnoozes(manager: EntityManager, limit: number): Promise<DueChat[]> {
  return listEverywhere(manager, dueSnoozes, [limit]);
}

const FIND_REFUSAL = `
  SELECT CASE WHEN NOT a.is_enabled THEN 'DISABLED' WHEN $3 AND ${isAbsent('$1')} THEN 'OFFLINE'
    WHEN NOT (${sqlHasRoom('a')}) THEN 'NO_ROOM' END AS reason
  FROM chats c
  JOIN agents a ON a.organization_id = c.organization_id AND a.id = c.agent_id
  JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id
  WHERE c.organization_id = $1 AND c.id = $2
  FOR NO KEY UPDATE OF a`;

/**
 * Why the agent of a locked, snoozed chat can't have it back; null if the agent can. Locks the agent.
 * @param areNodesSettled whether absence can be trusted (`ThisNode.isSettled`)
 */
export async function findRefusal(
  tx: EntityManager,
  { organizationId, chatId }: DueChat,
  areNodesSettled: boolean,
): Promise<UnassignReason | null> {
  const [row]: { reason: UnassignReason | null }[] = await tx.query(FIND_REFUSAL, [
    organizationId,
    chatId,
    areNodesSettled,
  ]);
  return row!.reason;
}

const agentsWhoLeftGroups = (isOf: IsOf) => `
  SELECT organization_id AS "organizationId", id AS "agentId" FROM agents a
  WHERE ${HAS_LEFT_GROUPS} AND ${isOf('a')} AND ${sqlIsOfExisting('a')} ORDER BY groups_left_at LIMIT $1`;

/** The agents whose groups or role changed recently. */
export function listAgentsWhoLeftGroups(manager: EntityManager, limit: number): Promise<AgentKey[]> {
  return listEverywhere(manager, agentsWhoLeftGroups, [limit]);
}

// Longer than any transaction that read the groups before they changed.
const CLEAR_GROUPS_LEFT = `
  UPDATE agents SET groups_left_at = NULL
  WHERE organization_id = $1 AND id = $2 AND groups_left_at <= statement_timestamp() - interval '15 s'`;

/** Notes that an agent has no chats left in groups that the agent left. Does nothing in the first 15 s. */
export async function clearGroupsLeft(manager: EntityManager, { organizationId, agentId }: AgentKey): Promise<void> {
  await manager.query(CLEAR_GROUPS_LEFT, [organizationId, agentId]);
}

const MARK_UNANSWERED = `
  UPDATE handoffs SET unanswered_at = $3 WHERE organization_id = $1 AND id = $2`;

export async function markUnanswered(tx: EntityManager, organizationId: string, handoffId: string, at: Date) {
  await tx.query(MARK_UNANSWERED, [organizationId, handoffId, at]);
}

// Nodes of the previous release queue chats without a hand-off, and chats waited before hand-offs existed. These never become
// unanswered.
const START_MISSING_HANDOFFS = `
  WITH lost AS (
    SELECT c.organization_id, c.id, c.group_id, COALESCE(c.queued_at, c.status_changed_at) AS since
    FROM chats c
    WHERE c.status = 'QUEUED' AND c.erased_at IS NULL AND ${sqlIsOfExisting('c')} AND NOT EXISTS (
      SELECT FROM handoffs h WHERE h.organization_id = c.organization_id AND h.chat_id = c.id AND h.ended_at IS NULL)
    LIMIT cardinality($1::text[]) FOR NO KEY UPDATE OF c SKIP LOCKED
  ), named AS (
    SELECT *, ($1::text[])[row_number() OVER ()] AS handoff_id FROM lost
  ), dated AS (
    UPDATE chats c SET queued_at = l.since FROM lost l
    WHERE c.organization_id = l.organization_id AND c.id = l.id AND c.queued_at IS NULL
  ), handoff AS (
    INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, began_at, queued_at, on_unanswered)
    SELECT organization_id, handoff_id, id, group_id, 'SYSTEM', since, since, 'KEEP' FROM named
    ON CONFLICT DO NOTHING RETURNING id
  )
  SELECT count(*)::integer AS adopted FROM handoff`;

/** Starts hand-offs for waiting chats that have none. Returns how many. Does nothing on a Citus cluster, which no such node uses. */
export async function startMissingHandoffs(manager: EntityManager, limit: number): Promise<number> {
  if (isDistributed(poolOf(manager.connection))) return 0;
  const ids = Array.from({ length: limit }, () => newId('hof'));
  const [row]: { adopted: number }[] = await manager.query(START_MISSING_HANDOFFS, [ids]);
  return row!.adopted;
}

const COUNTED = (agent: string, organizationId = `${agent}.organization_id`) => `
  (SELECT count(*)::integer FROM chats c WHERE c.organization_id = ${organizationId} AND c.agent_id = ${agent}.id
    AND c.snoozed_by IS NULL) AS chat_count,
  (SELECT count(*)::integer FROM chat_offers o WHERE o.organization_id = ${organizationId} AND o.agent_id = ${agent}.id
    AND o.ended_at IS NULL) AS offer_count`;

const drift = (isOf: IsOf) => `
  SELECT "organizationId", "agentId" FROM (
    SELECT a.organization_id AS "organizationId", a.id AS "agentId", a.open_chats, a.pending_offers, ${COUNTED('a')}
    FROM agents a WHERE ${isOf('a')}) counted
  WHERE (open_chats, pending_offers) <> (chat_count, offer_count)`;

/** The agents whose counters are wrong. */
export function findDrift(manager: EntityManager): Promise<{ organizationId: string; agentId: string }[]> {
  return listEverywhere(manager, drift, []);
}

const LOCK_AGENT = 'SELECT FROM agents WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';
const CORRECT = `
  UPDATE agents a SET open_chats = counted.chat_count, pending_offers = counted.offer_count
  FROM (SELECT ${COUNTED('b', '$1')} FROM agents b WHERE b.organization_id = $1 AND b.id = $2) AS counted
  WHERE a.organization_id = $1 AND a.id = $2 AND (a.open_chats, a.pending_offers) <> (counted.chat_count, counted.offer_count)`;

/**
 * Corrects an agent's counters. Returns whether they were wrong. Counting is a separate statement after the lock: it sees every
 * change whose transaction has updated the counters, and none whose transaction still waits for the lock.
 */
export async function correctLoad(tx: EntityManager, organizationId: string, agentId: string): Promise<boolean> {
  await tx.query(LOCK_AGENT, [organizationId, agentId]);
  const [, count] = (await tx.query(CORRECT, [organizationId, agentId])) as [unknown, number];
  return count > 0;
}
