import type { MessageResponse } from './messages.dto.js';

/** A message was stored. */
export interface MessageCreated {
  organizationId: string;
  message: MessageResponse;
}

declare module '../common/domain-events.js' {
  interface DomainEvents {
    'message.created': MessageCreated;
  }
}
