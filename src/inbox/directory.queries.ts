import type { EntityManager } from 'typeorm';
import { MAX_COUNT, WAITING } from './counts.queries.js';

/** A group with the chats that wait in it. */
export interface WaitingGroup {
  id: string;
  name: string;
  isDefault: boolean;
  /** Up to 999. */
  waitingChats: number;
}

const LIST = `
  SELECT g.id, g.name, g.is_default AS "isDefault", (
    SELECT count(*)::integer FROM (
      SELECT FROM chats WHERE organization_id = $1 AND group_id = g.id AND ${WAITING} LIMIT ${MAX_COUNT}
    ) waiting
  ) AS "waitingChats"
  FROM groups g WHERE g.organization_id = $1 ORDER BY g.name COLLATE "C", g.id`;

/** Every group of an organization, by name. */
export function listWaitingGroups(manager: EntityManager, organizationId: string): Promise<WaitingGroup[]> {
  return manager.query(LIST, [organizationId]);
}
