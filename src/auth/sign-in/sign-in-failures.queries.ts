import type { Pool } from 'pg';
import { isDistributed } from '../../platform/database/citus/per-organization.js';
import { findOnCluster } from './candidates.queries.js';

/** The `network` of the row that counts failures from everywhere. */
const EVERYWHERE = '';

/** An attempt to sign in: a folded email address, its hash, and the source network. */
export interface SignInAttempt {
  emailHash: Buffer;
  emailKey: string;
  network: string;
}

const isKnown = (emailKey: string, network: string, since: string) => `EXISTS (
    SELECT FROM agents a JOIN agent_sessions s ON s.organization_id = a.organization_id AND s.agent_id = a.id
    WHERE a.email_key = ${emailKey} AND a.password_hash IS NOT NULL AND s.source_network = ${network} AND s.created_at > ${since})`;

const IS_KNOWN = `SELECT ${isKnown('$1', '$2', '$3')} AS "isKnown"`;
// On a Citus cluster, sessions are on the coordinator, and agents on the workers.
const HAVE_USED = `SELECT EXISTS (
    SELECT FROM unnest($1::text[], $2::text[]) AS k (organization_id, agent_id)
    JOIN agent_sessions s ON s.organization_id = k.organization_id AND s.agent_id = k.agent_id
    WHERE s.source_network = $3 AND s.created_at > $4) AS "isKnown"`;

/** Whether an agent with this address signed in from this network after `knownSince`. */
export async function isKnownNetwork(
  pool: Pool,
  { emailKey, network }: SignInAttempt,
  knownSince: Date,
): Promise<boolean> {
  if (isDistributed(pool)) {
    const { candidates } = await findOnCluster(pool, emailKey);
    const agents = [candidates.map(({ organizationId }) => organizationId), candidates.map(({ agentId }) => agentId)];
    return (await pool.query<{ isKnown: boolean }>(HAVE_USED, [...agents, network, knownSince])).rows[0]!.isKnown;
  }
  const values = [emailKey, network, knownSince];
  const { rows } = await pool.query<{ isKnown: boolean }>({ name: 'is-known-network', text: IS_KNOWN, values });
  return rows[0]!.isKnown;
}

const findBlockUnless = (isKnownNow: string) => `
  SELECT max(f.blocked_until) AS until FROM sign_in_failures f
  WHERE f.email_hash = $1 AND f.blocked_until > $3
    AND (f.source_network = $2 OR f.source_network = '${EVERYWHERE}' AND NOT ${isKnownNow})`;
const FIND_BLOCK = findBlockUnless(isKnown('$4', '$2', '$5'));
const FIND_BLOCK_ON_CLUSTER = findBlockUnless('$4::boolean');

/**
 * Until when an address is blocked from a network; null: it isn't.
 * @param knownSince a later sign-in from this network makes it known, so that failures elsewhere don't block it
 */
export async function findBlock(pool: Pool, attempt: SignInAttempt, now: Date, knownSince: Date): Promise<Date | null> {
  const { emailHash, emailKey, network } = attempt;
  if (isDistributed(pool)) {
    const known = await isKnownNetwork(pool, attempt, knownSince);
    const found = await pool.query<{ until: Date | null }>(FIND_BLOCK_ON_CLUSTER, [emailHash, network, now, known]);
    return found.rows[0]!.until;
  }
  const values = [emailHash, network, now, emailKey, knownSince];
  const { rows } = await pool.query<{ until: Date | null }>({ name: 'find-sign-in-block', text: FIND_BLOCK, values });
  return rows[0]!.until;
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
  RETURNING blocked_until IS NOT NULL AS "isBlocked"`;

/** Counts a failure for the network and for everywhere. @returns whether either is blocked now */
export async function countFailure(
  pool: Pool,
  { emailHash, network }: SignInAttempt,
  now: Date,
  { ofNetwork, ofAll }: { ofNetwork: number; ofAll: number },
): Promise<boolean> {
  const values = [emailHash, network, now, ofNetwork, ofAll];
  const { rows } = await pool.query<{ isBlocked: boolean }>(COUNT_FAILURE, values);
  return rows.some(({ isBlocked }) => isBlocked);
}

const RESET_FAILURES = `
  DELETE FROM sign_in_failures WHERE email_hash = $1 AND ($2::text IS NULL OR source_network = $2) AND NOT EXISTS (
    SELECT 1 FROM agents WHERE email_key = $3 AND password_hash IS NOT NULL AND (organization_id, id) <> ($4, $5))`;

/**
 * Resets the failures of an address from a network, or from everywhere (null). Not if an agent of another organization has a
 * password under the same address: signing in to one organization must not allow more guesses in another.
 */
export async function resetFailures(
  pool: Pool,
  { emailHash, emailKey }: Pick<SignInAttempt, 'emailHash' | 'emailKey'>,
  network: string | null,
  { organizationId, agentId }: { organizationId: string; agentId: string },
): Promise<void> {
  await pool.query(RESET_FAILURES, [emailHash, network, emailKey, organizationId, agentId]);
}
