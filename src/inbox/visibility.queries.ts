import type { Pool } from 'pg';
import { isAtLeast, type Role } from '../agents/role.js';
import type { Viewer } from './viewer.js';

/** Whether an agent of this role sees the chats of every group (CONTRACT section 7). */
export function seesAllGroups(role: Role): boolean {
  return isAtLeast(role, 'SUPERVISOR');
}

const GROUPS_OF_ALL = 'SELECT id FROM groups WHERE organization_id = $1';
const groupsOfAgent = (agentId: string) =>
  `SELECT group_id AS id FROM agent_groups WHERE organization_id = $1 AND agent_id = ${agentId}`;

/** SQL: the ids of the groups whose chats the viewer sees. @param agentId the parameter with the viewer's id */
export const groupsSeenBy = (role: Role, agentId: string) =>
  seesAllGroups(role) ? GROUPS_OF_ALL : groupsOfAgent(agentId);

/** The value of the parameter of IS_SEEN: null for a viewer who sees all groups. */
export function seenAs({ role, agentId }: Viewer): string | null {
  return seesAllGroups(role) ? null : agentId;
}

/** SQL: whether the viewer may see a row of `chats`. @param chat its alias; `$2` is the value of `seenAs` */
export const isSeen = (chat: string) => `
  ${chat}.erased_at IS NULL AND ($2::text IS NULL OR ${chat}.agent_id = $2 OR EXISTS (
    SELECT FROM agent_groups s
    WHERE s.organization_id = $1 AND s.group_id = ${chat}.group_id AND s.agent_id = $2))`;

const SEEN_CHAT = `
  SELECT c.id, c.organization_id AS "organizationId", c.message_count AS "messageCount", c.agent_id AS "agentId" FROM chats c
  WHERE c.organization_id = $1 AND c.id = $3 AND ${isSeen('c')}`;

/** What is needed of a chat that the viewer may see. */
export interface SeenChat {
  organizationId: string;
  id: string;
  messageCount: number;
  /** The agent who has it. */
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
