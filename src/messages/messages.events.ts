import type { MessageView } from './message.js';

/** A message was stored. */
export interface MessageCreated {
  organizationId: string;
  message: MessageView;
}

/** An agent deleted a message, which is a tombstone now. */
export interface MessageDeleted {
  organizationId: string;
  message: MessageView;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'message.created': MessageCreated;
    'message.deleted': MessageDeleted;
  }
}
