import type { Pool } from 'pg';
import { keysOf } from './candidates.queries.js';

/** The `network` of the row that counts failures from everywhere. */
export const EVERYWHERE = '';

/** An attempt to sign in: a folded email address, its hash, and the source network. */
export interface SignInAttempt {
  emailHash: Buffer;
  emailKey: string;
  network: string;
}

/** The agents whose failures are counted or forgiven. */
type Agents = readonly { organizationId: string; agentId: string }[];

/** The failures of an email address that block it, for a network or for everywhere. */
export interface Block {
  network: string;
  failures: number;
  windowBeganAt: Date;
  until: Date;
}

const FIND_BLOCKS = `
  SELECT source_network AS network, failures, window_began_at AS "windowBeganAt", blocked_until AS until
  FROM sign_in_failures WHERE email_hash = $1 AND source_network IN ($2, '${EVERYWHERE}') AND blocked_until > $3`;

/** What blocks an address, for agents who haven't signed in since. */
export async function findBlocks(pool: Pool, { emailHash, network }: SignInAttempt, now: Date): Promise<Block[]> {
  const query = { name: 'find-sign-in-blocks', text: FIND_BLOCKS, values: [emailHash, network, now] };
  return (await pool.query<Block>(query)).rows;
}

/** How many failures don't count for an agent. */
export interface Forgiven extends Pick<Block, 'network' | 'failures' | 'windowBeganAt'> {
  organizationId: string;
  agentId: string;
}

const FIND_FORGIVEN = `
  SELECT f.organization_id AS "organizationId", f.agent_id AS "agentId", f.source_network AS network, f.failures,
    f.window_began_at AS "windowBeganAt"
  FROM unnest($1::text[], $2::text[]) AS k (organization_id, agent_id)
  JOIN forgiven_failures f ON f.organization_id = k.organization_id AND f.agent_id = k.agent_id
  WHERE f.source_network IN ($3, '${EVERYWHERE}')`;

export async function findForgiven(pool: Pool, agents: Agents, network: string): Promise<Forgiven[]> {
  return (await pool.query<Forgiven>(FIND_FORGIVEN, [...keysOf(agents), network])).rows;
}

// A window ends 15 minutes after it began or after its last block. The block doubles with every failure beyond the limit: 1, 2,
// 4, 8, 15 minutes.
const isOver = `GREATEST(f.window_began_at, f.blocked_until) < $3::timestamptz - interval '15 minutes'`;
const limit = `CASE f.source_network WHEN '${EVERYWHERE}' THEN $5 ELSE $4 END::integer`;
const COUNT_FAILURE = `
  INSERT INTO sign_in_failures AS f (email_hash, source_network, failures, window_began_at)
  VALUES ($1, $2, 1, $3), ($1, '${EVERYWHERE}', 1, $3)
  ON CONFLICT (email_hash, source_network) DO UPDATE SET
    failures = CASE WHEN ${isOver} THEN 1 ELSE f.failures + 1 END,
    window_began_at = CASE WHEN ${isOver} THEN $3 ELSE f.window_began_at END,
    blocked_until = CASE WHEN NOT ${isOver} AND f.failures >= ${limit}
      THEN $3::timestamptz + LEAST(interval '15 minutes', interval '1 minute' * power(2, LEAST(f.failures - ${limit}, 4))) END
  RETURNING f.*`;

/** The allowed failures from one network, and from everywhere. */
export interface Allowed {
  ofNetwork: number;
  ofAll: number;
}

/** Counts a failure for the network and for everywhere. @returns whether either is blocked now */
export async function countFailure(
  pool: Pool,
  { emailHash, network }: SignInAttempt,
  now: Date,
  { ofNetwork, ofAll }: Allowed,
): Promise<boolean> {
  const values = [emailHash, network, now, ofNetwork, ofAll];
  const { rows } = await pool.query<{ blocked_until: Date | null }>(COUNT_FAILURE, values);
  return rows.some(({ blocked_until: until }) => until !== null);
}

const FORGIVE =
  'INSERT INTO forgiven_failures AS f (organization_id, agent_id, source_network, failures, window_began_at)';
const ON_CONFLICT =
  'ON CONFLICT (organization_id, agent_id, source_network) DO UPDATE SET window_began_at = EXCLUDED.window_began_at';

// From everywhere, only this attempt is forgiven.
const COUNT_SUCCESS = `
  WITH counted AS (${COUNT_FAILURE})
  ${FORGIVE}
  SELECT k.organization_id, k.agent_id, c.source_network, CASE c.source_network WHEN '${EVERYWHERE}' THEN 1 ELSE c.failures END,
    c.window_began_at
  FROM counted c, unnest($6::text[], $7::text[]) AS k (organization_id, agent_id)
  ${ON_CONFLICT}, failures = EXCLUDED.failures + CASE
    WHEN f.source_network = '${EVERYWHERE}' AND f.window_began_at = EXCLUDED.window_began_at THEN f.failures ELSE 0 END`;

/**
 * Counts a right password as a failure of all other agents with the address, and forgives `agents` their failures from this network.
 * Otherwise, an administrator who sets one agent's password could guess another agent's without a limit.
 */
export async function countSuccess(
  pool: Pool,
  { emailHash, network }: SignInAttempt,
  agents: Agents,
  now: Date,
  { ofNetwork, ofAll }: Allowed,
): Promise<void> {
  await pool.query(COUNT_SUCCESS, [emailHash, network, now, ofNetwork, ofAll, ...keysOf(agents)]);
}

const FORGIVE_ONE = `
  ${FORGIVE}
  SELECT $1, $2, k.source_network, k.failures, k.window_began_at FROM sign_in_failures k
  WHERE k.email_hash = $3 AND k.source_network = ANY ($4::text[])
  ${ON_CONFLICT}, failures = EXCLUDED.failures`;

/** Forgives one agent the failures from networks. They still count for other agents with the address. */
export async function forgive(
  pool: Pool,
  emailHash: Buffer,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  networks: readonly string[],
): Promise<void> {
  await pool.query(FORGIVE_ONE, [organizationId, agentId, emailHash, networks]);
}
