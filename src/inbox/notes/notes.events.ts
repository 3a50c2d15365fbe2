import type { NoteView } from './note-view.js';

/** A note about a chat was added, changed, or deleted. Only agents are notified. */
export interface NotesChanged {
  organizationId: string;
  chatId: string;
}

/** A note mentions agents whom it didn't mention before. */
export interface NoteMentioned {
  organizationId: string;
  chatId: string;
  note: NoteView;
  agentIds: string[];
}

/** An agent has seen the notes of a chat that mention them. */
export interface MentionsSeen {
  organizationId: string;
  agentId: string;
  chatId: string;
}

declare module '../../platform/database/domain-events.js' {
  interface DomainEvents {
    'notes.changed': NotesChanged;
    'note.mentioned': NoteMentioned;
    'mentions.seen': MentionsSeen;
  }
}
