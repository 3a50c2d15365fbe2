/** A note was written about a chat. Agents alone learn of it. */
export interface NoteAdded {
  organizationId: string;
  chatId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'note.added': NoteAdded;
  }
}
