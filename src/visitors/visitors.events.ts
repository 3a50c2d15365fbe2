/** A visitor is gone, and what is left of them is being erased. */
export interface VisitorErased {
  organizationId: string;
  visitorId: string;
}

/** Chats were removed with all that was in them. */
export interface ChatsRemoved {
  chatIds: string[];
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'visitor.erased': VisitorErased;
    'chats.removed': ChatsRemoved;
  }
}
