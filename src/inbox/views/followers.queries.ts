import type { Pool } from 'pg';
import type { AgentKey } from '../../agents/presence.queries.js';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';
import { isSeen, seenAs, sqlMaySee, type Viewer } from '../../chats/model/chat-rights.js';

/** The most chats that an agent follows. */
export const MAX_FOLLOWED = 50;

const COUNT_OTHERS = `
  SELECT count(*)::integer AS count FROM chat_followers WHERE organization_id = $1 AND agent_id = $2 AND chat_id <> $3`;
// Chats that the agent may no longer see, and chats of erased visitors: no list has them, so the agent can't unfollow them.
const FORGET_UNSEEN = `
  DELETE FROM chat_followers f WHERE f.organization_id = $1 AND f.agent_id = $3 AND NOT EXISTS (
    SELECT FROM chats c WHERE c.organization_id = $1 AND c.id = f.chat_id AND ${isSeen('c')})`;
const FOLLOW = `
  INSERT INTO chat_followers (organization_id, agent_id, chat_id, followed_at) VALUES ($1, $2, $3, statement_timestamp())
  ON CONFLICT (organization_id, agent_id, chat_id) DO NOTHING`;

/**
 * Returns false if the agent follows too many other chats. Following a chat again changes nothing. Simultaneous requests may exceed the
 * limit, each by one; it only bounds the cost.
 */
export async function follow(pool: Pool, viewer: Viewer, chatId: string): Promise<boolean> {
  const { organizationId, agentId } = viewer;
  const values = [organizationId, agentId, chatId];
  const hasRoom = async () => (await pool.query<{ count: number }>(COUNT_OTHERS, values)).rows[0]!.count < MAX_FOLLOWED;
  if (!(await hasRoom())) {
    await pool.query(FORGET_UNSEEN, [organizationId, seenAs(viewer), agentId]);
    if (!(await hasRoom())) return false;
  }
  await pool.query(FOLLOW, values);
  return true;
}

const UNFOLLOW = 'DELETE FROM chat_followers WHERE organization_id = $1 AND agent_id = $2 AND chat_id = $3';

export async function unfollow(pool: Pool, { organizationId, agentId }: Viewer, chatId: string): Promise<void> {
  await pool.query(UNFOLLOW, [organizationId, agentId, chatId]);
}

const LIST = `
  SELECT f.chat_id AS "chatId" FROM chat_followers f
  JOIN chats c ON c.organization_id = $1 AND c.id = f.chat_id
  WHERE f.organization_id = $1 AND f.agent_id = $3 AND ${isSeen('c')}
  ORDER BY f.followed_at DESC, f.chat_id LIMIT ${MAX_FOLLOWED}`;

/** The chats that the viewer follows and may see, last followed first. */
export async function findFollowed(pool: Pool, viewer: Viewer): Promise<string[]> {
  const values = [viewer.organizationId, seenAs(viewer), viewer.agentId];
  const { rows } = await pool.query<{ chatId: string }>({ name: 'find-followed', text: LIST, values });
  return rows.map(({ chatId }) => chatId);
}

const LIST_OF_AGENTS = `
  SELECT f.agent_id AS "agentId", f.chat_id AS "chatId" FROM unnest($1::text[], $2::text[]) AS k (organization_id, agent_id)
  JOIN agents a ON a.organization_id = k.organization_id AND a.id = k.agent_id AND a.is_enabled
  JOIN chat_followers f ON f.organization_id = k.organization_id AND f.agent_id = k.agent_id
  JOIN chats c ON c.organization_id = k.organization_id AND c.id = f.chat_id
  WHERE ${sqlMaySee('c', 'a.id', `a.role <> 'AGENT'`, 'k.organization_id')}`;

/** The chats that these agents follow and may see. @param failures as for `queryOrganizations` */
export async function findFollowedBy(
  pool: Pool,
  agents: readonly AgentKey[],
  failures?: Map<number, Error>,
): Promise<{ agentId: string; chatId: string }[]> {
  const values = [agents.map(({ organizationId }) => organizationId), agents.map(({ agentId }) => agentId)];
  return queryOrganizations<{ agentId: string; chatId: string }>(pool, {
    name: 'find-followed-by',
    text: LIST_OF_AGENTS,
    values,
    failures,
  });
}
