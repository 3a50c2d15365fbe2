import type { EntityManager } from 'typeorm';
import { Group } from './group.entity.js';

/** A group with the number of agents assigned to it. */
export interface GroupRow {
  id: string;
  name: string;
  agentCount: number;
  isDefault: boolean;
  maxWaitSeconds: number;
}

// COLLATE "C": the same order on every database, by code point. Groups with the same name come in the order of their creation.
const LIST = `
  SELECT g.id, g.name, g.is_default AS "isDefault", g.max_wait_seconds AS "maxWaitSeconds",
    (SELECT count(*)::integer FROM agent_groups a
     WHERE a.organization_id = g.organization_id AND a.group_id = g.id) AS "agentCount"
  FROM groups g WHERE g.organization_id = $1 ORDER BY g.name COLLATE "C", g.id`;

/** The groups of an organization with the number of their agents, in one statement. */
export function listGroups(manager: EntityManager, organizationId: string): Promise<GroupRow[]> {
  return manager.query(LIST, [organizationId]);
}

const NAMES = 'SELECT id, name FROM groups WHERE organization_id = $1 AND id = ANY ($2::text[])';

/** The names of those of these groups that exist, by their ids. */
export async function findGroupNames(
  manager: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows: { id: string; name: string }[] = ids.length > 0 ? await manager.query(NAMES, [organizationId, ids]) : [];
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Finds a group, by default the default group, and keeps it from being removed until the end of the transaction. The default
 * may change while the first query waits for the row's lock; the second query finds the new one.
 */
export async function findGroup(tx: EntityManager, organizationId: string, id?: string): Promise<Group | null> {
  const lock = { mode: 'for_key_share' } as const;
  if (id !== undefined) return tx.findOne(Group, { where: { organizationId, id }, lock });
  const where = { organizationId, isDefault: true };
  return (await tx.findOne(Group, { where, lock })) ?? tx.findOne(Group, { where, lock });
}
