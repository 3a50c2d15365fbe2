/** A visitor signed out: this token is no longer valid. */
export interface VisitorTokenEnded {
  organizationId: string;
  tokenId: string;
}

/** Why the session of an agent ended (CONTRACT: Signing in). */
export type SessionEndReason = 'SIGNED_OUT' | 'EXPIRED' | 'PASSWORD_CHANGED' | 'DISABLED' | 'DELETED';

/** Sessions of an agent ended: their tokens are no longer valid on any node. */
export interface AgentSessionEnded {
  organizationId: string;
  agentId: string;
  /** The sessions that ended; null: all of the agent. */
  sessionIds: readonly string[] | null;
  reason: SessionEndReason;
}

declare module '../../platform/database/domain-events.js' {
  interface DomainEvents {
    'token.ended': VisitorTokenEnded;
    'agentSession.ended': AgentSessionEnded;
  }
}
