import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';
import { idAt, newId } from '../../platform/lib/ids.js';
import type { AuditAction } from './audit-action.js';
import type { FieldChange } from './audit-changes.js';
import type { Actor, RequestContext } from '../context/request-context.js';

/** A line of the audit log. */
export interface AuditRow {
  id: string;
  at: Date;
  actor: Actor;
  action: AuditAction;
  target: string | null;
  /** The target's name at that time; null for a visitor, and in entries of earlier releases. */
  targetName: string | null;
  changes: FieldChange[];
  sourceAddress: string | null;
}

/** Which entries are listed. An entry must match all given fields. */
export interface AuditFilter {
  action?: AuditAction;
  /** The id of an agent; ADMIN for the holder of ADMIN_TOKEN, SYSTEM for the service itself. */
  actor?: string;
  target?: string;
  /** From this time on. */
  from?: Date;
  /** Before this time. */
  to?: Date;
}

const COLUMNS = `
  id, at, json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) AS actor, action, target,
  target_name AS "targetName", COALESCE(changes, '[]') AS changes, source_address AS "sourceAddress"`;

/** How far the time in an entry's id may be from `at`, in milliseconds. One process sets both at the same moment. */
const CLOCK_SLACK_MS = 60_000;

// Each combination has its own statement, so that PostgreSQL uses the filter's index: `$2 IS NULL OR action = $2` uses none.
// Ids begin with a time, so a time filter bounds the ids too, and older and newer entries aren't read.
function conditionsOf({ action, actor, target, from, to, before }: AuditFilter & { before?: string }) {
  const idNear = (time: Date, slack: number) => idAt('aud', new Date(Math.max(0, time.getTime() + slack)));
  const all: [condition: string, value: unknown][] = [
    ['action =', action],
    ['COALESCE(actor_id, actor_type) =', actor],
    ['target =', target],
    ['at >=', from],
    ['id >=', from && idNear(from, -CLOCK_SLACK_MS)],
    ['at <', to],
    ['id <', to && idNear(to, CLOCK_SLACK_MS)],
    ['id <', before],
  ];
  return all.filter(([, value]) => value !== undefined);
}

/** Entries of an organization, newest first. @param before only entries before this id @param limit an integer */
export function listEntries(
  manager: EntityManager,
  organizationId: string,
  { limit, ...filter }: AuditFilter & { before?: string; limit: number },
): Promise<AuditRow[]> {
  const conditions = conditionsOf(filter);
  const where = conditions.map(([condition], at) => `AND ${condition} $${at + 2}`).join(' ');
  // The limit is a literal, because the planner assumes a tenth of all entries for a parameter.
  const text = `SELECT ${COLUMNS} FROM audit_entries WHERE organization_id = $1 ${where} ORDER BY id DESC LIMIT ${limit}`;
  return manager.query(text, [organizationId, ...conditions.map(([, value]) => value)]);
}

const nameOf = (target: string) => `(SELECT name FROM agents a WHERE a.organization_id = ${target})`;

// An organization may store no addresses. An entry of ADMIN_TOKEN that creates the organization sees it in the same transaction.
const addressOf = (organization: string, address: string) =>
  `CASE WHEN (SELECT o.store_addresses FROM organizations o WHERE o.id = ${organization}) THEN ${address} END`;

const RECORD = `
  INSERT INTO audit_entries (organization_id, id, at, actor_type, actor_id, actor_name, action, target, target_name, changes,
    source_address)
  SELECT $1, $2, $3::timestamptz, $4, $5, $6, $7, $8, COALESCE($9::text, ${nameOf('$1 AND a.id = $8')}), $10::jsonb, ${addressOf('$1', '$11::text')}`;

/** What is recorded beside who did it. */
export interface AuditRecord {
  action: AuditAction;
  /** The id of the thing that was changed. */
  target: string;
  /** The target's name. If omitted, and the target is an agent, the agent's name. */
  targetName?: string | null;
  changes?: readonly FieldChange[];
}

export async function insertEntry(
  manager: EntityManager,
  { organizationId, actor, sourceAddress }: RequestContext,
  { action, target, targetName = null, changes = [] }: AuditRecord,
): Promise<void> {
  const who = [actor.type, actor.id, actor.name];
  const what = [action, target, targetName, changes.length > 0 ? JSON.stringify(changes) : null];
  await manager.query(RECORD, [organizationId, newId('aud'), new Date(), ...who, ...what, sourceAddress]);
}

/** An entry that a further action may be counted in. */
export type CountingEntry = Pick<AuditRow, 'id' | 'target' | 'changes'>;

// `id` bounds what is read; `at` is exact.
const FIND_OF_ACTOR = `
  SELECT id, target, COALESCE(changes, '[]') AS changes FROM audit_entries
  WHERE organization_id = $1 AND COALESCE(actor_id, actor_type) = $2 AND action = $3 AND id >= $4 AND at >= $5
  ORDER BY id DESC LIMIT $6`;

/** The newest entries of an actor's action since a time. */
export function listEntriesOfActor(
  manager: EntityManager,
  { organizationId, actor }: RequestContext,
  action: AuditAction,
  since: Date,
  limit: number,
): Promise<CountingEntry[]> {
  const firstId = idAt('aud', new Date(since.getTime() - CLOCK_SLACK_MS));
  return manager.query(FIND_OF_ACTOR, [organizationId, actor.id ?? actor.type, action, firstId, since, limit]);
}

/** Replaces the changes of an entry. */
export async function updateEntry(
  manager: EntityManager,
  organizationId: string,
  id: string,
  changes: readonly FieldChange[],
): Promise<void> {
  const values = [organizationId, id, JSON.stringify(changes)];
  await manager.query('UPDATE audit_entries SET changes = $3::jsonb WHERE organization_id = $1 AND id = $2', values);
}

const OF_FAILURE = 't.organization_id AND a.id = t.agent_id';

// One statement for any number of agents, even for none, so that an unknown address takes as long as a known one.
const RECORD_FAILURES = `
  INSERT INTO audit_entries (organization_id, id, at, actor_type, actor_id, actor_name, action, target, target_name, source_address)
  SELECT t.organization_id, t.id, $1, 'AGENT', CASE WHEN $8 THEN t.agent_id END, CASE WHEN $8 THEN ${nameOf(OF_FAILURE)} END, $2,
    t.agent_id, ${nameOf(OF_FAILURE)},
    ${addressOf('t.organization_id', '$3::text')}
  FROM unnest($4::text[], $5::text[], $6::text[]) AS t (organization_id, id, agent_id)
  WHERE (SELECT count(*) FROM (
    SELECT FROM audit_entries e
    WHERE e.organization_id = t.organization_id AND e.target = t.agent_id AND e.action = $2
      AND e.at >= date_trunc('day', $1::timestamptz, 'UTC') LIMIT $7) AS today) < $7`;

export type FailureAction = Extract<AuditAction, 'session.failed' | 'session.throttled' | 'password.failed'>;

/** A failure to sign in as an agent, or to give the current password. */
export interface FailedSignIn {
  organizationId: string;
  id: string;
  agentId: string;
}

/** Records failures, at most `limit` per agent and day (UTC). */
export async function recordFailures(
  pool: Pool,
  failures: readonly FailedSignIn[],
  { at, action, sourceAddress, limit }: { at: Date; action: FailureAction; sourceAddress: string; limit: number },
): Promise<void> {
  const column = (name: keyof FailedSignIn) => failures.map((failure) => failure[name]);
  const values = [at, action, sourceAddress, column('organizationId'), column('id'), column('agentId'), limit];
  // Someone who is signed in is known.
  const isKnown = action === 'password.failed';
  await queryOrganizations(pool, {
    name: 'record-failures',
    text: RECORD_FAILURES,
    values: [...values, isKnown],
    items: [[3, 4, 5]],
  });
}

/** The most entries that lose their address in one statement. */
const REMOVAL_BATCH = 1_000;

const FIND_WITHOUT_ADDRESSES =
  'SELECT id FROM organizations WHERE NOT store_addresses AND id > $1 ORDER BY id LIMIT 500';

/** The next organizations after an id that store no addresses. */
export async function findWithoutAddresses(pool: Pool, after: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(FIND_WITHOUT_ADDRESSES, [after]);
  return rows.map(({ id }) => id);
}

const REMOVE_ADDRESSES = `
  UPDATE audit_entries SET source_address = NULL WHERE organization_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM audit_entries WHERE organization_id = $1 AND source_address IS NOT NULL LIMIT ${REMOVAL_BATCH}))`;

/** Removes some of an organization's addresses. Returns whether there may be more. */
export async function removeAddresses(pool: Pool, organizationId: string): Promise<boolean> {
  return (await pool.query(REMOVE_ADDRESSES, [organizationId])).rowCount === REMOVAL_BATCH;
}
