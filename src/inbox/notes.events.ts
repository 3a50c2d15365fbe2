/** A note was written about a chat. Only agents are notified. */
export interface NoteAdded {
  organizationId: string;
  chatId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'note.added': NoteAdded;
  }
}
