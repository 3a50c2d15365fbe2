import type { EntityManager } from 'typeorm';

/** The agent whom a link signs in. */
export interface LinkTarget {
  organizationId: string;
  agentId: string;
}

const FIND_LINK = `
  SELECT organization_id AS "organizationId", agent_id AS "agentId" FROM sign_in_links
  WHERE token_hash = $1 AND expires_at > $2`;

export async function findLink(manager: EntityManager, tokenHash: Buffer, now: Date): Promise<LinkTarget | null> {
  const rows: LinkTarget[] = await manager.query(FIND_LINK, [tokenHash, now]);
  return rows[0] ?? null;
}

const TAKE_LINK = `DELETE FROM sign_in_links WHERE organization_id = $1 AND token_hash = $2 RETURNING id`;

/** Uses a link up; false when another request has. The agent's row must be locked. */
export async function takeLink(tx: EntityManager, organizationId: string, tokenHash: Buffer): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(TAKE_LINK, [organizationId, tokenHash]);
  return count > 0;
}
