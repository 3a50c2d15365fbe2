import { Inject, Injectable } from '@nestjs/common';
import { seesAllGroups, type Viewer } from '../../chats/model/chat-rights.js';
import { ReadsService } from '../../chats/reading/reads.service.js';
import type { Pool } from 'pg';
import { FileLinks } from '../../files/file-links.js';
import { HeavyReads } from '../../platform/database/pools/heavy-reads.js';
import { POOL } from '../../platform/database/pool.js';
import { notFound } from '../../platform/errors/problem.js';
import { encodePosition } from '../../platform/lib/cursor.js';
import { type Page, toPage } from '../../platform/validation/paging.js';
import { AddressStatuses } from '../../visitors/address-statuses.service.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { type ChatDetail, toChatDetail } from './chat-detail.js';
import { type Counts, countChats } from './counts.queries.js';
import { findDetail } from './detail.queries.js';
import { findChat, findChatsOf, findOfVisitor, MAX_VISITORS } from './find.queries.js';
import { type GoneRow, type InboxRow, toInboxRow } from './inbox-row.js';
import { findOffered, findRowFor, findRows } from './rows.queries.js';
import { findView, positionIn, type ViewFilter } from './views.queries.js';
import { findSeenChat, findWhoMaySee, type SeenChat, seesGroup } from './visibility.queries.js';

/** A pending offer to the viewer. */
export interface OfferView {
  id: string;
  chat: InboxRow;
  expiresAt: string;
}

/** What agents see of chats (CONTRACT: Agent API). */
@Injectable()
export class InboxService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly reads: ReadsService,
    private readonly visitors: VisitorsService,
    private readonly heavy: HeavyReads,
    private readonly links: FileLinks,
    private readonly addresses: AddressStatuses,
  ) {}

  /** A page of a view. @throws Problem not_found for a group whose chats the viewer does not see */
  async listView(viewer: Viewer, filter: ViewFilter): Promise<Page<InboxRow>> {
    const { view, groupId, limit } = filter;
    if (groupId !== undefined) await this.checkGroup(viewer, groupId);
    const rows = await findView(this.pool, viewer, { ...filter, limit: limit + 1 });
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const end = rows.length > limit && last ? positionIn(view, last) : null;
    return { items: items.map(toInboxRow), nextCursor: end && encodePosition(end) };
  }

  /** @throws Problem not_found for a group whose chats the viewer does not see */
  async checkGroup(viewer: Viewer, groupId: string): Promise<void> {
    if (!(await seesGroup(this.pool, viewer, groupId))) notFound('Group');
  }

  /**
   * Finds chats by their visitor: the beginning of the name, last name, email, or external id, or the id of the visitor or the chat.
   * Of each visitor, it returns the latest chats that the viewer may see.
   */
  find(viewer: Viewer, given: string): Promise<InboxRow[]> {
    return this.heavy.run(viewer.organizationId, () => this.search(viewer, given.trim()));
  }

  private async search(viewer: Viewer, search: string): Promise<InboxRow[]> {
    if (search.startsWith('cht_')) return (await findChat(this.pool, viewer, search)).map(toInboxRow);
    const visitorIds = search.startsWith('vis_') ? [search] : await this.findVisitors(viewer.organizationId, search);
    return (await findChatsOf(this.pool, viewer, visitorIds)).map(toInboxRow);
  }

  /** The chats of a visitor, latest first. @throws Problem not_found for a visitor none of whose chats the viewer may see */
  async listOfVisitor(
    viewer: Viewer,
    visitorId: string,
    { after, limit }: { after?: string; limit: number },
  ): Promise<Page<InboxRow>> {
    const rows = await findOfVisitor(this.pool, viewer, visitorId, { after, limit: limit + 1 });
    if (rows.length === 0 && after === undefined) await this.checkVisitor(viewer, visitorId);
    return toPage(rows, limit, toInboxRow);
  }

  /** @throws Problem not_found for a visitor none of whose chats the viewer may see */
  async checkSeenVisitor(viewer: Viewer, visitorId: string): Promise<void> {
    const rows = await findOfVisitor(this.pool, viewer, visitorId, { limit: 1 });
    if (rows.length === 0) notFound('Visitor');
  }

  /** The sizes of the viewer's views, up to 999 each. */
  count(viewer: Viewer): Promise<Counts> {
    return countChats(this.pool, viewer);
  }

  /** @throws Problem not_found for a chat that the viewer may not see */
  async getDetail(viewer: Viewer, id: string): Promise<ChatDetail> {
    const stored = (await findDetail(this.pool, viewer, id)) ?? notFound('Chat');
    return toChatDetail(stored, this.links, await this.addresses.of(viewer.organizationId, stored.visitorEmail));
  }

  /** @throws Problem not_found for a chat that the viewer may not see */
  async getSeenChat(viewer: Viewer, id: string): Promise<SeenChat> {
    return (await this.findSeenChat(viewer, id)) ?? notFound('Chat');
  }

  /** The same; null for a chat that the viewer may not see. */
  findSeenChat(viewer: Viewer, id: string): Promise<SeenChat | null> {
    return findSeenChat(this.pool, viewer, id);
  }

  /**
   * Raises the read mark that all agents share. Returns the mark.
   * @throws Problem not_found; validation_failed for a `seq` above the chat's highest
   */
  async markRead(viewer: Viewer, chatId: string, seq: number): Promise<{ chatId: string; seq: number }> {
    const chat = await this.getSeenChat(viewer, chatId);
    return { chatId, seq: await this.reads.markByAgents(chat, seq) };
  }

  /** The viewer's pending offers, soonest expiry first. */
  async listOffers(viewer: Viewer): Promise<OfferView[]> {
    const rows = await findOffered(this.pool, viewer);
    return rows.flatMap((row) => {
      const chat = toInboxRow(row);
      return row.offerId && chat.offer ? [{ id: row.offerId, chat, expiresAt: chat.offer.expiresAt }] : [];
    });
  }

  /** The current rows of these chats, in this order. Erased and removed chats are left out. */
  async findRows(organizationId: string, chatIds: readonly string[]): Promise<InboxRow[]> {
    return (await findRows(this.pool, organizationId, chatIds)).map(toInboxRow);
  }

  /** A chat's current row, or a `gone` row for a viewer who can't see it, for example after a transfer. @throws Problem not_found */
  async getRowOrGone({ organizationId, agentId }: Viewer, chatId: string): Promise<InboxRow | GoneRow> {
    const row = (await findRowFor(this.pool, organizationId, chatId, agentId)) ?? notFound('Chat');
    return row.isSeen ? toInboxRow(row) : { id: row.id, rev: row.rev, isGone: true };
  }

  /** The agents, of these, who may see each of these chats. The set of an erased chat is empty. */
  async findWhoMaySee(
    organizationId: string,
    chatIds: readonly string[],
    agentIds: readonly string[],
  ): Promise<Map<string, Set<string>>> {
    const found = new Map(chatIds.map((chatId) => [chatId, new Set<string>()]));
    const pairs = await findWhoMaySee(this.pool, organizationId, chatIds, agentIds);
    for (const { chatId, agentId } of pairs) found.get(chatId)?.add(agentId);
    return found;
  }

  private async findVisitors(organizationId: string, text: string): Promise<string[]> {
    return (await this.visitors.list(organizationId, { text, limit: MAX_VISITORS }, ({ id }) => id)).items;
  }

  private async checkVisitor(viewer: Viewer, visitorId: string): Promise<void> {
    if (!seesAllGroups(viewer.role)) notFound('Visitor');
    await this.visitors.get(viewer.organizationId, visitorId);
  }
}
