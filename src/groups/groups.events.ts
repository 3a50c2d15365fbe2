/** A group is gone; these open chats are in the default group now. */
export interface GroupDeleted {
  organizationId: string;
  movedChatIds: string[];
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'group.deleted': GroupDeleted;
  }
}
