import type { EntityManager } from 'typeorm';
import { lookUpByKey } from '../chats/chats.queries.js';
import { MAX_COUNTED, sqlPace, sqlPosition } from '../chats/queue-sql.js';
import { sqlHasRoom, sqlIsOnline } from '../agents/presence-sql.js';
import type { Availability } from './availability.js';

/** The agents and the queue of a group. */
export interface GroupAvailability {
  groupId: string;
  availability: Availability;
  /** Agents of the group who are online and accepting. */
  onlineAgents: number;
  /** At most 1,000. */
  waitingChats: number;
  /** The median time between two assignments of the last 30 minutes, in seconds; null with fewer than three. */
  pace: number | null;
}

const COLUMNS = `
  g.id AS "groupId", online.agents AS "onlineAgents",
  CASE WHEN online.agents = 0 THEN 'OFFLINE' WHEN online.has_room THEN 'AVAILABLE' ELSE 'BUSY' END AS availability,
  (SELECT count(*)::integer FROM (
    SELECT FROM chats c WHERE c.organization_id = g.organization_id AND c.group_id = g.id
      AND c.status = 'QUEUED' AND c.erased_at IS NULL LIMIT ${MAX_COUNTED}) AS waiting) AS "waitingChats",
  ${sqlPace('g.organization_id', 'g.id')} AS pace`;

const ONLINE = `
  SELECT count(*)::integer AS agents, COALESCE(bool_or(${sqlHasRoom('a')}), false) AS has_room
  FROM agent_groups m JOIN ${lookUpByKey('agents', 'a', 'm.agent_id', 'm')}
  WHERE m.organization_id = g.organization_id AND m.group_id = g.id AND ${sqlIsOnline('a')}`;

const ALL = `
  SELECT ${COLUMNS} FROM groups g CROSS JOIN LATERAL (${ONLINE}) online
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

/** The place of a waiting chat in its group's queue, from 1 to 1,000. */
export async function findPosition(manager: EntityManager, organizationId: string, chatId: string): Promise<number> {
  const [row]: { position: number }[] = await manager.query(POSITION, [organizationId, chatId]);
  return row?.position ?? 1;
}
