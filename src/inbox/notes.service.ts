import { Inject, Injectable } from '@nestjs/common';
import type { Viewer } from '../chats/model/chat-rights.js';
import type { Pool } from 'pg';
import type { Named } from '../chats/reading/chat-state.js';
import { POOL } from '../platform/database/pool.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { InboxService } from './inbox.service.js';
import './notes.events.js';
import { deleteNote, editNote, findAuthor, insertNote, listNotes, type StoredNote } from './notes.queries.js';

/** A note, for agents only (CONTRACT section 10). */
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
}

/** Agents' notes. They aren't messages: bots, visitors, webhooks and exports never get them. */
@Injectable()
export class NotesService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly inbox: InboxService,
    private readonly events: DomainEventBus,
  ) {}

  /** Oldest first. @throws Problem not_found for a chat that the viewer may not see */
  async list(viewer: Viewer, chatId: string, { limit, cursor }: PageQuery): Promise<Page<NoteView>> {
    await this.inbox.getSeenChat(viewer, chatId);
    const rows = await listNotes(this.pool, viewer.organizationId, chatId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, toNoteView);
  }

  /** Writes a note, and raises the chat's `rev`. @throws Problem not_found for a chat that the viewer may not see */
  async add(viewer: Viewer & { name: string }, chatId: string, content: string): Promise<NoteView> {
    const author = { id: viewer.agentId, name: viewer.name };
    const note = { id: newId('not'), content, author, createdAt: new Date() };
    const stored = (await insertNote(this.pool, viewer, chatId, note)) ?? notFound('Chat');
    this.events.emit('notes.changed', { organizationId: viewer.organizationId, chatId });
    return toNoteView(stored);
  }

  /** Changes the viewer's own note. @throws Problem not_found; forbidden for another agent's note */
  async edit(viewer: Viewer, chatId: string, id: string, content: string): Promise<NoteView> {
    const stored = await editNote(this.pool, viewer, chatId, { id, content, editedAt: new Date() });
    if (!stored) return this.refuse(viewer, chatId, id);
    this.events.emit('notes.changed', { organizationId: viewer.organizationId, chatId });
    return toNoteView(stored);
  }

  /** Deletes the viewer's own note. @throws Problem not_found; forbidden for another agent's note */
  async delete(viewer: Viewer, chatId: string, id: string): Promise<void> {
    if (!(await deleteNote(this.pool, viewer, chatId, id))) return this.refuse(viewer, chatId, id);
    this.events.emit('notes.changed', { organizationId: viewer.organizationId, chatId });
  }

  private async refuse(viewer: Viewer, chatId: string, id: string): Promise<never> {
    if ((await findAuthor(this.pool, viewer, chatId, id)) === null) return notFound('Note');
    throw new Problem('forbidden', 'Only its author can change a note');
  }
}

function toNoteView({ id, content, authorId, authorName, afterSeq, createdAt, editedAt }: StoredNote): NoteView {
  return {
    id,
    content,
    author: { id: authorId, name: authorName },
    afterSeq,
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
  };
}
