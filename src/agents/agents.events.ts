import type { AgentPresence } from './presence.queries.js';
import type { Role } from './role.js';

/** Why an agent no longer accepts chats, when the agent did not choose it. */
export type PauseReason = 'MISSED_OFFERS';

/** The presence of an agent changed, or whether the agent accepts chats. It tells the state after the change. */
export interface AgentPresenceChanged extends AgentPresence {
  organizationId: string;
  reason?: PauseReason;
}

/** An agent was made, changed or removed. */
export interface AgentChanged {
  organizationId: string;
  agentId: string;
  /** What decides which chats the agent may see now; null for one who is disabled or gone. */
  rights: { role: Role; groupIds: readonly string[] } | null;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'agent.changed': AgentChanged;
    'agent.presenceChanged': AgentPresenceChanged;
  }
}
