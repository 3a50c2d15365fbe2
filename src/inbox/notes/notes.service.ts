import { Inject, Injectable } from '@nestjs/common';
import type { Viewer } from '../../chats/model/chat-rights.js';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { FileLinks } from '../../files/file-links.js';
import { removeFiles } from '../../files/removals.queries.js';
import { FileRemovals } from '../../files/removals.service.js';
import { clientOf, transaction } from '../../platform/database/transaction.js';
import { POOL } from '../../platform/database/pool.js';
import { invalid, notFound, Problem } from '../../platform/errors/problem.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { newId } from '../../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import { InboxService } from '../views/inbox.service.js';
import { listMentions, markMentionsSeen } from './mentions.queries.js';
import { setNoteFiles } from './note-files.js';
import { type MentionView, type NoteView, toNoteView } from './note-view.js';
import './notes.events.js';
import { deleteNote, editNote, findNote, insertNote, listNotes, type StoredNote } from './notes.queries.js';

/** What a note has. */
export interface NoteBody {
  content?: string;
  /** The ids of agents to notify. */
  mentions?: readonly string[];
  /** The ids of completed uploads of the author into the chat. */
  files?: readonly string[];
}

/** Agents' notes. They aren't messages: bots, visitors, webhooks and exports never get them. */
@Injectable()
export class NotesService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly inbox: InboxService,
    private readonly events: DomainEventBus,
    private readonly manager: EntityManager,
    private readonly links: FileLinks,
    private readonly removals: FileRemovals,
  ) {}

  /** Oldest first. @throws Problem not_found for a chat that the viewer may not see */
  async list(viewer: Viewer, chatId: string, { limit, cursor }: PageQuery): Promise<Page<NoteView>> {
    await this.inbox.getSeenChat(viewer, chatId);
    const rows = await listNotes(this.pool, viewer.organizationId, chatId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, (note) => toNoteView(note, this.links));
  }

  /**
   * Writes a note, and raises the chat's `rev`.
   * @throws Problem not_found for a chat that the viewer may not see; validation_failed for a mention of an agent who may not see it,
   * or a file that isn't the viewer's, complete, unused, and of this chat
   */
  async add(
    viewer: Viewer & { name: string },
    chatId: string,
    body: NoteBody & { content: string },
  ): Promise<NoteView> {
    const { content, mentions = [], files = [] } = body;
    await this.checkMentions(viewer, chatId, mentions);
    const author = { id: viewer.agentId, name: viewer.name };
    const id = newId('not');
    const note = { id, content, author, createdAt: new Date(), mentions };
    await transaction(this.manager, async (tx) => {
      if (!(await insertNote(this.pool, await clientOf(tx), viewer, chatId, note))) notFound('Chat');
      if (files.length > 0) await setNoteFiles(tx, viewer, chatId, id, files);
    });
    return this.getChanged(viewer, chatId, id, mentions);
  }

  /**
   * Changes the viewer's own note: what's undefined stays. Only agents whom it didn't mention before are notified.
   * @throws Problem not_found; forbidden for another agent's note; validation_failed as `add`
   */
  async edit(viewer: Viewer, chatId: string, id: string, { content, mentions, files }: NoteBody): Promise<NoteView> {
    const before = await this.getOwn(viewer, chatId, id);
    const known = before.mentions.map((agent) => agent.id);
    const added = (mentions ?? []).filter((agentId) => !known.includes(agentId));
    await this.checkMentions(viewer, chatId, added);
    const change = { id, content: content ?? null, editedAt: new Date(), mentions: mentions ?? null };
    await transaction(this.manager, async (tx) => {
      if (!(await editNote(this.pool, await clientOf(tx), viewer, chatId, change))) notFound('Note');
      if (files) await setNoteFiles(tx, viewer, chatId, id, files);
    });
    if (files) this.removals.wake();
    return this.getChanged(viewer, chatId, id, added);
  }

  /** Deletes the viewer's own note and its files. @throws Problem not_found; forbidden for another agent's note */
  async delete(viewer: Viewer, chatId: string, id: string): Promise<void> {
    const { organizationId } = viewer;
    await this.getOwn(viewer, chatId, id);
    await transaction(this.manager, async (tx) => {
      if (!(await deleteNote(await clientOf(tx), viewer, chatId, id))) notFound('Note');
      await removeFiles(tx, organizationId, { usedBy: [id], chatId });
    });
    this.removals.wake();
    this.events.emit('notes.changed', { organizationId, chatId });
  }

  /** The notes that mention the viewer, newest first, with their chats. */
  async listMentions(viewer: Viewer, { limit, cursor }: PageQuery): Promise<Page<MentionView>> {
    const found = await listMentions(this.pool, viewer, { after: cursor, limit: limit + 1 });
    const rows = await this.inbox.findRows(viewer.organizationId, [...new Set(found.map(({ chatId }) => chatId))]);
    const chats = new Map(rows.map((row) => [row.id, row]));
    const page = toPage(found, limit, (mention) => ({
      note: toNoteView(mention, this.links),
      chat: chats.get(mention.chatId),
      seenAt: mention.seenAt?.toISOString() ?? null,
    }));
    // A chat may be erased between the two reads.
    return { ...page, items: page.items.flatMap(({ chat, ...mention }) => (chat ? [{ ...mention, chat }] : [])) };
  }

  /** Marks the viewer's mentions in a chat as seen. @throws Problem not_found for a chat that the viewer may not see */
  async markMentionsSeen(viewer: Viewer, chatId: string): Promise<void> {
    await this.inbox.getSeenChat(viewer, chatId);
    if (!(await markMentionsSeen(this.pool, viewer, chatId, new Date()))) return;
    const { organizationId, agentId } = viewer;
    this.events.emit('mentions.seen', { organizationId, agentId, chatId });
  }

  private async getOwn(viewer: Viewer, chatId: string, id: string): Promise<StoredNote> {
    const note = (await findNote(this.pool, viewer, chatId, id)) ?? notFound('Note');
    if (note.authorId !== viewer.agentId) throw new Problem('forbidden', 'Only its author can change a note');
    return note;
  }

  private async checkMentions(viewer: Viewer, chatId: string, agentIds: readonly string[]): Promise<void> {
    if (agentIds.length === 0) return;
    await this.inbox.getSeenChat(viewer, chatId);
    const seen = await this.inbox.findWhoMaySee(viewer.organizationId, [chatId], agentIds);
    if (agentIds.every((id) => seen.get(chatId)?.has(id))) return;
    throw invalid('/mentions', 'must contain only IDs of enabled agents who may see the chat');
  }

  private async getChanged(
    viewer: Viewer,
    chatId: string,
    id: string,
    mentioned: readonly string[],
  ): Promise<NoteView> {
    const { organizationId, agentId: authorId } = viewer;
    const note = toNoteView((await findNote(this.pool, viewer, chatId, id)) ?? notFound('Note'), this.links);
    this.events.emit('notes.changed', { organizationId, chatId });
    // The author knows the note.
    const agentIds = mentioned.filter((agentId) => agentId !== authorId);
    if (agentIds.length > 0) this.events.emit('note.mentioned', { organizationId, chatId, note, agentIds });
    return note;
  }
}
