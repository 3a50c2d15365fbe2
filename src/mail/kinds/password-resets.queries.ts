import type { Pool } from 'pg';
import { type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';

/** An agent who signs in with a password. */
export interface ResetTarget {
  organizationId: string;
  agentId: string;
  email: string;
}

/** The most agents, each of another organization, that one address gets links for. */
const MAX_AGENTS = 20;

const find = (isOf: IsOf) => `
  SELECT a.organization_id AS "organizationId", a.id AS "agentId", a.email FROM agents a
  JOIN organizations o ON o.id = a.organization_id
  WHERE a.email_key = $1 AND a.password_hash IS NOT NULL AND a.is_enabled AND o.deleted_at IS NULL AND ${isOf('a')}
  ORDER BY a.organization_id LIMIT ${MAX_AGENTS}`;

/** The agents with a folded address who have a password, of all organizations. */
export function findResetTargets(pool: Pool, emailKey: string): Promise<ResetTarget[]> {
  return queryEverywhere<ResetTarget & Record<string, unknown>>(pool, {
    name: 'find-reset-targets',
    text: find,
    values: [emailKey],
  });
}
