import type { Pool } from 'pg';
import type { Named } from '../chats/chat-state.js';

const FIND_OWNER = `
  SELECT a.id, a.name
  FROM chats c JOIN agents a ON a.organization_id = c.organization_id AND a.id = c.agent_id
  WHERE c.organization_id = $1 AND c.id = $2 AND a.id <> $3 AND c.erased_at IS NULL AND ($4 OR EXISTS (
    SELECT FROM agent_groups m WHERE m.organization_id = $1 AND m.group_id = c.group_id AND m.agent_id = $3))`;

/**
 * The other agent who has a chat, without waiting for the chat's lock; null when no other agent
 * has it, or the agent may not see it.
 * @param seesAll whether the agent sees the chats of every group
 */
export async function findOtherOwner(
  pool: Pool,
  organizationId: string,
  chatId: string,
  { agentId, seesAll }: { agentId: string; seesAll: boolean },
): Promise<Named | null> {
  const values = [organizationId, chatId, agentId, seesAll];
  const { rows } = await pool.query<Named>({ name: 'find-other-owner', text: FIND_OWNER, values });
  return rows[0] ?? null;
}
