import type { EntityManager } from 'typeorm';
import type { PendingOffer } from '../chats/moves/chat-transitions.queries.js';

// Offers that ran at the same time as one that was counted are the same miss.
const COUNT_MISS = `
  UPDATE agents SET missed_offers = missed_offers + 1, last_miss_at = $4
  WHERE organization_id = $1 AND id = $2 AND (last_miss_at IS NULL OR last_miss_at <= $3)
  RETURNING missed_offers AS missed`;

/** Counts an offer that expired; returns how many did in a row, null when it is part of the miss that was counted last. */
export async function countMiss(
  tx: EntityManager,
  organizationId: string,
  { agentId, madeAt, expiresAt }: PendingOffer,
): Promise<number | null> {
  const values = [organizationId, agentId, madeAt, expiresAt];
  const [rows] = (await tx.query(COUNT_MISS, values)) as [{ missed: number }[], number];
  return rows[0]?.missed ?? null;
}

const FORGET = `UPDATE agents SET missed_offers = 0 WHERE organization_id = $1 AND id = $2 AND missed_offers > 0`;

export async function forgetMisses(tx: EntityManager, organizationId: string, agentId: string): Promise<void> {
  await tx.query(FORGET, [organizationId, agentId]);
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
