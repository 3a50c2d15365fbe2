import { Inject, Injectable } from '@nestjs/common';
import type { Viewer } from '../chats/model/chat-rights.js';
import type { Pool } from 'pg';
import type { Named } from '../chats/reading/chat-state.js';
import { POOL } from '../platform/database/pool.js';
import { notFound } from '../platform/errors/problem.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { InboxService } from './inbox.service.js';
import './notes.events.js';
import { insertNote, listNotes, type StoredNote } from './notes.queries.js';

/** A note, for agents only (CONTRACT section 10). */
export interface NoteView {
  id: string;
  content: string;
  /** With the name at that time. */
  author: Named;
  /** The chat's highest `seq` when it was written. */
  afterSeq: number;
  createdAt: string;
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
    this.events.emit('note.added', { organizationId: viewer.organizationId, chatId });
    return toNoteView(stored);
  }
}

function toNoteView({ id, content, authorId, authorName, afterSeq, createdAt }: StoredNote): NoteView {
  return { id, content, author: { id: authorId, name: authorName }, afterSeq, createdAt: createdAt.toISOString() };
}
