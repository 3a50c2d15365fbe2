import type { EntityManager } from 'typeorm';
import type { PauseReason } from './pause-reason.js';
import { type Presence, sqlPauseReason, sqlPresence } from './presence.queries.js';
import type { Role } from './role.js';

/** An agent as colleagues see it. */
export interface Colleague {
  id: string;
  name: string;
  avatarUrl: string | null;
  role: Role;
  groupIds: string[];
  presence: Presence;
  pauseReason: PauseReason | null;
  /** How many chats the agent has. */
  openChats: number;
}

const LIST = `
  SELECT a.id, a.name, a.avatar_url AS "avatarUrl", a.role, a.open_chats AS "openChats", ${sqlPresence('a', '$1')} AS presence,
    ${sqlPauseReason('a')} AS "pauseReason",
    ARRAY(SELECT m.group_id FROM agent_groups m
          WHERE m.organization_id = $1 AND m.agent_id = a.id ORDER BY m.group_id) AS "groupIds"
  FROM agents a
  WHERE a.organization_id = $1 AND a.id > $2 AND a.is_enabled ORDER BY a.id LIMIT $3`;

/** The enabled agents of an organization after an id, in one statement. */
export function listColleagues(
  manager: EntityManager,
  organizationId: string,
  { after = '', limit }: { after?: string; limit: number },
): Promise<Colleague[]> {
  return manager.query(LIST, [organizationId, after, limit]);
}
