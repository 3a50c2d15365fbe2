import type { FileView } from '../../files/file.js';
import type { FileLinks } from '../../files/file-links.js';
import type { Named } from '../../chats/reading/chat-state.js';
import type { InboxRow } from '../views/inbox-row.js';
import type { StoredNote } from './notes.queries.js';

/** A note, for agents only (CONTRACT: Agent API). */
export interface NoteView {
  id: string;
  content: string;
  /** With the name at that time. */
  author: Named;
  /** The chat's highest `seq` when it was written. */
  afterSeq: number;
  createdAt: string;
  /** When its author last changed it. */
  editedAt: string | null;
  /** The agents whom it mentions, with their names of now. */
  mentions: Named[];
  /** Absent without any. */
  files?: FileView[];
}

/** A note that mentions the agent who reads it, with its chat. */
export interface MentionView {
  note: NoteView;
  chat: InboxRow;
  seenAt: string | null;
}

export function toNoteView(stored: StoredNote, links: FileLinks): NoteView {
  const { id, content, authorId, authorName, afterSeq, createdAt, editedAt, mentions, files } = stored;
  return {
    id,
    content,
    author: { id: authorId, name: authorName },
    afterSeq,
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    mentions,
    ...(files && { files: files.map((file) => links.signed(file)) }),
  };
}
