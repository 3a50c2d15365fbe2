import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import type { QueryConfig } from 'pg';
import type { EntityManager } from 'typeorm';
import { type IsOf, queryEverywhere } from '../platform/database/citus/per-organization.js';
import { poolOf } from '../platform/database/pool.js';
import { queryNamed } from '../platform/database/transaction.js';
import type { Group } from './group.entity.js';

/** A group with the number of agents assigned to it. */
export interface GroupRow {
  id: string;
  name: string;
  agentCount: number;
  isDefault: boolean;
  maxWaitSeconds: number;
}

// COLLATE "C" sorts by code point, in the same order on every database. Groups with the same name are sorted by creation.
const LIST = `
  SELECT g.id, g.name, g.is_default AS "isDefault", g.max_wait_seconds AS "maxWaitSeconds",
    (SELECT count(*)::integer FROM agent_groups a
     WHERE a.organization_id = $1 AND a.group_id = g.id) AS "agentCount"
  FROM groups g WHERE g.organization_id = $1 ORDER BY g.name COLLATE "C", g.id`;

/** The groups of an organization, in one statement. */
export function listGroups(manager: EntityManager, organizationId: string): Promise<GroupRow[]> {
  return manager.query(LIST, [organizationId]);
}

const NAMES = 'SELECT id, name FROM groups WHERE organization_id = $1 AND id = ANY ($2::text[])';

/** The names of existing groups by id. Unknown ids are left out. */
export async function findGroupNames(
  manager: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows: { id: string; name: string }[] = ids.length > 0 ? await manager.query(NAMES, [organizationId, ids]) : [];
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const SHARE_GROUP = 'SELECT id, name FROM groups WHERE organization_id = $1 AND id = $2 FOR KEY SHARE';
const SHARE_DEFAULT = 'SELECT id, name FROM groups WHERE organization_id = $1 AND is_default FOR KEY SHARE';

/**
 * Finds a group, or the default group if `id` is omitted, and keeps it from being removed until the transaction ends. If the default
 * changes while the first query waits for the row's lock, the second query finds the new one.
 */
export async function findGroup(
  tx: EntityManager,
  organizationId: string,
  id?: string,
): Promise<Pick<Group, 'id' | 'name'> | null> {
  if (id !== undefined) return share(tx, { name: 'share-group', text: SHARE_GROUP, values: [organizationId, id] });
  const query = { name: 'share-default-group', text: SHARE_DEFAULT, values: [organizationId] };
  return (await share(tx, query)) ?? share(tx, query);
}

const SHARE_OF_BOT = `
  SELECT id, name FROM groups WHERE organization_id = $1 AND bot_id = $2 AND ($3::text IS NULL OR id = $3)
  ORDER BY is_default DESC, name COLLATE "C", id LIMIT 1 FOR KEY SHARE`;

/** Finds a group that names the bot: the default group before others. Keeps it from being removed until the transaction ends. */
export function findGroupOfBot(tx: EntityManager, organizationId: string, botId: string, id: string | null = null) {
  return share(tx, { name: 'share-group-of-bot', text: SHARE_OF_BOT, values: [organizationId, botId, id] });
}

async function share(tx: EntityManager, query: QueryConfig & { name: string }) {
  const [group] = await queryNamed<Pick<Group, 'id' | 'name'>>(tx, query);
  return group ?? null;
}

/** A group, with its organization. */
export interface GroupKey {
  organizationId: string;
  groupId: string;
}

const IS_DUE = 'hours_due_at <= clock_timestamp()';
const listDue = (isOf: IsOf) => `
  SELECT organization_id AS "organizationId", id AS "groupId" FROM groups g
  WHERE ${IS_DUE} AND ${isOf('g')} AND ${sqlIsOfExisting('g')} ORDER BY hours_due_at LIMIT $1`;

/** The groups whose times of opening are to be computed again. */
export function listDueHours(manager: EntityManager, limit: number): Promise<GroupKey[]> {
  return queryEverywhere<GroupKey>(poolOf(manager.connection), { text: listDue, values: [limit] });
}

const FIND_DUE = `
  SELECT office_hours AS "officeHours", is_default AS "isDefault" FROM groups
  WHERE organization_id = $1 AND id = $2 AND ${IS_DUE}`;

/** Null if another node has computed them. */
export async function findDueHours(
  tx: EntityManager,
  organizationId: string,
  groupId: string,
): Promise<Pick<Group, 'officeHours' | 'isDefault'> | null> {
  const rows: Pick<Group, 'officeHours' | 'isDefault'>[] = await tx.query(FIND_DUE, [organizationId, groupId]);
  return rows[0] ?? null;
}
