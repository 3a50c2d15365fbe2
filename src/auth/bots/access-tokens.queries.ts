import type { Pool } from 'pg';
import { readReferences } from '../../platform/database/citus/copies.js';
import type { Scope } from './scope.js';

/** The bot that a token belongs to. */
export interface BotIdentity {
  organizationId: string;
  botId: string;
  name: string;
  isAi: boolean;
  tokenId: string;
  /** What the token may do; null: everything. */
  scopes: Scope[] | null;
  /** Whether it may only act in chats that it has: by its own setting, or its organization's. */
  onlyOwnChats: boolean;
}

const FIND_CALLERS = `
  SELECT t.token_hash AS "tokenHash", t.organization_id AS "organizationId", t.bot_id AS "botId", b.name, b.is_ai AS "isAi", t.id AS "tokenId", t.scopes,
    b.only_own_chats OR o.only_own_chats AS "onlyOwnChats"
  FROM access_tokens t
  JOIN bots b ON b.organization_id = t.organization_id AND b.id = t.bot_id
  JOIN organizations o ON o.id = t.organization_id AND o.deleted_at IS NULL
  WHERE t.token_hash = ANY ($1::bytea[]) AND (t.expires_at IS NULL OR t.expires_at > $2)`;

/**
 * The bots of tokens, in the order of their hashes; null if a token is unknown or has expired.
 * @param pool for reads of reference tables
 */
export async function findCallers(
  pool: Pool,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<(BotIdentity | null)[]> {
  const distinct = new Map(tokenHashes.map((hash) => [hash.toString('latin1'), hash]));
  const query = { name: 'find-callers', text: FIND_CALLERS, values: [[...distinct.values()], now] };
  const rows = await readReferences<BotIdentity & { tokenHash: Buffer }>(pool, query);
  const found = new Map(rows.map(({ tokenHash, ...bot }) => [tokenHash.toString('latin1'), bot]));
  return tokenHashes.map((hash) => found.get(hash.toString('latin1')) ?? null);
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
