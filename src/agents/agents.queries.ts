import type { EntityManager } from 'typeorm';
import type { Role } from './role.js';

/** An agent with the groups they are in. */
export interface AgentRow {
  id: string;
  name: string;
  email: string;
  role: Role;
  capacity: number;
  isEnabled: boolean;
  avatarUrl: string | null;
  groupIds: string[];
  createdAt: Date;
}

const findBy = (condition: string) => `
  SELECT a.id, a.name, a.email, a.role, a.capacity, a.is_enabled AS "isEnabled", a.avatar_url AS "avatarUrl",
    a.created_at AS "createdAt",
    ARRAY(SELECT group_id FROM agent_groups g
          WHERE g.organization_id = $1 AND g.agent_id = a.id ORDER BY group_id) AS "groupIds"
  FROM agents a
  WHERE a.organization_id = $1 AND ${condition}`;
const ONE = findBy('a.id = $2');
const LIST = findBy('a.id > $2 ORDER BY a.id LIMIT $3');

/** Agents with their groups, in one statement. */
export function listAgents(
  manager: EntityManager,
  organizationId: string,
  { after = '', limit }: { after?: string; limit: number },
): Promise<AgentRow[]> {
  return manager.query(LIST, [organizationId, after, limit]);
}

export async function findAgent(manager: EntityManager, organizationId: string, id: string): Promise<AgentRow | null> {
  const rows: AgentRow[] = await manager.query(ONE, [organizationId, id]);
  return rows[0] ?? null;
}

const LOCK_GROUPS = `
  SELECT FROM groups WHERE organization_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE`;

/**
 * Keeps groups from being removed until the transaction ends; returns false if one of them doesn't exist. Call it before you
 * lock an agent: removing a group locks the group first, and then the agents with offers from it.
 */
export async function lockGroups(manager: EntityManager, organizationId: string, groupIds: readonly string[]) {
  const found: unknown[] = await manager.query(LOCK_GROUPS, [organizationId, groupIds]);
  return found.length === groupIds.length;
}

const LEAVE = 'DELETE FROM agent_groups WHERE organization_id = $1 AND agent_id = $2';
const JOIN = `
  INSERT INTO agent_groups (organization_id, group_id, agent_id) SELECT $1, group_id, $2 FROM unnest($3::text[]) group_id`;

/** Sets an agent's groups. Call `lockGroups` first. */
export async function setGroups(
  manager: EntityManager,
  organizationId: string,
  agentId: string,
  groupIds: readonly string[],
): Promise<void> {
  await manager.query(LEAVE, [organizationId, agentId]);
  await manager.query(JOIN, [organizationId, agentId, groupIds]);
}

const IS_IN_GROUP = 'SELECT FROM agent_groups WHERE organization_id = $1 AND agent_id = $2 AND group_id = $3';

export async function isInGroup(
  manager: EntityManager,
  organizationId: string,
  agentId: string,
  groupId: string,
): Promise<boolean> {
  const rows: unknown[] = await manager.query(IS_IN_GROUP, [organizationId, agentId, groupId]);
  return rows.length > 0;
}
