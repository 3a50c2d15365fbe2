import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';

/** An agent who may sign in with a password. */
export interface Candidate {
  organizationId: string;
  organizationName: string;
  agentId: string;
  passwordHash: string;
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

/**
 * The agents with an email address (in lower case), by their latest sign-in.
 * @param organizationId searches this organization only; undefined: all
 */
export async function findCandidates(
  pool: Pool,
  emailKey: string,
  organizationId: string | undefined,
  limit: number,
): Promise<Candidate[]> {
  const isOfOne = organizationId !== undefined;
  const values = isOfOne ? [organizationId, emailKey] : [emailKey, limit];
  const name = isOfOne ? 'find-candidates-of-one' : 'find-candidates';
  const { rows } = await pool.query<Candidate>({ name, text: isOfOne ? OF_ORGANIZATION : OF_ALL, values });
  return rows;
}

const COUNT_SHARED = `
  SELECT count(*)::integer AS count FROM agents WHERE password_hash IS NOT NULL
  GROUP BY email_key ORDER BY 1 DESC LIMIT 1`;

/** The most agents of this installation who share an email address and have a password. */
export async function countShared(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({ name: 'count-shared-emails', text: COUNT_SHARED });
  return rows[0]?.count ?? 0;
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
