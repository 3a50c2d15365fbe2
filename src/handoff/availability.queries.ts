import type { EntityManager } from 'typeorm';
import { lookUpByKey } from '../chats/reading/chats.queries.js';
import { MAX_COUNTED, sqlPace, sqlPosition } from '../chats/reading/queue-sql.js';
import { sqlConnected, sqlHasRoom, sqlIsOnline, sqlTakesChats } from '../agents/presence.queries.js';
import { sqlIsOpen, sqlNextOpening } from '../organizations/office-hours.queries.js';
import type { Availability } from './availability.js';

/** A group's agents and queue. */
export interface GroupAvailability {
  groupId: string;
  availability: Availability;
  /** The group's agents who are online and accept chats. */
  onlineAgents: number;
  /** At most 1,000. */
  waitingChats: number;
  /** The median time between two assignments of the last 30 minutes, in seconds; null with fewer than three. */
  pace: number | null;
  /** Whether it's within the group's office hours. */
  isOpen: boolean;
  /** When it opens; null while it's open, and if it never opens. */
  nextOpening: Date | null;
}

const COLUMNS = `
  g.id AS "groupId", COALESCE(online.agents, 0) AS "onlineAgents",
  ${sqlIsOpen('g')} AS "isOpen", ${sqlNextOpening('g')} AS "nextOpening",
  CASE WHEN COALESCE(online.agents, 0) = 0 OR NOT ${sqlIsOpen('g')} THEN 'OFFLINE' WHEN online.has_room THEN 'AVAILABLE' ELSE 'BUSY' END AS availability,
  (SELECT count(*)::integer FROM (
    SELECT FROM chats c WHERE c.organization_id = $1 AND c.group_id = g.id
      AND c.status = 'QUEUED' AND c.erased_at IS NULL LIMIT ${MAX_COUNTED}) AS waiting) AS "waitingChats",
  ${sqlPace('$1', 'g.id')} AS pace`;

const ONLINE = `
  SELECT count(*)::integer AS agents, COALESCE(bool_or(${sqlHasRoom('a')}), false) AS has_room
  FROM agent_groups m JOIN ${lookUpByKey('agents', 'a', 'm.agent_id')}
  WHERE m.organization_id = $1 AND m.group_id = g.id AND ${sqlIsOnline('a', '$1')}`;

// Starts from the connected agents: an organization may have thousands of agents in hundreds of groups.
const ALL = `
  WITH online AS (
    SELECT m.group_id, count(*)::integer AS agents, bool_or(${sqlHasRoom('a')}) AS has_room
    FROM (${sqlConnected('$1')}) k
    JOIN agents a ON a.organization_id = $1 AND a.id = k.agent_id AND a.is_enabled AND ${sqlTakesChats('a')}
    JOIN agent_groups m ON m.organization_id = $1 AND m.agent_id = a.id
    GROUP BY m.group_id
  )
  SELECT ${COLUMNS} FROM groups g LEFT JOIN online ON online.group_id = g.id
  WHERE g.organization_id = $1 ORDER BY g.name COLLATE "C", g.id`;
const ONE = `
  SELECT ${COLUMNS} FROM groups g CROSS JOIN LATERAL (${ONLINE}) online
  WHERE g.organization_id = $1 AND g.id = $2`;

/** The groups of an organization by name, as `GET /api/bot/groups` orders them. */
export function listAvailabilities(manager: EntityManager, organizationId: string): Promise<GroupAvailability[]> {
  return manager.query(ALL, [organizationId]);
}

export async function findAvailability(
  manager: EntityManager,
  organizationId: string,
  groupId: string,
): Promise<GroupAvailability | null> {
  const rows: GroupAvailability[] = await manager.query(ONE, [organizationId, groupId]);
  return rows[0] ?? null;
}

const POSITION = `
  SELECT ${sqlPosition('c')} AS position FROM chats c WHERE c.organization_id = $1 AND c.id = $2`;

/** The position of a waiting chat in its group's queue, from 1 to 1,000. */
export async function findPosition(manager: EntityManager, organizationId: string, chatId: string): Promise<number> {
  const [row]: { position: number }[] = await manager.query(POSITION, [organizationId, chatId]);
  return row?.position ?? 1;
}
