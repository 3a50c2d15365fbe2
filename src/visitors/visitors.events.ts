/** A visitor was erased; their remaining data is being removed. */
export interface VisitorErased {
  organizationId: string;
  visitorId: string;
}

/** An agent blocked a visitor. */
export interface VisitorBlocked {
  organizationId: string;
  visitorId: string;
}

/** Chats were removed with their contents. */
export interface ChatsRemoved {
  chatIds: string[];
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'visitor.blocked': VisitorBlocked;
    'visitor.erased': VisitorErased;
    'chats.removed': ChatsRemoved;
  }
}
