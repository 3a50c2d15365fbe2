import type { Pool } from 'pg';
import type { AgentKey, Presence } from '../../agents/presence.queries.js';
import { sqlPresence } from '../../agents/presence.queries.js';
import type { Role } from '../../agents/role.js';
import type { ChatPlace } from './watched-view.js';

/** The most waiting chats that are compared with the database at a time. */
const MAX_WAITING = 5_000;

const PLACE = `
  c.organization_id AS "organizationId", c.id, c.status, c.group_id AS "groupId", c.agent_id AS "agentId",
  c.visitor_id AS "visitorId", c.rev, c.message_count AS "messageCount"`;

// Every part goes by an index, from a list that the node makes.
const FIND_PLACES = `
  SELECT * FROM (
    SELECT ${PLACE} FROM chats c
    WHERE c.organization_id = ANY ($1::text[]) AND c.status = 'QUEUED' AND c.erased_at IS NULL LIMIT ${MAX_WAITING}
  ) AS waiting
  UNION
  SELECT ${PLACE} FROM unnest($2::text[], $3::text[]) AS a (organization_id, agent_id)
  JOIN chats c ON c.organization_id = a.organization_id AND c.agent_id = a.agent_id AND c.erased_at IS NULL
  UNION
  SELECT ${PLACE} FROM unnest($4::text[], $5::text[]) AS k (organization_id, id)
  JOIN chats c ON c.organization_id = k.organization_id AND c.id = k.id AND c.erased_at IS NULL`;

/** Which chats to find. */
export interface PlaceQuery {
  /** The organizations whose waiting chats are meant. */
  organizationIds: readonly string[];
  /** The agents whose chats are meant. */
  agents: readonly AgentKey[];
  /** Chats that are meant by their ids. */
  chats: readonly { organizationId: string; id: string }[];
}

/** The places of chats; those that were erased or removed are left out. */
export async function findPlaces(pool: Pool, { organizationIds, agents, chats }: PlaceQuery): Promise<ChatPlace[]> {
  const values = [
    organizationIds,
    agents.map(({ organizationId }) => organizationId),
    agents.map(({ agentId }) => agentId),
    chats.map(({ organizationId }) => organizationId),
    chats.map(({ id }) => id),
  ];
  const { rows } = await pool.query<ChatPlace>({ name: 'find-chat-places', text: FIND_PLACES, values });
  return rows;
}

/** An agent of an organization, with their rights and presence. */
export interface PersonRow extends AgentKey {
  role: Role;
  groupIds: string[];
  isAccepting: boolean;
  presence: Presence;
}

const findPeopleBy = (condition: string) => `
  SELECT a.organization_id AS "organizationId", a.id AS "agentId", a.role, a.is_accepting AS "isAccepting",
    ${sqlPresence('a')} AS presence,
    ARRAY(SELECT g.group_id FROM agent_groups g
          WHERE g.organization_id = a.organization_id AND g.agent_id = a.id) AS "groupIds"
  FROM agents a WHERE ${condition}`;
const FIND_PEOPLE = findPeopleBy('a.organization_id = ANY ($1::text[]) AND a.is_enabled');
const FIND_PERSON = findPeopleBy('a.organization_id = $1 AND a.id = $2 AND a.is_enabled');

/** Every agent of these organizations who is enabled. */
export async function findPeople(pool: Pool, organizationIds: readonly string[]): Promise<PersonRow[]> {
  const { rows } = await pool.query<PersonRow>({ name: 'find-people', text: FIND_PEOPLE, values: [organizationIds] });
  return rows;
}

/** One agent; null for one who is gone or disabled. */
export async function findPerson(pool: Pool, { organizationId, agentId }: AgentKey): Promise<PersonRow | null> {
  const values = [organizationId, agentId];
  const { rows } = await pool.query<PersonRow>({ name: 'find-person', text: FIND_PERSON, values });
  return rows[0] ?? null;
}
