import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Actor } from './request-context.js';
import type { AuditAction } from './audit-action.js';

/** A line of the audit log. */
export interface AuditRow {
  id: string;
  at: Date;
  actor: Actor;
  action: AuditAction;
  target: string | null;
  sourceAddress: string | null;
}

const LIST = `
  SELECT id, at, json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) AS actor, action, target,
    source_address AS "sourceAddress"
  FROM audit_entries WHERE organization_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;

/** The latest entries of an organization first. */
export function listEntries(
  manager: EntityManager,
  organizationId: string,
  { before, limit }: { before?: string; limit: number },
): Promise<AuditRow[]> {
  return manager.query(LIST, [organizationId, before ?? null, limit]);
}

// One statement for all agents, also for none: an unknown address takes as long as a known one.
const RECORD_FAILURES = `
  INSERT INTO audit_entries (organization_id, id, at, actor_type, action, target, source_address)
  SELECT t.organization_id, t.id, $1, 'AGENT', $2, t.agent_id, $3
  FROM unnest($4::text[], $5::text[], $6::text[]) AS t (organization_id, id, agent_id)
  WHERE (SELECT count(*) FROM (
    SELECT FROM audit_entries e
    WHERE e.organization_id = t.organization_id AND e.target = t.agent_id AND e.action = $2
      AND e.at >= date_trunc('day', $1::timestamptz, 'UTC') LIMIT $7) AS today) < $7`;

/** A failure to sign in as an agent. */
export interface FailedSignIn {
  organizationId: string;
  id: string;
  agentId: string;
}

/** Records failures to sign in, at most `limit` of an agent and day (UTC). */
export async function recordFailures(
  pool: Pool,
  failures: readonly FailedSignIn[],
  { at, action, sourceAddress, limit }: { at: Date; action: AuditAction; sourceAddress: string; limit: number },
): Promise<void> {
  const column = (name: keyof FailedSignIn) => failures.map((failure) => failure[name]);
  const values = [at, action, sourceAddress, column('organizationId'), column('id'), column('agentId'), limit];
  await pool.query(RECORD_FAILURES, values);
}
