import type { AgentPresence } from './presence.queries.js';

/** Why an agent no longer accepts chats, when the agent did not choose it. */
export type PauseReason = 'MISSED_OFFERS';

/** The presence of an agent changed, or whether the agent accepts chats. It tells the state after the change. */
export interface AgentPresenceChanged extends AgentPresence {
  organizationId: string;
  reason?: PauseReason;
}

/** The role, the groups or another field of an agent was set. */
export interface AgentChanged {
  organizationId: string;
  agentId: string;
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'agent.changed': AgentChanged;
    'agent.presenceChanged': AgentPresenceChanged;
  }
}
