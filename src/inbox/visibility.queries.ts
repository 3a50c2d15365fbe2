import type { Pool } from 'pg';

const WHO = `
  SELECT c.id AS "chatId", a.id AS "agentId"
  FROM chats c JOIN agents a ON a.organization_id = $1 AND a.id = ANY ($3) AND a.is_enabled
  WHERE c.organization_id = $1 AND c.id = ANY ($2) AND c.erased_at IS NULL
    AND (a.role <> 'AGENT' OR a.id = c.agent_id OR EXISTS (
      SELECT FROM agent_groups g
      WHERE g.organization_id = $1 AND g.group_id = c.group_id AND g.agent_id = a.id))`;

/** Which of these agents may see which of these chats (CONTRACT section 7). A disabled agent may see none. */
export async function findWhoMaySee(
  pool: Pool,
  organizationId: string,
  chatIds: readonly string[],
  agentIds: readonly string[],
): Promise<{ chatId: string; agentId: string }[]> {
  const values = [organizationId, chatIds, agentIds];
  const { rows } = await pool.query<{ chatId: string; agentId: string }>({ name: 'inbox-who', text: WHO, values });
  return rows;
}
