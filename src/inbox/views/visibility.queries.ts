import type { Pool } from 'pg';
import { isSeen, seenAs, sqlAgentMaySee, type Viewer } from '../../chats/model/chat-rights.js';

const SEEN_CHAT = `
  SELECT c.id, c.organization_id AS "organizationId", c.message_count AS "messageCount", c.agent_id AS "agentId" FROM chats c
  WHERE c.organization_id = $1 AND c.id = $3 AND ${isSeen('c')}`;

/** The fields of a visible chat that requests need. */
export interface SeenChat {
  organizationId: string;
  id: string;
  messageCount: number;
  /** The chat's agent. */
  agentId: string | null;
}

/** Null for a chat that the viewer may not see. */
export async function findSeenChat(pool: Pool, viewer: Viewer, id: string): Promise<SeenChat | null> {
  const values = [viewer.organizationId, seenAs(viewer), id];
  const { rows } = await pool.query<SeenChat>({ name: 'inbox-seen-chat', text: SEEN_CHAT, values });
  return rows[0] ?? null;
}

const SEES_GROUP = `
  SELECT FROM groups g WHERE g.organization_id = $1 AND g.id = $3 AND ($2::text IS NULL OR EXISTS (
    SELECT FROM agent_groups s WHERE s.organization_id = $1 AND s.group_id = g.id AND s.agent_id = $2))`;

/** Whether the viewer sees the chats of this group. */
export async function seesGroup(pool: Pool, viewer: Viewer, groupId: string): Promise<boolean> {
  const { rows } = await pool.query(SEES_GROUP, [viewer.organizationId, seenAs(viewer), groupId]);
  return rows.length > 0;
}

const WHO = `
  SELECT c.id AS "chatId", a.id AS "agentId"
  FROM chats c JOIN agents a ON a.organization_id = $1 AND a.id = ANY ($3) AND a.is_enabled
  WHERE c.organization_id = $1 AND c.id = ANY ($2) AND ${sqlAgentMaySee('a', 'c')}`;

/** Which of these agents may see which of these chats (CONTRACT: Signing in). Disabled agents see none. */
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
