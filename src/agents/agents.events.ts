/** An agent is gone; the chats they had wait for another. */
export interface AgentDeleted {
  organizationId: string;
  unassignedChatIds: string[];
}

declare module '../common/domain-events.js' {
  interface DomainEvents {
    'agent.deleted': AgentDeleted;
  }
}
