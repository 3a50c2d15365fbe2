import type { EntityManager } from 'typeorm';

// The only SQL that changes the status, the agent or the group of a chat. Only an ACTIVE chat has an agent (`ck_chats_agent`).

/**
 * Columns of an UPDATE: a message makes an ended chat ACTIVE again.
 * @param chat the table's name with a dot, for a statement in which other tables have these columns too
 */
export const reopenedByMessage = (chat: string, at: string): string => {
  const isEnded = `${chat}status IN ('CLOSED', 'ARCHIVED')`;
  return `
      status_changed_at = CASE WHEN ${isEnded} THEN ${at} ELSE ${chat}status_changed_at END,
      status = CASE WHEN ${isEnded} THEN 'ACTIVE' ELSE ${chat}status END`;
};

/** Columns of an UPDATE: a chat that is erased or being removed stays ARCHIVED. */
export const ARCHIVED_FOR_GOOD = `agent_id = NULL, status = 'ARCHIVED'`;

/** The new state of a chat. `agentId` is null unless the status is ACTIVE. */
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

/** Returns false for an unknown chat, one whose visitor was erased, and one that is in this state already. */
export async function changeChat(tx: EntityManager, organizationId: string, id: string, to: Transition) {
  const values = [organizationId, id, to.status, to.agentId, to.groupId ?? null, new Date()];
  const [, count] = (await tx.query(CHANGE, values)) as [unknown, number];
  return count > 0;
}

const UNASSIGN_ALL = `
  UPDATE chats SET agent_id = NULL, status = 'QUEUED', status_changed_at = $3
  WHERE organization_id = $1 AND agent_id = $2 RETURNING id`;

/** Queues every chat of an agent; returns their ids. */
export async function unassignChats(tx: EntityManager, organizationId: string, agentId: string): Promise<string[]> {
  const [rows] = (await tx.query(UNASSIGN_ALL, [organizationId, agentId, new Date()])) as [{ id: string }[], number];
  return rows.map(({ id }) => id);
}

const MOVE_TO_DEFAULT = `
  UPDATE chats SET group_id = (SELECT id FROM groups WHERE organization_id = $1 AND is_default)
  WHERE organization_id = $1 AND group_id = $2
  RETURNING id, status`;

/** Moves every chat of a group to the default group; returns the ids of the open ones. */
export async function moveChatsToDefault(tx: EntityManager, organizationId: string, groupId: string) {
  const [rows] = (await tx.query(MOVE_TO_DEFAULT, [organizationId, groupId])) as [
    { id: string; status: string }[],
    number,
  ];
  return rows.filter(({ status }) => status === 'ACTIVE' || status === 'QUEUED').map(({ id }) => id);
}
