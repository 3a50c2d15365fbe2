import { Inject, Injectable } from '@nestjs/common';
import type { Viewer } from '../../chats/model/chat-rights.js';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { invalid, notFound, Problem } from '../../platform/errors/problem.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { newId } from '../../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import { InboxService } from '../views/inbox.service.js';
import { listMentions, markMentionsSeen } from './mentions.queries.js';
import { type MentionView, type NoteView, toNoteView } from './note-view.js';
import './notes.events.js';
import { deleteNote, editNote, findNote, insertNote, listNotes, type StoredNote } from './notes.queries.js';

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

  /**
   * Writes a note, and raises the chat's `rev`.
   * @param mentions the ids of agents to notify
   * @throws Problem not_found for a chat that the viewer may not see; validation_failed for a mention of an agent who may not see it
   */
  async add(
    viewer: Viewer & { name: string },
    chatId: string,
    content: string,
    mentions: readonly string[] = [],
  ): Promise<NoteView> {
    await this.checkMentions(viewer, chatId, mentions);
    const author = { id: viewer.agentId, name: viewer.name };
    const id = newId('not');
    const isStored = await insertNote(this.pool, viewer, chatId, {
      id,
      content,
      author,
      createdAt: new Date(),
      mentions,
    });
    if (!isStored) notFound('Chat');
    return this.getChanged(viewer, chatId, id, mentions);
  }

  /**
   * Changes the viewer's own note. Only agents whom it didn't mention before are notified.
   * @param mentions undefined leaves them as they are
   * @throws Problem not_found; forbidden for another agent's note; validation_failed as `add`
   */
  async edit(
    viewer: Viewer,
    chatId: string,
    id: string,
    { content, mentions }: { content: string; mentions?: readonly string[] },
  ): Promise<NoteView> {
    const before = await this.getOwn(viewer, chatId, id);
    const known = before.mentions.map((agent) => agent.id);
    const added = (mentions ?? []).filter((agentId) => !known.includes(agentId));
    await this.checkMentions(viewer, chatId, added);
    const change = { id, content, editedAt: new Date(), mentions: mentions ?? known };
    if (!(await editNote(this.pool, viewer, chatId, change))) notFound('Note');
    return this.getChanged(viewer, chatId, id, added);
  }

  /** Deletes the viewer's own note. @throws Problem not_found; forbidden for another agent's note */
  async delete(viewer: Viewer, chatId: string, id: string): Promise<void> {
    await this.getOwn(viewer, chatId, id);
    if (!(await deleteNote(this.pool, viewer, chatId, id))) notFound('Note');
    this.events.emit('notes.changed', { organizationId: viewer.organizationId, chatId });
  }

  /** The notes that mention the viewer, newest first, with their chats. */
  async listMentions(viewer: Viewer, { limit, cursor }: PageQuery): Promise<Page<MentionView>> {
    const found = await listMentions(this.pool, viewer, { after: cursor, limit: limit + 1 });
    const rows = await this.inbox.findRows(viewer.organizationId, [...new Set(found.map(({ chatId }) => chatId))]);
    const chats = new Map(rows.map((row) => [row.id, row]));
    const page = toPage(found, limit, (mention) => ({
      note: toNoteView(mention),
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
    const note = toNoteView((await findNote(this.pool, viewer, chatId, id)) ?? notFound('Note'));
    this.events.emit('notes.changed', { organizationId, chatId });
    // The author knows the note.
    const agentIds = mentioned.filter((agentId) => agentId !== authorId);
    if (agentIds.length > 0) this.events.emit('note.mentioned', { organizationId, chatId, note, agentIds });
    return note;
  }
}
