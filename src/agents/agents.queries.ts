import type { EntityManager } from 'typeorm';
import type { AgentResponse } from './agents.dto.js';

const LIST = `
  SELECT a.id, a.name, a.email, a.created_at AS "createdAt",
    ARRAY(SELECT group_id FROM agent_groups g
          WHERE g.organization_id = a.organization_id AND g.agent_id = a.id ORDER BY group_id) AS "groupIds"
  FROM agents a
  WHERE a.organization_id = $1 AND ($2::text IS NULL OR a.id = $2) AND a.id > $3
  ORDER BY a.id LIMIT $4`;

/** Agents with their groups, in one statement. */
export function listAgents(
  manager: EntityManager,
  organizationId: string,
  { id = null, after = '', limit }: { id?: string | null; after?: string; limit: number },
): Promise<AgentResponse[]> {
  return manager.query(LIST, [organizationId, id, after, limit]);
}

// Rows of groups that do not exist are not made; the count tells.
const ASSIGN = `
  INSERT INTO agent_groups (organization_id, group_id, agent_id)
  SELECT organization_id, id, $2 FROM groups WHERE organization_id = $1 AND id = ANY ($3::text[]) FOR KEY SHARE
  RETURNING group_id`;

/** Puts an agent into groups; answers how many of them exist. */
export async function assignGroups(
  manager: EntityManager,
  organizationId: string,
  agentId: string,
  groupIds: string[],
) {
  const rows: unknown[] = await manager.query(ASSIGN, [organizationId, agentId, groupIds]);
  return rows.length;
}

const UNASSIGN_CHATS = `
  UPDATE chats SET agent_id = NULL,
    status_changed_at = CASE WHEN status = 'ACTIVE' THEN $3 ELSE status_changed_at END,
    status = CASE WHEN status = 'ACTIVE' THEN 'QUEUED' ELSE status END
  WHERE organization_id = $1 AND agent_id = $2 RETURNING id`;

/** Takes an agent's chats away from them: who was being answered waits again. Answers the chats. */
export async function unassignChats(manager: EntityManager, organizationId: string, agentId: string) {
  const [rows] = (await manager.query(UNASSIGN_CHATS, [organizationId, agentId, new Date()])) as [
    { id: string }[],
    number,
  ];
  return rows.map(({ id }) => id);
}
