import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { isDistributed, type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';

/** An agent who may sign in with a password. */
export interface Candidate {
  organizationId: string;
  organizationName: string;
  agentId: string;
  passwordHash: string;
  /** Whether the agent signed in from this network before. */
  isKnown: boolean;
}

/** The agents to try. */
export interface Candidates {
  candidates: Candidate[];
  /** Why there may be more: a worker of a Citus cluster can't be reached. */
  failure: Error | null;
}

/** The agents with an email address, of one organization or of all, and the network where they may be known. */
export interface Wanted {
  emailKey: string;
  network: string;
  knownSince: Date;
  /** Undefined: all. */
  organizationId?: string;
}

const findBy = (condition: string, more = '') => `
  SELECT a.organization_id AS "organizationId", o.name AS "organizationName", a.id AS "agentId", a.password_hash AS "passwordHash"${more}
  FROM agents a JOIN organizations o ON o.id = a.organization_id
  WHERE a.email_key = $1 AND ${condition} AND a.password_hash IS NOT NULL AND a.is_enabled AND o.deleted_at IS NULL`;

const hasUsed = (organizationId: string, agentId: string) => `EXISTS (
  SELECT FROM agent_sessions s WHERE s.organization_id = ${organizationId} AND s.agent_id = ${agentId}
    AND s.source_network = $2 AND s.created_at > $3)`;
const IS_KNOWN = `, ${hasUsed('a.organization_id', 'a.id')} AS "isKnown"`;
const OF_ORGANIZATION = findBy('a.organization_id = $4', IS_KNOWN);
const OF_ALL = `${findBy('true', IS_KNOWN)} ORDER BY a.organization_id`;

// On a Citus cluster, sessions are on the coordinator, and agents on the workers.
const FIND_KNOWN = `
  SELECT k.organization_id AS "organizationId", k.agent_id AS "agentId"
  FROM unnest($1::text[], $4::text[]) AS k (organization_id, agent_id)
  WHERE ${hasUsed('k.organization_id', 'k.agent_id')}`;

async function findOnCluster(
  pool: Pool,
  { emailKey, network, knownSince, organizationId }: Wanted,
): Promise<Candidates> {
  const { candidates, failure } =
    organizationId === undefined
      ? await findEverywhere(pool, emailKey)
      : { candidates: await findOfOne(pool, emailKey, organizationId), failure: null };
  const [organizationIds, agentIds] = keysOf(candidates);
  const values = [organizationIds, network, knownSince, agentIds];
  const { rows } = await pool.query<{ organizationId: string; agentId: string }>(FIND_KNOWN, values);
  const isKnown = ({ organizationId: id, agentId }: Candidate) =>
    rows.some((row) => row.organizationId === id && row.agentId === agentId);
  return { candidates: candidates.map((one) => ({ ...one, isKnown: isKnown(one) })), failure };
}

/** Agents as two arrays, for `unnest`. */
export function keysOf(agents: readonly { organizationId: string; agentId: string }[]): [string[], string[]] {
  return [agents.map(({ organizationId }) => organizationId), agents.map(({ agentId }) => agentId)];
}

async function findEverywhere(pool: Pool, emailKey: string): Promise<Candidates> {
  let failure: Error | null = null;
  const onLeftOut = (error: Error) => (failure = error);
  const text = (isOf: IsOf) => findBy(isOf('a'));
  const candidates = await queryEverywhere<Candidate>(pool, {
    name: 'find-with-address',
    text,
    values: [emailKey],
    onLeftOut,
  });
  return { candidates, failure };
}

async function findOfOne(pool: Pool, emailKey: string, organizationId: string): Promise<Candidate[]> {
  const text = findBy('a.organization_id = $2');
  return (await pool.query<Candidate>({ name: 'find-in-organization', text, values: [emailKey, organizationId] })).rows;
}

/** The agents with an email address (folded) who may sign in with a password, the oldest organization first. */
export async function findCandidates(pool: Pool, wanted: Wanted): Promise<Candidates> {
  if (isDistributed(pool)) return findOnCluster(pool, wanted);
  const { emailKey, network, knownSince, organizationId } = wanted;
  const isOfOne = organizationId !== undefined;
  const values = [emailKey, network, knownSince, ...(isOfOne ? [organizationId] : [])];
  const name = isOfOne ? 'find-candidates-of-one' : 'find-candidates';
  const { rows } = await pool.query<Candidate>({ name, text: isOfOne ? OF_ORGANIZATION : OF_ALL, values });
  return { candidates: rows, failure: null };
}

const FIND_SOME = 'SELECT FROM organizations WHERE deleted_at IS NULL LIMIT 2';

/** Whether the installation has one organization. */
export async function hasOneOrganization(pool: Pool): Promise<boolean> {
  return (await pool.query({ name: 'find-some-organizations', text: FIND_SOME })).rowCount === 1;
}

const countSharedOf = (isOf: IsOf) => `
  SELECT count(DISTINCT split_part(a.password_hash, '$', 4))::integer AS count FROM agents a WHERE a.password_hash IS NOT NULL AND ${isOf('a')}
  GROUP BY a.email_key ORDER BY 1 DESC LIMIT 1`;

/** The most different salts of agents of this installation who share an email address: how many hashes compare a password with all. */
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
