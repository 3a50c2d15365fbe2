import type { EntityManager } from 'typeorm';

// The only SQL that writes the status, the agent or the group of a chat that exists. An agent has a chat while it is ACTIVE
// and never else (`ck_chats_agent`).

/**
 * What a message does to the status of its chat: an ended chat becomes ACTIVE again. Columns of an UPDATE.
 * @param chat the table's name with a dot, when others have such columns too
 */
export const reopenedByMessage = (chat: string, at: string): string => {
  const isEnded = `${chat}status IN ('CLOSED', 'ARCHIVED')`;
  return `
      status_changed_at = CASE WHEN ${isEnded} THEN ${at} ELSE ${chat}status_changed_at END,
      status = CASE WHEN ${isEnded} THEN 'ACTIVE' ELSE ${chat}status END`;
};

/** A chat whose visitor is erased, or that is being removed, is put away for good. Columns of an UPDATE. */
export const ARCHIVED_FOR_GOOD = `agent_id = NULL, status = 'ARCHIVED'`;

/** What changes of a chat; `agentId` is set with ACTIVE alone. */
export interface Transition {
  status: 'QUEUED' | 'ACTIVE' | 'CLOSED' | 'ARCHIVED';
  agentId: string | null;
  /** Omitted: the chat stays in its group. */
  groupId?: string;
}

const CHANGE = `
  UPDATE chats SET status = $3, agent_id = $4, group_id = COALESCE($5, group_id), status_changed_at = $6
  WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL
    AND (status, agent_id, group_id) IS DISTINCT FROM ($3, $4, COALESCE($5, group_id))`;

/** False when there is no such chat, its visitor was erased, or it is so already. */
export async function changeChat(tx: EntityManager, organizationId: string, id: string, to: Transition) {
  const values = [organizationId, id, to.status, to.agentId, to.groupId ?? null, new Date()];
  const [, count] = (await tx.query(CHANGE, values)) as [unknown, number];
  return count > 0;
}

const UNASSIGN_ALL = `
  UPDATE chats SET agent_id = NULL, status = 'QUEUED', status_changed_at = $3
  WHERE organization_id = $1 AND agent_id = $2 RETURNING id`;

/** Queues every chat that an agent has; answers which. */
export async function unassignChats(tx: EntityManager, organizationId: string, agentId: string): Promise<string[]> {
  const [rows] = (await tx.query(UNASSIGN_ALL, [organizationId, agentId, new Date()])) as [{ id: string }[], number];
  return rows.map(({ id }) => id);
}

const MOVE_TO_DEFAULT = `
  UPDATE chats SET group_id = (SELECT id FROM groups WHERE organization_id = $1 AND is_default)
  WHERE organization_id = $1 AND group_id = $2
  RETURNING id, status`;

/** Moves every chat of a group to the default group; answers those that are open. */
export async function moveChatsToDefault(tx: EntityManager, organizationId: string, groupId: string) {
  const [rows] = (await tx.query(MOVE_TO_DEFAULT, [organizationId, groupId])) as [
    { id: string; status: string }[],
    number,
  ];
  return rows.filter(({ status }) => status === 'ACTIVE' || status === 'QUEUED').map(({ id }) => id);
}
