import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import type { Pool, PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { sqlHasRoom, sqlIsOnline } from '../agents/presence.queries.js';
import type { Named } from '../chats/reading/chat-state.js';
import { sqlIsOpen } from '../organizations/office-hours.queries.js';
import { type IsOf, queryEverywhere } from '../platform/database/citus/per-organization.js';
import { poolOf } from '../platform/database/pool.js';
import { queryNamed } from '../platform/database/transaction.js';

const listWaitingOf = (isOf: IsOf) => `
  SELECT DISTINCT g.organization_id AS id FROM groups g
  WHERE g.routing <> 'MANUAL' AND ${isOf('g')} AND ${sqlIsOpen('g')} AND ${sqlIsOfExisting('g')} AND EXISTS (
    SELECT FROM chats c WHERE c.organization_id = g.organization_id AND c.group_id = g.id
      AND c.status = 'QUEUED' AND c.erased_at IS NULL)`;

/** The organizations with a waiting chat that routing may assign or offer. */
export async function listWaiting(manager: EntityManager): Promise<string[]> {
  const query = { text: listWaitingOf, values: [] };
  const rows = await queryEverywhere<{ id: string }>(poolOf(manager.connection), query);
  return rows.map(({ id }) => id);
}

/** Minutes before an agent can be offered the same chat again, or get it back. */
const REOFFER_AFTER_MINUTES = 5;

// Whether an agent `a` has room for a chat of the group `g`.
const hasRoom = `(${sqlHasRoom('a')} AND (g.routing <> 'OFFER' OR a.pending_offers < g.max_pending_offers))`;

// Whether routing may pick the agent `a` for the chat `c`.
const canTake = `
  NOT EXISTS (SELECT FROM chat_offers o WHERE o.organization_id = $1 AND o.chat_id = c.id AND o.agent_id = a.id
      AND o.created_at > clock_timestamp() - interval '${REOFFER_AFTER_MINUTES} min')
  AND NOT EXISTS (SELECT FROM handoffs h WHERE h.organization_id = $1 AND h.chat_id = c.id
      AND h.previous_agent_id = a.id AND h.began_at > clock_timestamp() - interval '${REOFFER_AFTER_MINUTES} min')
  AND (c.last_agent_id IS DISTINCT FROM a.id OR c.agent_left_at IS NULL
    OR c.agent_left_at <= clock_timestamp() - interval '${REOFFER_AFTER_MINUTES} min')`;

// Finds the agents with room once per group, not per chat. A chat that a node of the previous release has queued has no hand-off
// yet.
const FIND_NEXT = `
  WITH free AS MATERIALIZED (
    SELECT m.group_id, a.organization_id, a.id
    FROM groups g
    JOIN agent_groups m ON m.organization_id = g.organization_id AND m.group_id = g.id
    JOIN agents a ON a.organization_id = m.organization_id AND a.id = m.agent_id
    WHERE g.organization_id = $1 AND g.routing <> 'MANUAL' AND ${sqlIsOpen('g')} AND ${hasRoom} AND ${sqlIsOnline('a', '$1')}
  )
  SELECT next.id FROM (SELECT DISTINCT group_id FROM free) f CROSS JOIN LATERAL (
    SELECT c.id, c.queued_at FROM chats c
    WHERE c.organization_id = $1 AND c.group_id = f.group_id AND c.status = 'QUEUED' AND c.erased_at IS NULL
      AND NOT c.id = ANY ($2)
      AND NOT EXISTS (SELECT FROM chat_offers o
        WHERE o.organization_id = $1 AND o.chat_id = c.id AND o.ended_at IS NULL)
      AND EXISTS (SELECT FROM free a WHERE a.group_id = f.group_id AND ${canTake})
      AND EXISTS (SELECT FROM handoffs h
        WHERE h.organization_id = $1 AND h.chat_id = c.id AND h.ended_at IS NULL)
    ORDER BY c.queued_at, c.id LIMIT 1
  ) next
  ORDER BY next.queued_at, next.id LIMIT 1`;

/** The organization's longest-waiting chat that an agent can take now; null if there is none. */
export async function findNext(
  client: Pool | PoolClient,
  organizationId: string,
  except: readonly string[],
): Promise<string | null> {
  const values = [organizationId, except];
  const { rows } = await client.query<{ id: string }>({ name: 'routing-next', text: FIND_NEXT, values });
  return rows[0]?.id ?? null;
}

// The lock makes PostgreSQL check the agent's load again, so that only one of two nodes gets an agent's last room.
const PICK_AGENT = `
  SELECT a.id, a.name, g.routing, g.offer_seconds AS "offerSeconds"
  FROM chats c
  JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id AND g.routing <> 'MANUAL'
    AND ${sqlIsOpen('g')}
  JOIN agent_groups m ON m.organization_id = g.organization_id AND m.group_id = g.id
  JOIN agents a ON a.organization_id = m.organization_id AND a.id = m.agent_id
  WHERE c.organization_id = $1 AND c.id = $2 AND ${hasRoom} AND ${sqlIsOnline('a', '$1')} AND ${canTake}
  ORDER BY a.open_chats + a.pending_offers, a.last_assigned_at NULLS FIRST, a.id
  LIMIT 1
  FOR NO KEY UPDATE OF a`;

/** The agent who is assigned or offered a chat. */
export interface PickedAgent extends Named {
  routing: 'OFFER' | 'AUTOMATIC';
  offerSeconds: number;
}

/**
 * Picks and locks the agent with the fewest chats, or the one of them who waited longest; null if no agent has room. It waits for
 * an agent that another transaction has locked only if there is no other.
 */
export async function pickAgent(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<PickedAgent | null> {
  const values = [organizationId, chatId];
  const text = `${PICK_AGENT} SKIP LOCKED`;
  const [free] = await queryNamed<PickedAgent>(tx, { name: 'routing-pick-agent', text, values });
  if (free) return free;
  const [freed] = await queryNamed<PickedAgent>(tx, { name: 'routing-wait-for-agent', text: PICK_AGENT, values });
  return freed ?? null;
}
