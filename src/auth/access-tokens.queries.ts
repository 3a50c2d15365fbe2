import type { Pool } from 'pg';

/** The bot behind a token. */
export interface BotIdentity {
  organizationId: string;
  botId: string;
  name: string;
  tokenId: string;
}

const FIND_CALLER = `
  SELECT t.organization_id AS "organizationId", t.bot_id AS "botId", b.name, t.id AS "tokenId"
  FROM access_tokens t
  JOIN bots b ON b.organization_id = t.organization_id AND b.id = t.bot_id
  WHERE t.token_hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)`;

/** One query a request and nothing remembered: a revoked token is dead once the revoking call has answered. */
export async function findCaller(pool: Pool, tokenHash: Buffer, now: Date): Promise<BotIdentity | null> {
  const { rows } = await pool.query<BotIdentity>({ name: 'find-caller', text: FIND_CALLER, values: [tokenHash, now] });
  return rows[0] ?? null;
}

export interface TokenUse {
  organizationId: string;
  tokenId: string;
  at: Date;
}

const RECORD_USES = `
  UPDATE access_tokens t SET last_used_at = u.at
  FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS u (organization_id, id, at)
  WHERE t.organization_id = u.organization_id AND t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at)`;

export async function recordUses(pool: Pool, uses: TokenUse[]): Promise<void> {
  const values = [uses.map((use) => use.organizationId), uses.map((use) => use.tokenId), uses.map((use) => use.at)];
  await pool.query(RECORD_USES, values);
}
