import type { EntityManager } from 'typeorm';
import { sqlIsConnected } from './presence.queries.js';

/** Whether an agent of a group can take a chat now (CONTRACT section 8). */
export type Availability = 'AVAILABLE' | 'BUSY' | 'OFFLINE';

export interface GroupAvailability {
  groupId: string;
  /** AVAILABLE: a member is ONLINE and has room; BUSY: those who are ONLINE have none; OFFLINE: no member is ONLINE. */
  availability: Availability;
  /** How many members are ONLINE. */
  onlineAgents: number;
}

// Enabled members who are ONLINE count, whatever their role. Offers take room too.
const FIND = `
  SELECT g.id AS "groupId", members.online AS "onlineAgents",
    CASE WHEN members.online = 0 THEN 'OFFLINE' WHEN members.free = 0 THEN 'BUSY' ELSE 'AVAILABLE' END AS availability
  FROM groups g CROSS JOIN LATERAL (
    SELECT count(*)::integer AS online,
      count(*) FILTER (WHERE a.open_chats + a.pending_offers < a.capacity)::integer AS free
    FROM agent_groups m JOIN agents a ON a.organization_id = m.organization_id AND a.id = m.agent_id
    WHERE m.organization_id = g.organization_id AND m.group_id = g.id AND a.is_accepting AND ${sqlIsConnected('a')}
  ) members
  WHERE g.organization_id = $1`;

/** The availability of every group of an organization, in one statement. */
export function findAvailability(manager: EntityManager, organizationId: string): Promise<GroupAvailability[]> {
  return manager.query(FIND, [organizationId]);
}
