import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';

/** The agent that a link signs in. */
export interface LinkTarget {
  organizationId: string;
  agentId: string;
}

const FIND_LINKS = `
  SELECT token_hash AS "tokenHash", organization_id AS "organizationId", agent_id AS "agentId" FROM sign_in_links
  WHERE token_hash = ANY ($1::bytea[]) AND expires_at > $2`;

/** The agents of links, in the order of `tokenHashes`; null if a link is unknown, used, or expired. */
export async function findLinks(pool: Pool, tokenHashes: readonly Buffer[], now: Date): Promise<(LinkTarget | null)[]> {
  const query = { name: 'find-links', text: FIND_LINKS, values: [tokenHashes, now] };
  const { rows } = await pool.query<LinkTarget & { tokenHash: Buffer }>(query);
  const found = new Map(rows.map(({ tokenHash, ...target }) => [tokenHash.toString('latin1'), target]));
  return tokenHashes.map((hash) => found.get(hash.toString('latin1')) ?? null);
}

const REDEEM_LINK = `DELETE FROM sign_in_links WHERE organization_id = $1 AND token_hash = $2 RETURNING id`;

/** Uses a link up. Returns false if another request has used it. The agent's row must be locked. */
export async function redeemLink(tx: EntityManager, organizationId: string, tokenHash: Buffer): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(REDEEM_LINK, [organizationId, tokenHash]);
  return count > 0;
}
