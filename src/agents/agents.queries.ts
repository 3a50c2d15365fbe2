import type { EntityManager } from 'typeorm';
import { queryNamed } from '../platform/database/transaction.js';
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

/** SQL: whether an agent is in a group of the organization `$1`. @param agentId, groupId SQL */
export const sqlIsInGroup = (agentId: string, groupId: string) => `
  EXISTS (SELECT FROM agent_groups m WHERE m.organization_id = $1 AND m.group_id = ${groupId} AND m.agent_id = ${agentId})`;

/** An agent who may get a chat of a group. */
export interface Candidate extends Pick<AgentRow, 'id' | 'name' | 'role' | 'isEnabled'> {
  /** Whether the agent is in the chat's group. */
  isInGroup: boolean;
}

const CANDIDATE = `
  SELECT id, name, role, is_enabled AS "isEnabled", ${sqlIsInGroup('$2', '$3')} AS "isInGroup"
  FROM agents WHERE organization_id = $1 AND id = $2`;

/** @param groupId the group of the chat that the agent may get */
export async function findCandidate(
  tx: EntityManager,
  organizationId: string,
  id: string,
  groupId: string,
): Promise<Candidate | null> {
  const query = { name: 'find-candidate', text: CANDIDATE, values: [organizationId, id, groupId] };
  const [row] = await queryNamed<Candidate>(tx, query);
  return row ?? null;
}

const NAME = 'SELECT name FROM agents WHERE organization_id = $1 AND id = $2';

/** The name of an agent; null if the agent was removed. */
export async function findAgentName(tx: EntityManager, organizationId: string, id: string): Promise<string | null> {
  const query = { name: 'find-agent-name', text: NAME, values: [organizationId, id] };
  const [row] = await queryNamed<{ name: string }>(tx, query);
  return row?.name ?? null;
}
