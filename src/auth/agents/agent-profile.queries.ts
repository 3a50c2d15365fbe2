import type { EntityManager } from 'typeorm';
import type { PauseReason } from '../../agents/pause-reason.js';
import { type Presence, sqlPauseReason, sqlPresence } from '../../agents/presence.queries.js';
import type { Role } from '../../agents/role.js';
import type { AgentIdentity } from './agent-sessions.queries.js';

/** What agents see of themselves and their organization. */
export interface AgentProfile {
  agent: {
    id: string;
    name: string;
    email: string;
    role: Role;
    capacity: number;
    avatarUrl: string | null;
    groups: { id: string; name: string }[];
    isAccepting: boolean;
    presence: Presence;
    pauseReason: PauseReason | null;
    hasPassword: boolean;
    /** Whether the agent gets mails about chats while no page of theirs is open; null: this installation sends none. */
    mailWhenAway: boolean | null;
  };
  organization: { id: string; name: string };
}

const FIND_PROFILE = `
  SELECT json_build_object('id', a.id, 'name', a.name, 'email', a.email, 'role', a.role, 'capacity', a.capacity,
      'avatarUrl', a.avatar_url, 'groups', COALESCE((
        SELECT json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.id)
        FROM agent_groups m JOIN groups g ON g.organization_id = $1 AND g.id = m.group_id
        WHERE m.organization_id = $1 AND m.agent_id = a.id), '[]'::json),
      'isAccepting', a.is_accepting,
      'presence', ${sqlPresence('a', '$1')},
      'pauseReason', ${sqlPauseReason('a')},
      'hasPassword', a.password_hash IS NOT NULL, 'mailWhenAway', a.mail_when_away) AS agent,
    json_build_object('id', o.id, 'name', o.name) AS organization
  FROM agents a JOIN organizations o ON o.id = a.organization_id
  WHERE a.organization_id = $1 AND a.id = $2`;

/** An agent's profile; null if the agent was deleted. */
export async function findProfile(
  manager: EntityManager,
  { organizationId, agentId }: AgentIdentity,
): Promise<AgentProfile | null> {
  const rows: AgentProfile[] = await manager.query(FIND_PROFILE, [organizationId, agentId]);
  return rows[0] ?? null;
}
