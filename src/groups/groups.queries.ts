import type { EntityManager } from 'typeorm';

/** A group with the number of agents assigned to it. */
export interface GroupRow {
  id: string;
  name: string;
  agentCount: number;
  isDefault: boolean;
}

// COLLATE "C": the same order on every database, by code point. Two groups of one name come in the order they were made.
const LIST = `
  SELECT g.id, g.name, g.is_default AS "isDefault",
    (SELECT count(*)::integer FROM agent_groups a
     WHERE a.organization_id = g.organization_id AND a.group_id = g.id) AS "agentCount"
  FROM groups g WHERE g.organization_id = $1 ORDER BY g.name COLLATE "C", g.id`;

/** The groups of an organization with their agents counted, in one statement. */
export function listGroups(manager: EntityManager, organizationId: string): Promise<GroupRow[]> {
  return manager.query(LIST, [organizationId]);
}

// Chats first leave the group, then it goes. The group's row is locked before any chat's, as in a transfer.
const MOVE_CHATS = `
  UPDATE chats SET group_id = (SELECT id FROM groups WHERE organization_id = $1 AND is_default)
  WHERE organization_id = $1 AND group_id = $2
  RETURNING id, status`;

/** Moves every chat of a group to the default group; answers those that are open. */
export async function moveChatsToDefault(manager: EntityManager, organizationId: string, groupId: string) {
  const [rows] = (await manager.query(MOVE_CHATS, [organizationId, groupId])) as [
    { id: string; status: string }[],
    number,
  ];
  return rows.filter(({ status }) => status === 'ACTIVE' || status === 'QUEUED').map(({ id }) => id);
}
