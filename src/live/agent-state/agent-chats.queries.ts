import type { Pool } from 'pg';
import type { PauseReason } from '../../agents/pause-reason.js';
import type { AgentKey, Presence } from '../../agents/presence.queries.js';
import { sqlPauseReason, sqlPresence } from '../../agents/presence.queries.js';
import type { Role } from '../../agents/role.js';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';
import type { TrackedChat } from './watched-view.js';

/** The most waiting chats that one statement reads. */
const MAX_WAITING = 5_000;

const COLUMNS = `
  c.organization_id AS "organizationId", c.id, c.status, c.group_id AS "groupId", c.agent_id AS "agentId",
  c.visitor_id AS "visitorId", c.rev, c.message_count AS "messageCount"`;

// Every part uses an index.
const FIND_CHATS = `
  SELECT * FROM (
    SELECT ${COLUMNS} FROM chats c
    WHERE c.organization_id = ANY ($1::text[]) AND c.status = 'QUEUED' AND c.erased_at IS NULL LIMIT ${MAX_WAITING}
  ) AS waiting
  UNION
  SELECT ${COLUMNS} FROM unnest($2::text[], $3::text[]) AS a (organization_id, agent_id)
  JOIN chats c ON c.organization_id = a.organization_id AND c.agent_id = a.agent_id AND c.erased_at IS NULL
  UNION
  SELECT ${COLUMNS} FROM unnest($4::text[], $5::text[]) AS k (organization_id, id)
  JOIN chats c ON c.organization_id = k.organization_id AND c.id = k.id AND c.erased_at IS NULL`;

/** Which chats to find. */
export interface TrackedChatQuery {
  /** The organizations whose waiting chats to find. */
  organizationIds: readonly string[];
  /** The agents whose chats to find. */
  agents: readonly AgentKey[];
  /** Chats to find by id. */
  chats: readonly { organizationId: string; id: string }[];
}

/** Finds chats; erased and removed ones are left out. @param failures as for `queryOrganizations`, by the place of the organization */
export async function findTrackedChats(
  pool: Pool,
  { organizationIds, agents, chats }: TrackedChatQuery,
  failures?: Map<number, Error>,
): Promise<TrackedChat[]> {
  const values = [
    organizationIds,
    agents.map(({ organizationId }) => organizationId),
    agents.map(({ agentId }) => agentId),
    chats.map(({ organizationId }) => organizationId),
    chats.map(({ id }) => id),
  ];
  const items = [[0], [1, 2], [3, 4]];
  return queryOrganizations<TrackedChat>(pool, { name: 'find-chat-places', text: FIND_CHATS, values, items, failures });
}

/** An agent's rights and presence. */
export interface AgentRow extends AgentKey {
  role: Role;
  groupIds: string[];
  isAccepting: boolean;
  reason: PauseReason | null;
  presence: Presence;
}

const findAgentsBy = (condition: string, organizationId: string) => `
  SELECT a.organization_id AS "organizationId", a.id AS "agentId", a.role, a.is_accepting AS "isAccepting",
    ${sqlPresence('a', organizationId)} AS presence, ${sqlPauseReason('a')} AS reason,
    ARRAY(SELECT g.group_id FROM agent_groups g
          WHERE g.organization_id = ${organizationId} AND g.agent_id = a.id) AS "groupIds"
  FROM agents a WHERE ${condition}`;
const FIND_AGENTS = findAgentsBy('a.organization_id = ANY ($1::text[]) AND a.is_enabled', 'a.organization_id');
const FIND_AGENT = findAgentsBy('a.organization_id = $1 AND a.id = $2 AND a.is_enabled', '$1');

/** Every enabled agent of these organizations. @param failures as for `queryOrganizations` */
export async function findAgents(
  pool: Pool,
  organizationIds: readonly string[],
  failures?: Map<number, Error>,
): Promise<AgentRow[]> {
  const query = { name: 'find-people', text: FIND_AGENTS, values: [organizationIds], failures };
  return queryOrganizations<AgentRow>(pool, query);
}

/** One agent; null if the agent was removed or is disabled. */
export async function findAgent(pool: Pool, { organizationId, agentId }: AgentKey): Promise<AgentRow | null> {
  const values = [organizationId, agentId];
  const { rows } = await pool.query<AgentRow>({ name: 'find-person', text: FIND_AGENT, values });
  return rows[0] ?? null;
}
