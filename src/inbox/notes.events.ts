/** A note about a chat was added, changed, or deleted. Only agents are notified. */
export interface NotesChanged {
  organizationId: string;
  chatId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'notes.changed': NotesChanged;
  }
}
