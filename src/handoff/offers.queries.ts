import type { EntityManager } from 'typeorm';
import { sqlHasRoom, sqlIsOnline } from '../agents/presence-sql.js';
import type { LockedChat } from '../chats/chat-transitions.queries.js';
import type { Named } from '../chats/chat-state.js';

const COUNT_MISS = `
  UPDATE agents SET missed_offers = missed_offers + 1 WHERE organization_id = $1 AND id = $2
  RETURNING missed_offers AS missed`;

/** Counts an offer that expired; returns how many did in a row. */
export async function countMiss(tx: EntityManager, organizationId: string, agentId: string): Promise<number> {
  const [rows] = (await tx.query(COUNT_MISS, [organizationId, agentId])) as [{ missed: number }[], number];
  return rows[0]?.missed ?? 0;
}

const FORGET = `UPDATE agents SET missed_offers = 0 WHERE organization_id = $1 AND id = $2 AND missed_offers > 0`;

export async function forgetMisses(tx: EntityManager, organizationId: string, agentId: string): Promise<void> {
  await tx.query(FORGET, [organizationId, agentId]);
}

/** Who was asked for a chat, or had it, is not asked again for this time, in minutes. */
const REST = 5;

// An agent `a` whom routing may ask for the chat `c`.
const canTake = `
  NOT EXISTS (SELECT FROM chat_offers o WHERE o.organization_id = c.organization_id AND o.chat_id = c.id AND o.agent_id = a.id
      AND o.created_at > clock_timestamp() - interval '${REST} min')
  AND NOT EXISTS (SELECT FROM handoffs h WHERE h.organization_id = c.organization_id AND h.chat_id = c.id
      AND h.previous_agent_id = a.id AND h.began_at > clock_timestamp() - interval '${REST} min')
  AND (c.last_agent_id IS DISTINCT FROM a.id OR c.agent_left_at IS NULL
    OR c.agent_left_at <= clock_timestamp() - interval '${REST} min')`;

// The agents with room are found once for each group, and not for each chat.
const FIND_NEXT = `
  WITH free AS MATERIALIZED (
    SELECT m.group_id, a.organization_id, a.id
    FROM groups g
    JOIN agent_groups m ON m.organization_id = g.organization_id AND m.group_id = g.id
    JOIN agents a ON a.organization_id = m.organization_id AND a.id = m.agent_id
    WHERE g.organization_id = $1 AND g.routing <> 'MANUAL' AND ${sqlHasRoom('a')} AND ${sqlIsOnline('a')}
  )
  SELECT next.id FROM (SELECT DISTINCT group_id FROM free) f CROSS JOIN LATERAL (
    SELECT c.id, c.queued_at FROM chats c
    WHERE c.organization_id = $1 AND c.group_id = f.group_id AND c.status = 'QUEUED' AND c.erased_at IS NULL
      AND NOT c.id = ANY ($2)
      AND NOT EXISTS (SELECT FROM chat_offers o
        WHERE o.organization_id = c.organization_id AND o.chat_id = c.id AND o.ended_at IS NULL)
      AND EXISTS (SELECT FROM free a WHERE a.group_id = f.group_id AND ${canTake})
    ORDER BY c.queued_at, c.id LIMIT 1
  ) next
  ORDER BY next.queued_at, next.id LIMIT 1`;

/** The chat of an organization that waits longest among those that routing can give to an agent; null when there is none. */
export async function findNext(
  manager: EntityManager,
  organizationId: string,
  except: readonly string[],
): Promise<string | null> {
  const rows: { id: string }[] = await manager.query(FIND_NEXT, [organizationId, except]);
  return rows[0]?.id ?? null;
}

const TRY_LOCK = 'SELECT FROM chats WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE SKIP LOCKED';

/** Locks a chat unless another transaction holds it; returns whether it did. */
export async function tryLock(tx: EntityManager, organizationId: string, chatId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(TRY_LOCK, [organizationId, chatId]);
  return rows.length > 0;
}

// The lock makes PostgreSQL look at the agent's load again: of two nodes that want the last room one gets it.
const PICK_AGENT = `
  SELECT a.id, a.name, g.routing, g.offer_seconds AS "offerSeconds"
  FROM chats c
  JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id AND g.routing <> 'MANUAL'
  JOIN agent_groups m ON m.organization_id = g.organization_id AND m.group_id = g.id
  JOIN agents a ON a.organization_id = m.organization_id AND a.id = m.agent_id
  WHERE c.organization_id = $1 AND c.id = $2 AND ${sqlHasRoom('a')} AND ${sqlIsOnline('a')} AND ${canTake}
  ORDER BY a.open_chats + a.pending_offers, a.last_assigned_at NULLS FIRST, a.id
  LIMIT 1
  FOR NO KEY UPDATE OF a SKIP LOCKED`;

/** The agent who gets a chat, or is asked for it. */
export interface PickedAgent extends Named {
  routing: 'OFFER' | 'AUTOMATIC';
  offerSeconds: number;
}

/** Picks the agent with the fewest chats, then the one who waited longest, and locks that agent; null when none is free. */
export async function pickAgent(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<PickedAgent | null> {
  const rows: PickedAgent[] = await tx.query(PICK_AGENT, [organizationId, chatId]);
  return rows[0] ?? null;
}

const INSERT = `
  INSERT INTO chat_offers (organization_id, id, chat_id, handoff_id, agent_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6::timestamptz + make_interval(secs => $7))
  RETURNING expires_at AS "expiresAt"`;

export async function insertOffer(
  tx: EntityManager,
  organizationId: string,
  id: string,
  chat: LockedChat,
  { id: agentId, offerSeconds }: PickedAgent,
): Promise<Date> {
  const values = [organizationId, id, chat.id, chat.handoff!.id, agentId, chat.now, offerSeconds];
  const [row]: { expiresAt: Date }[] = await tx.query(INSERT, values);
  return row!.expiresAt;
}

const REMOVED_AT_ONCE = 500;

// Counts what it found, and not what it removed: another call may have removed some of it meanwhile, and more may be left.
const REMOVE_SOME = `
  WITH picked AS MATERIALIZED (
    SELECT id FROM chat_offers WHERE organization_id = $1 AND agent_id = $2 AND ended_at IS NOT NULL
    LIMIT ${REMOVED_AT_ONCE}
  ), removed AS (
    DELETE FROM chat_offers WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT id FROM picked))
  )
  SELECT count(*)::integer AS found FROM picked`;

/** Removes the offers of an agent that have ended, some at a time: there may be very many. */
export async function removeEndedOffers(
  manager: EntityManager,
  organizationId: string,
  agentId: string,
): Promise<void> {
  for (let found = REMOVED_AT_ONCE; found === REMOVED_AT_ONCE;) {
    const [row]: { found: number }[] = await manager.query(REMOVE_SOME, [organizationId, agentId]);
    found = row!.found;
  }
}
