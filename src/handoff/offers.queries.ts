import type { EntityManager } from 'typeorm';
import type { PendingOffer } from '../chats/moves/chat-transitions.queries.js';

// Offers that overlapped with a counted one are part of the same miss.
const COUNT_MISS = `
  UPDATE agents SET missed_offers = missed_offers + 1, last_miss_at = $4
  WHERE organization_id = $1 AND id = $2 AND (last_miss_at IS NULL OR last_miss_at <= $3)
  RETURNING missed_offers AS missed`;

/** Counts an expired offer. Returns the misses in a row; null if it is part of the last counted one. */
export async function countMiss(
  tx: EntityManager,
  organizationId: string,
  { agentId, madeAt, expiresAt }: PendingOffer,
): Promise<number | null> {
  const values = [organizationId, agentId, madeAt, expiresAt];
  const [rows] = (await tx.query(COUNT_MISS, values)) as [{ missed: number }[], number];
  return rows[0]?.missed ?? null;
}

const RESET_MISSES = `UPDATE agents SET missed_offers = 0 WHERE organization_id = $1 AND id = $2 AND missed_offers > 0`;

export async function resetMisses(tx: EntityManager, organizationId: string, agentId: string): Promise<void> {
  await tx.query(RESET_MISSES, [organizationId, agentId]);
}

const REMOVAL_BATCH = 500;

// Counts what it found, not what it removed: a concurrent call may have removed some of it, and more may remain.
const REMOVE_SOME = `
  WITH picked AS MATERIALIZED (
    SELECT id FROM chat_offers WHERE organization_id = $1 AND agent_id = $2 AND ended_at IS NOT NULL
    LIMIT ${REMOVAL_BATCH}
  ), removed AS (
    DELETE FROM chat_offers WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT id FROM picked))
  )
  SELECT count(*)::integer AS found FROM picked`;

/** Removes an agent's ended offers in batches, because there may be very many. */
export async function removeEndedOffers(
  manager: EntityManager,
  organizationId: string,
  agentId: string,
): Promise<void> {
  for (let found = REMOVAL_BATCH; found === REMOVAL_BATCH;) {
    const [row]: { found: number }[] = await manager.query(REMOVE_SOME, [organizationId, agentId]);
    found = row!.found;
  }
}
