import type { Pool } from 'pg';

/**
 * SQL: the bot that answers in groups that name none: of the connection that was made first, an enabled one before paused ones, and an
 * endpoint before scripts.
 */
export const FIRST_CONNECTED = `
  (SELECT f.bot_id FROM bot_connections f WHERE f.organization_id = $1
    ORDER BY f.is_enabled DESC, f.kind = 'script', f.created_at, f.bot_id LIMIT 1)`;

const FIND = `
  SELECT c.id, EXISTS (SELECT FROM bot_connections k WHERE k.organization_id = $1 AND k.is_enabled AND k.kind <> 'script'
    AND k.bot_id = COALESCE(g.bot_id, ${FIRST_CONNECTED})) AS "isConnected"
  FROM chats c JOIN groups g ON g.organization_id = $1 AND g.id = c.group_id
  WHERE c.organization_id = $1 AND c.id = ANY ($2::text[])`;

/** Whether an endpoint answers in chats while the bots have them. Unknown chats are left out. */
export async function findConnected(
  pool: Pool,
  organizationId: string,
  chatIds: readonly string[],
): Promise<Map<string, boolean>> {
  const query = { name: 'find-connected-chats', text: FIND, values: [organizationId, chatIds] };
  const { rows } = await pool.query<{ id: string; isConnected: boolean }>(query);
  return new Map(rows.map(({ id, isConnected }) => [id, isConnected]));
}
