import type { EntityManager } from 'typeorm';
import { type AgentKey, sqlIsConnected, sqlLastOnlineAt } from '../agents/presence.queries.js';
import { sqlIsOnline } from '../agents/presence-sql.js';
import type { UnassignReason } from '../chats/model/chat-transitions.js';
import { newId } from '../platform/lib/ids.js';

// These statements look at all organizations: they are the sweeps of the service itself.

/** A chat for which a time has come. */
export interface DueChat {
  organizationId: string;
  chatId: string;
}

/** A chat with the offer that is to end. */
export interface DueOffer extends DueChat {
  offerId: string;
}

const DUE_OFFERS = `
  SELECT organization_id AS "organizationId", chat_id AS "chatId", id AS "offerId" FROM chat_offers
  WHERE ended_at IS NULL AND expires_at <= clock_timestamp() ORDER BY expires_at LIMIT $1`;

/** The offers that have expired. */
export function listExpiredOffers(manager: EntityManager, limit: number): Promise<DueOffer[]> {
  return manager.query(DUE_OFFERS, [limit]);
}

// The agent's presence left ONLINE, or the group no longer offers. Absence counts when nodes are settled.
const lostOffers = (areNodesSettled: string, which: string) => `
  SELECT o.organization_id AS "organizationId", o.chat_id AS "chatId", o.id AS "offerId"
  FROM chat_offers o
  JOIN chats c ON c.organization_id = o.organization_id AND c.id = o.chat_id
  JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id
  JOIN agents a ON a.organization_id = o.organization_id AND a.id = o.agent_id
  WHERE o.ended_at IS NULL AND (g.routing <> 'OFFER' OR NOT a.is_accepting OR NOT a.is_enabled
    OR (${areNodesSettled} AND NOT ${sqlIsOnline('a')})) ${which}`;
const LOST_OFFERS = lostOffers('$2::boolean', 'LIMIT $1');
const LOST_OFFER = lostOffers('true', 'AND o.organization_id = $1 AND o.id = $2');

/** The offers that are to be withdrawn. @param areNodesSettled whether absent agents are absent (`ThisNode.isSettled`) */
export function listLostOffers(manager: EntityManager, limit: number, areNodesSettled: boolean): Promise<DueOffer[]> {
  return manager.query(LOST_OFFERS, [limit, areNodesSettled]);
}

/** Whether an offer is to be withdrawn; exact while its chat is locked. */
export async function isLost(tx: EntityManager, organizationId: string, offerId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(LOST_OFFER, [organizationId, offerId]);
  return rows.length > 0;
}

const DUE_HANDOFFS = `
  SELECT chat_id AS "chatId", organization_id AS "organizationId" FROM handoffs
  WHERE ended_at IS NULL AND unanswered_at IS NULL AND due_at <= clock_timestamp() ORDER BY due_at LIMIT $1`;

/** The chats that no agent took in time. */
export function listUnanswered(manager: EntityManager, limit: number): Promise<DueChat[]> {
  return manager.query(DUE_HANDOFFS, [limit]);
}

/** A chat whose agent is gone. */
export interface LeftChat extends DueChat {
  agentId: string;
  reason: UnassignReason;
}

// The chat waits from the latest of: the end of the agent's last connection, the assignment, the agent's last message in it.
const leftChats = (areNodesSettled: string, which: string) => `
  SELECT c.organization_id AS "organizationId", c.id AS "chatId", a.id AS "agentId",
    CASE WHEN a.is_enabled THEN 'OFFLINE' ELSE 'DISABLED' END AS reason
  FROM agents a
  JOIN chats c ON c.organization_id = a.organization_id AND c.agent_id = a.id
  JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id
  WHERE a.open_chats > 0 AND c.erased_at IS NULL AND (NOT a.is_enabled OR (
    ${areNodesSettled} AND g.offline_reassign_seconds > 0 AND NOT ${sqlIsConnected('a')}
    AND GREATEST(c.assigned_at, c.agent_wrote_at, ${sqlLastOnlineAt('a')})
      <= clock_timestamp() - make_interval(secs => g.offline_reassign_seconds)))
  ${which}`;
const LEFT_CHATS = leftChats('$2::boolean', 'LIMIT $1');
const LEFT_CHAT = leftChats('true', 'AND a.organization_id = $1 AND c.id = $2');

/**
 * The chats whose agents are disabled, or were offline for too long.
 * @param areNodesSettled whether absent agents are absent (`ThisNode.isSettled`)
 */
export function listLeftChats(manager: EntityManager, limit: number, areNodesSettled: boolean): Promise<LeftChat[]> {
  return manager.query(LEFT_CHATS, [limit, areNodesSettled]);
}

/** The same of one chat; exact while it is locked. Null when its agent is there, or it has none. */
export async function findLeftChat(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<LeftChat | null> {
  const rows: LeftChat[] = await tx.query(LEFT_CHAT, [organizationId, chatId]);
  return rows[0] ?? null;
}

const LEAVERS = `
  SELECT organization_id AS "organizationId", id AS "agentId" FROM agents
  WHERE groups_left_at IS NOT NULL ORDER BY groups_left_at LIMIT $1`;

/** The agents whose groups or role were set lately. */
export function listLeavers(manager: EntityManager, limit: number): Promise<AgentKey[]> {
  return manager.query(LEAVERS, [limit]);
}

// Longer than any transaction that has read the groups before they were set.
const FORGET_LEAVER = `
  UPDATE agents SET groups_left_at = NULL
  WHERE organization_id = $1 AND id = $2 AND groups_left_at <= clock_timestamp() - interval '15 s'`;

/** Notes that an agent has no chat left in groups that were left; does nothing in the first 15 s. */
export async function forgetLeaver(manager: EntityManager, { organizationId, agentId }: AgentKey): Promise<void> {
  await manager.query(FORGET_LEAVER, [organizationId, agentId]);
}

const MARK_UNANSWERED = `
  UPDATE handoffs SET unanswered_at = $3 WHERE organization_id = $1 AND id = $2`;

export async function markUnanswered(tx: EntityManager, organizationId: string, handoffId: string, at: Date) {
  await tx.query(MARK_UNANSWERED, [organizationId, handoffId, at]);
}

// Nodes of the release before queue chats without a hand-off, and chats waited before there were any. These never become
// unanswered.
const ADOPT = `
  WITH lost AS (
    SELECT c.organization_id, c.id, c.group_id, COALESCE(c.queued_at, c.status_changed_at) AS since
    FROM chats c
    WHERE c.status = 'QUEUED' AND c.erased_at IS NULL AND NOT EXISTS (
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

/** Begins hand-offs for waiting chats that have none; returns how many. */
export async function adoptChats(manager: EntityManager, limit: number): Promise<number> {
  const ids = Array.from({ length: limit }, () => newId('hof'));
  const [row]: { adopted: number }[] = await manager.query(ADOPT, [ids]);
  return row!.adopted;
}

const COUNTED = (agent: string) => `
  (SELECT count(*)::integer FROM chats c WHERE c.organization_id = ${agent}.organization_id AND c.agent_id = ${agent}.id) AS chat_count,
  (SELECT count(*)::integer FROM chat_offers o WHERE o.organization_id = ${agent}.organization_id AND o.agent_id = ${agent}.id
    AND o.ended_at IS NULL) AS offer_count`;

const FIND_DRIFT = `
  SELECT "organizationId", "agentId" FROM (
    SELECT a.organization_id AS "organizationId", a.id AS "agentId", a.open_chats, a.pending_offers, ${COUNTED('a')}
    FROM agents a) counted
  WHERE (open_chats, pending_offers) <> (chat_count, offer_count)`;

/** The agents whose counters are not what is there. */
export function findDrift(manager: EntityManager): Promise<{ organizationId: string; agentId: string }[]> {
  return manager.query(FIND_DRIFT);
}

const LOCK_AGENT = 'SELECT FROM agents WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';
const CORRECT = `
  UPDATE agents a SET open_chats = counted.chat_count, pending_offers = counted.offer_count
  FROM (SELECT ${COUNTED('b')} FROM agents b WHERE b.organization_id = $1 AND b.id = $2) AS counted
  WHERE a.organization_id = $1 AND a.id = $2 AND (a.open_chats, a.pending_offers) <> (counted.chat_count, counted.offer_count)`;

/**
 * Corrects the counters of an agent; returns whether they were wrong. The count is a statement of its own after the lock: it
 * sees every change whose transaction has counted, and none whose transaction still waits for the lock.
 */
export async function correctLoad(tx: EntityManager, organizationId: string, agentId: string): Promise<boolean> {
  await tx.query(LOCK_AGENT, [organizationId, agentId]);
  const [, count] = (await tx.query(CORRECT, [organizationId, agentId])) as [unknown, number];
  return count > 0;
}
