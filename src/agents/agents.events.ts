/** An agent is gone; the chats they had wait for another. */
export interface AgentDeleted {
  organizationId: string;
  unassignedChatIds: string[];
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'agent.deleted': AgentDeleted;
  }
}
