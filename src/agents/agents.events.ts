import type { AgentPresence } from './presence.queries.js';
import type { Role } from './role.js';

/** An agent's presence changed, or whether they accept chats. Carries the state after the change. */
export interface AgentPresenceChanged extends AgentPresence {
  organizationId: string;
}

/** An agent was created, changed, or removed. */
export interface AgentChanged {
  organizationId: string;
  agentId: string;
  /** What decides which chats the agent may see now; null if the agent is disabled or deleted. */
  rights: { role: Role; groupIds: readonly string[] } | null;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'agent.changed': AgentChanged;
    'agent.presenceChanged': AgentPresenceChanged;
  }
}
