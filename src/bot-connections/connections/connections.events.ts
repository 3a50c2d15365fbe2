/** The connection of a bot was created, changed, paused, or deleted. */
export interface ConnectionChanged {
  organizationId: string;
  botId: string;
}

declare module '../../platform/database/domain-events.js' {
  interface DomainEvents {
    'connection.changed': ConnectionChanged;
  }
}
