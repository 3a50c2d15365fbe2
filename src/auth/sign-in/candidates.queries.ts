import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { isDistributed, type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';

/** An agent who may sign in with a password. */
export interface Candidate {
  organizationId: string;
  organizationName: string;
  agentId: string;
  passwordHash: string;
}

/** The agents to try. */
interface Candidates {
  candidates: Candidate[];
  /** Why there may be more: a worker of a Citus cluster can't be reached. */
  failure: Error | null;
}

const findBy = (condition: string) => `
  SELECT a.organization_id AS "organizationId", o.name AS "organizationName", a.id AS "agentId", a.password_hash AS "passwordHash"
  FROM agents a JOIN organizations o ON o.id = a.organization_id
  WHERE ${condition} AND a.password_hash IS NOT NULL AND a.is_enabled AND o.deleted_at IS NULL`;
const OF_ORGANIZATION = findBy('a.organization_id = $1 AND a.email_key = $2');
const OF_ALL = `${findBy('a.email_key = $1')}
  ORDER BY (SELECT max(s.created_at) FROM agent_sessions s
            WHERE s.organization_id = a.organization_id AND s.agent_id = a.id) DESC NULLS LAST, a.organization_id
  LIMIT $2`;

// On a Citus cluster, sessions are on the coordinator, and agents on the workers.
const findWithAddress = (isOf: IsOf) => findBy(`a.email_key = $1 AND ${isOf('a')}`);
const FIND_LATEST = `
  SELECT s.organization_id AS "organizationId", s.agent_id AS "agentId", max(s.created_at) AS at
  FROM unnest($1::text[], $2::text[]) AS k (organization_id, agent_id)
  JOIN agent_sessions s ON s.organization_id = k.organization_id AND s.agent_id = k.agent_id
  GROUP BY s.organization_id, s.agent_id`;

/** The agents with an email address on a Citus cluster, in no order. */
export async function findOnCluster(pool: Pool, emailKey: string): Promise<Candidates> {
  let failure: Error | null = null;
  const onLeftOut = (error: Error) => (failure = error);
  const query = { name: 'find-with-address', text: findWithAddress, values: [emailKey], onLeftOut };
  return { candidates: await queryEverywhere<Candidate>(pool, query), failure };
}

async function orderByLatest(pool: Pool, candidates: Candidate[]): Promise<Candidate[]> {
  if (candidates.length < 2) return candidates;
  const ids = [candidates.map(({ organizationId }) => organizationId), candidates.map(({ agentId }) => agentId)];
  const { rows } = await pool.query<{ organizationId: string; agentId: string; at: Date }>(FIND_LATEST, ids);
  const latest = ({ organizationId, agentId }: Candidate) =>
    rows.find((row) => row.organizationId === organizationId && row.agentId === agentId)?.at.getTime() ?? 0;
  return candidates.toSorted((a, b) => latest(b) - latest(a));
}

/**
 * The agents with a folded email address, by their latest sign-in.
 * @param organizationId searches this organization only; undefined: all
 */
export async function findCandidates(
  pool: Pool,
  emailKey: string,
  organizationId: string | undefined,
  limit: number,
): Promise<Candidates> {
  const isOfOne = organizationId !== undefined;
  if (!isOfOne && isDistributed(pool)) {
    const { candidates, failure } = await findOnCluster(pool, emailKey);
    return { candidates: (await orderByLatest(pool, candidates)).slice(0, limit), failure };
  }
  const values = isOfOne ? [organizationId, emailKey] : [emailKey, limit];
  const name = isOfOne ? 'find-candidates-of-one' : 'find-candidates';
  const { rows } = await pool.query<Candidate>({ name, text: isOfOne ? OF_ORGANIZATION : OF_ALL, values });
  return { candidates: rows, failure: null };
}

const countSharedOf = (isOf: IsOf) => `
  SELECT count(*)::integer AS count FROM agents a WHERE a.password_hash IS NOT NULL AND ${isOf('a')}
  GROUP BY a.email_key ORDER BY 1 DESC LIMIT 1`;

/** The most agents of this installation who share an email address and have a password. */
export async function countShared(pool: Pool): Promise<number> {
  const query = { name: 'count-shared-emails', text: countSharedOf, values: [] };
  const rows = await queryEverywhere<{ count: number }>(pool, query);
  return Math.max(0, ...rows.map(({ count }) => count));
}

const SET_PASSWORD = `
  UPDATE agents SET password_hash = $3 WHERE organization_id = $1 AND id = $2`;

export async function setPassword(
  manager: EntityManager,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  hash: string,
): Promise<void> {
  await manager.query(SET_PASSWORD, [organizationId, agentId, hash]);
}
