import type { EntityManager } from 'typeorm';

/** The offers in a row after whose expiry an agent is no longer accepting. */
const MAX_MISSED = 2;

const COUNT_MISS = `
  UPDATE agents SET missed_offers = missed_offers + 1,
    is_accepting = is_accepting AND missed_offers + 1 < ${MAX_MISSED}
  WHERE organization_id = $1 AND id = $2
  RETURNING missed_offers = ${MAX_MISSED} AS "isPaused"`;

/** Counts an offer that expired; returns whether the agent is paused by it. */
export async function countMiss(tx: EntityManager, organizationId: string, agentId: string): Promise<boolean> {
  const [rows] = (await tx.query(COUNT_MISS, [organizationId, agentId])) as [{ isPaused: boolean }[], number];
  return rows[0]?.isPaused ?? false;
}

const FORGET = `UPDATE agents SET missed_offers = 0 WHERE organization_id = $1 AND id = $2 AND missed_offers > 0`;

export async function forgetMisses(tx: EntityManager, organizationId: string, agentId: string): Promise<void> {
  await tx.query(FORGET, [organizationId, agentId]);
}
