/** The connection of a bot was created, changed, paused, or deleted. */
export interface ConnectionChanged {
  organizationId: string;
  botId: string;
}

/** A visitor stopped a turn, or tried again, which made a new turn. */
export interface TurnsChanged {
  organizationId: string;
  chatId: string;
}

declare module '../../platform/database/domain-events.js' {
  interface DomainEvents {
    'connection.changed': ConnectionChanged;
    'turns.changed': TurnsChanged;
  }
}
