import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Role } from '../../agents/role.js';
import type { SessionEndReason } from '../context/auth.events.js';
import {
  isDistributed,
  queryOrganizations,
  sweepOrganizations,
} from '../../platform/database/citus/per-organization.js';

/** An agent who is signed in, as every request reads it from the database. */
export interface AgentIdentity {
  organizationId: string;
  agentId: string;
  name: string;
  role: Role;
  sessionId: string;
  /** When the session ends, however often it's used. */
  expiresAt: Date;
}

/** An active session, with the stored time of its last use. */
export type FoundSession = AgentIdentity & { lastUsedAt: Date };

// Whether a session `s` of the agent `a` of the organization `o` is active at $2 and was used after $3.
const IS_ACTIVE = `s.end_reason IS NULL AND s.expires_at > $2 AND s.last_used_at > $3 AND a.is_enabled AND o.deleted_at IS NULL`;

const FIND_SESSIONS = `
  SELECT s.token_hash AS "tokenHash", s.organization_id AS "organizationId", s.agent_id AS "agentId", a.name, a.role,
    s.id AS "sessionId", s.expires_at AS "expiresAt", s.last_used_at AS "lastUsedAt"
  FROM agent_sessions s
  JOIN agents a ON a.organization_id = s.organization_id AND a.id = s.agent_id
  JOIN organizations o ON o.id = s.organization_id
  WHERE s.token_hash = ANY ($1::bytea[]) AND ${IS_ACTIVE}`;

// Reads only a table that is complete on every node of a cluster.
const FIND_OWNERS = `
  SELECT DISTINCT organization_id AS id FROM agent_sessions
  WHERE token_hash = ANY ($1::bytea[]) AND expires_at > $2 AND last_used_at > $3`;

/**
 * The sessions of tokens, in the order of their hashes; null if a token is unknown, its session has ended, or its agent is
 * disabled or deleted. An Error if the worker of a Citus cluster that may have the agent couldn't be asked.
 * @param usedAfter sessions that weren't used since then have ended
 */
export async function findSessions(
  pool: Pool,
  tokenHashes: readonly Buffer[],
  now: Date,
  usedAfter: Date,
): Promise<(FoundSession | null | Error)[]> {
  let failure: Error | null = null;
  const distinct = new Map(tokenHashes.map((hash) => [hash.toString('latin1'), hash]));
  const rows = await sweepOrganizations<FoundSession & { tokenHash: Buffer }>(pool, {
    name: 'find-agent-sessions',
    text: (isOf) => `${FIND_SESSIONS} AND ${isOf('a')}`,
    values: [[...distinct.values()], now, usedAfter],
    find: () => FIND_OWNERS,
    onError: (error) => (failure = error),
  });
  const found = new Map(rows.map(({ tokenHash, ...session }) => [tokenHash.toString('latin1'), session]));
  return tokenHashes.map((hash) => found.get(hash.toString('latin1')) ?? failure);
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

const END_SESSIONS = `
  UPDATE agent_sessions SET end_reason = $3
  WHERE organization_id = $1 AND agent_id = $2 AND end_reason IS NULL`;
const END_OTHERS = `${END_SESSIONS} AND id <> $4 RETURNING id`;
const END_ONE = `${END_SESSIONS} AND id = $4 RETURNING id`;

/** Ends all sessions of an agent. */
export async function endSessions(
  tx: EntityManager,
  organizationId: string,
  agentId: string,
  reason: SessionEndReason,
): Promise<void> {
  await tx.query(END_SESSIONS, [organizationId, agentId, reason]);
}

/** Ends all sessions of an agent except one. Returns the ended ones. */
export async function endOtherSessions(
  tx: EntityManager,
  { organizationId, agentId, sessionId }: AgentIdentity,
  reason: SessionEndReason,
): Promise<string[]> {
  const [rows]: [{ id: string }[]] = await tx.query(END_OTHERS, [organizationId, agentId, reason, sessionId]);
  return rows.map(({ id }) => id);
}

/** Ends one session of an agent. Returns false if it had ended, or isn't the agent's. */
export async function endSession(
  manager: EntityManager,
  { organizationId, agentId }: AgentIdentity,
  sessionId: string,
): Promise<boolean> {
  const [rows]: [unknown[]] = await manager.query(END_ONE, [organizationId, agentId, 'SIGNED_OUT', sessionId]);
  return rows.length > 0;
}

/** A session as its agent sees it. */
export interface SessionRow {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  userAgent: string | null;
}

const LIST_SESSIONS = `
  SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt", user_agent AS "userAgent" FROM agent_sessions s
  WHERE organization_id = $1 AND agent_id = $4 AND end_reason IS NULL AND expires_at > $2 AND last_used_at > $3 AND id > $5
  ORDER BY id LIMIT $6`;

/** The active sessions of an agent. */
export function listSessions(
  manager: EntityManager,
  { organizationId, agentId }: AgentIdentity,
  { now, usedAfter }: { now: Date; usedAfter: Date },
  { after = '', limit }: { after?: string; limit: number },
): Promise<SessionRow[]> {
  return manager.query(LIST_SESSIONS, [organizationId, now, usedAfter, agentId, after, limit]);
}

// Looks up each session by its key. The sessions of a deleted agent no longer exist.
const FIND_SESSION_STATES = `
  SELECT k.ordinal::integer, CASE
      WHEN a.id IS NULL OR o.deleted_at IS NOT NULL THEN 'DELETED'
      WHEN s.end_reason IS NOT NULL THEN s.end_reason
      WHEN NOT a.is_enabled THEN 'DISABLED'
      WHEN s.id IS NULL OR s.expires_at <= $2 OR s.last_used_at <= $3 THEN 'EXPIRED'
    END AS reason, s.last_used_at AS "lastUsedAt"
  FROM unnest($1::text[], $4::text[], $5::text[]) WITH ORDINALITY AS k (organization_id, agent_id, session_id, ordinal)
  LEFT JOIN organizations o ON o.id = k.organization_id
  LEFT JOIN agents a ON a.organization_id = k.organization_id AND a.id = k.agent_id
  LEFT JOIN agent_sessions s ON s.organization_id = k.organization_id AND s.id = k.session_id`;

// A Citus cluster doesn't keep sessions where it keeps agents, so a join would read all of both of the organization.
const FIND_STORED = `
  SELECT s.end_reason AS "endReason", s.last_used_at AS "lastUsedAt",
    (s.expires_at > $2 AND s.last_used_at > $3) IS NOT TRUE AS "hasExpired"
  FROM unnest($1::text[], $4::text[]) WITH ORDINALITY AS k (organization_id, session_id, ordinal)
  LEFT JOIN agent_sessions s ON s.organization_id = k.organization_id AND s.id = k.session_id
  ORDER BY k.ordinal`;
const FIND_ENABLED = `
  SELECT k.ordinal::integer, a.is_enabled AS "isEnabled"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (organization_id, agent_id, ordinal)
  JOIN organizations o ON o.id = k.organization_id AND o.deleted_at IS NULL
  JOIN agents a ON a.organization_id = k.organization_id AND a.id = k.agent_id`;

interface StoredSession {
  endReason: SessionEndReason | null;
  lastUsedAt: Date;
  hasExpired: boolean;
}

/** Why a session ended, or null and when it was last used. */
export type SessionState = { reason: SessionEndReason } | { reason: null; lastUsedAt: Date };

/** The states of sessions, in their order; null if the worker of a Citus cluster couldn't be asked. */
export async function findSessionStates(
  pool: Pool,
  agents: readonly Pick<AgentIdentity, 'organizationId' | 'agentId' | 'sessionId'>[],
  now: Date,
  usedAfter: Date,
): Promise<(SessionState | null)[]> {
  const column = (name: 'organizationId' | 'agentId' | 'sessionId') => agents.map((agent) => agent[name]);
  if (isDistributed(pool)) {
    const { rows: stored } = await pool.query<StoredSession>(FIND_STORED, [
      column('organizationId'),
      now,
      usedAfter,
      column('sessionId'),
    ]);
    const failures = new Map<number, Error>();
    const values = [column('organizationId'), column('agentId')];
    const query = { name: 'find-enabled-agents', text: FIND_ENABLED, values, failures };
    const rows = await queryOrganizations<{ ordinal: number; isEnabled: boolean }>(pool, query);
    const enabled = new Map(rows.map(({ ordinal, isEnabled }) => [ordinal - 1, isEnabled]));
    return stored.map((session, place) => (failures.has(place) ? null : toState(session, enabled.get(place))));
  }
  const values = [column('organizationId'), now, usedAfter, column('agentId'), column('sessionId')];
  const query = { name: 'find-session-states', text: FIND_SESSION_STATES, values };
  const { rows } = await pool.query<SessionState & { ordinal: number }>(query);
  return rows.toSorted((a, b) => a.ordinal - b.ordinal);
}

/** @param isEnabled undefined: the agent was deleted */
function toState({ endReason, lastUsedAt, hasExpired }: StoredSession, isEnabled: boolean | undefined): SessionState {
  if (isEnabled === undefined) return { reason: 'DELETED' };
  if (endReason !== null) return { reason: endReason };
  if (!isEnabled) return { reason: 'DISABLED' };
  return hasExpired ? { reason: 'EXPIRED' } : { reason: null, lastUsedAt };
}

const FIND_ACCOUNT = `
  SELECT a.id AS "agentId", a.name, a.role, a.email_key AS "emailKey", a.password_hash AS "passwordHash",
    a.is_enabled AND o.deleted_at IS NULL AS "maySignIn", a.email, o.name AS "organizationName"
  FROM agents a JOIN organizations o ON o.id = a.organization_id
  WHERE a.organization_id = $1 AND a.id = $2`;
const LOCK_ACCOUNT = `${FIND_ACCOUNT} FOR NO KEY UPDATE OF a`;

/** What signing in needs to know of an agent. */
export interface AgentAccount {
  agentId: string;
  name: string;
  role: Role;
  /** The email address in lower case. */
  emailKey: string;
  /** scrypt in PHC form; null without a password. */
  passwordHash: string | null;
  /** Whether the agent is enabled and the organization exists. */
  maySignIn: boolean;
  email: string;
  organizationName: string;
}

export async function findAccount(
  manager: EntityManager,
  organizationId: string,
  agentId: string,
): Promise<AgentAccount | null> {
  const rows: AgentAccount[] = await manager.query(FIND_ACCOUNT, [organizationId, agentId]);
  return rows[0] ?? null;
}

/** Locks the agent's row, so that sessions of one agent start and end one after the other. */
export async function lockAccount(
  tx: EntityManager,
  organizationId: string,
  agentId: string,
): Promise<AgentAccount | null> {
  const rows: AgentAccount[] = await tx.query(LOCK_ACCOUNT, [organizationId, agentId]);
  return rows[0] ?? null;
}
