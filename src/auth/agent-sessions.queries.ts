import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Role } from '../agents/role.js';

/** An agent who is signed in, as every request reads it from the database. */
export interface AgentIdentity {
  organizationId: string;
  agentId: string;
  name: string;
  role: Role;
  sessionId: string;
  /** The end of the session, however much it is used. */
  expiresAt: Date;
}

/** A session that lives, with the time of its last use that is stored. */
export type FoundSession = AgentIdentity & { lastUsedAt: Date };

// A session that lives: `s` of the agent `a` of the organization `o`, at $2, unused since $3 at the most.
const LIVES = `s.expires_at > $2 AND s.last_used_at > $3 AND a.is_enabled AND o.deleted_at IS NULL`;

const FIND_SESSIONS = `
  SELECT s.token_hash AS "tokenHash", s.organization_id AS "organizationId", s.agent_id AS "agentId", a.name, a.role,
    s.id AS "sessionId", s.expires_at AS "expiresAt", s.last_used_at AS "lastUsedAt"
  FROM agent_sessions s
  JOIN agents a ON a.organization_id = s.organization_id AND a.id = s.agent_id
  JOIN organizations o ON o.id = s.organization_id
  WHERE s.token_hash = ANY ($1::bytea[]) AND ${LIVES}`;

/**
 * The sessions of tokens, in the order of their hashes; null for a token that is unknown, has ended, or whose agent is
 * disabled or gone.
 * @param usedAfter sessions that were not used since have ended
 */
export async function findSessions(
  pool: Pool,
  tokenHashes: readonly Buffer[],
  now: Date,
  usedAfter: Date,
): Promise<(FoundSession | null)[]> {
  const distinct = new Map(tokenHashes.map((hash) => [hash.toString('latin1'), hash]));
  const query = { name: 'find-agent-sessions', text: FIND_SESSIONS, values: [[...distinct.values()], now, usedAfter] };
  const { rows } = await pool.query<FoundSession & { tokenHash: Buffer }>(query);
  const found = new Map(rows.map(({ tokenHash, ...session }) => [tokenHash.toString('latin1'), session]));
  return tokenHashes.map((hash) => found.get(hash.toString('latin1')) ?? null);
}

export interface SessionUse {
  organizationId: string;
  sessionId: string;
  at: Date;
}

const RECORD_USES = `
  UPDATE agent_sessions s SET last_used_at = u.at
  FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS u (organization_id, id, at)
  WHERE s.organization_id = u.organization_id AND s.id = u.id AND s.last_used_at < u.at`;

export async function recordSessionUses(pool: Pool, uses: SessionUse[]): Promise<void> {
  const values = [uses.map((use) => use.organizationId), uses.map((use) => use.sessionId), uses.map((use) => use.at)];
  await pool.query(RECORD_USES, values);
}

const LOCK_AGENT = `
  SELECT a.id AS "agentId", a.name, a.role, a.is_enabled AND o.deleted_at IS NULL AS "maySignIn"
  FROM agents a JOIN organizations o ON o.id = a.organization_id
  WHERE a.organization_id = $1 AND a.id = $2 FOR NO KEY UPDATE OF a`;

/** An agent whose row is locked: sessions of one agent begin and end one after the other. */
export interface LockedAgent {
  agentId: string;
  name: string;
  role: Role;
  /** Whether the agent is enabled, and the organization is there. */
  maySignIn: boolean;
}

export async function lockAgent(tx: EntityManager, organizationId: string, id: string): Promise<LockedAgent | null> {
  const rows: LockedAgent[] = await tx.query(LOCK_AGENT, [organizationId, id]);
  return rows[0] ?? null;
}
