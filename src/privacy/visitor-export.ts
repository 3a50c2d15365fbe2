import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type ChatState, toChatState } from '../chats/reading/chat-state.js';
import { listRatingsOfRange } from '../chats/reading/message-ratings.queries.js';
import { HeavyReads } from '../platform/database/pools/heavy-reads.js';
import { findBlock, type VisitorBlock } from '../visitors/visitor-blocks.queries.js';
import { AddressStatuses } from '../visitors/address-statuses.service.js';
import { VisitorsService } from '../visitors/visitors.service.js';
import type { MessageView } from '../messages/message.js';
import { MessagesService } from '../messages/messages.service.js';
import { type ExportedRow, listChatStates, readList } from './visitor-export.queries.js';
import { EXPORTED_LISTS, type ExportedList } from './visitor-tables.js';
import { toVisitorView } from '../visitors/visitor-view.js';

/** Streams all data of a visitor as JSON, with at most one page of messages in memory. */
@Injectable()
export class VisitorExport {
  constructor(
    private readonly manager: EntityManager,
    private readonly visitors: VisitorsService,
    private readonly messages: MessagesService,
    private readonly heavy: HeavyReads,
    private readonly addresses: AddressStatuses,
  ) {}

  /** Streams `{visitor, block, chats: [{…, messages: […]}]}`, chats and messages in their order. @throws Problem not_found */
  async write(organizationId: string, visitorId: string): Promise<AsyncGenerator<string>> {
    const view = toVisitorView(await this.visitors.get(organizationId, visitorId));
    const [visitor] = await this.addresses.addTo(organizationId, [view]);
    const block = await findBlock(this.manager, organizationId, visitorId);
    return this.heavy.inTurns(organizationId, this.pieces(organizationId, visitor!, block));
  }

  /** The ids of the visitor's chats, the oldest first. */
  async *chatIds(organizationId: string, visitorId: string): AsyncGenerator<string, void> {
    for await (const { id } of this.chats(organizationId, visitorId)) yield id;
  }

  private async *pieces(
    organizationId: string,
    visitor: { id: string },
    block: VisitorBlock | null,
  ): AsyncGenerator<string, void> {
    yield `{"visitor":${JSON.stringify(visitor)},"block":${JSON.stringify(block)},"chats":[`;
    let separator = '';
    for await (const row of this.chats(organizationId, visitor.id)) {
      const { title, aiDisclosure, botNote } = row;
      yield separator;
      yield* this.chat(
        organizationId,
        { ...toChatState(row), title, aiDisclosure, botNote, attributes: row.attributes ?? {} },
        row,
      );
      separator = ',';
    }
    yield ']}';
  }

  private async *chats(organizationId: string, visitorId: string): AsyncGenerator<ExportedRow> {
    for (let after = ''; ;) {
      const rows = await listChatStates(this.manager, organizationId, visitorId, after);
      if (rows.length === 0) return;
      yield* rows;
      after = rows.at(-1)!.id;
    }
  }

  private async *chat(
    organizationId: string,
    chat: ChatState & Pick<ExportedRow, 'title' | 'aiDisclosure' | 'botNote' | 'attributes'>,
    row: ExportedRow,
  ): AsyncGenerator<string> {
    yield JSON.stringify(chat).slice(0, -1);
    for (const list of EXPORTED_LISTS) {
      yield `,"${list.name}":[`;
      if (row[`has_${list.name}`]) yield* this.list(organizationId, chat.id, list);
      yield ']';
    }
    yield ',"messages":[';
    for (let afterSeq = 0, hasMore = true; hasMore;) {
      const page = await this.messages.readAfter(organizationId, chat.id, chat.messageCount, afterSeq);
      const separator = afterSeq === 0 || page.messages.length === 0 ? '' : ',';
      yield separator + JSON.stringify(await this.rated(organizationId, chat.id, page.messages)).slice(1, -1);
      afterSeq = page.messages.at(-1)?.seq ?? afterSeq;
      ({ hasMore } = page);
    }
    yield ']}';
  }

  private async *list(organizationId: string, chatId: string, list: ExportedList): AsyncGenerator<string> {
    let separator = '';
    for await (const rows of readList(this.manager, organizationId, chatId, list)) {
      if (rows.length > 0) yield separator + JSON.stringify(rows).slice(1, -1);
      separator = ',';
    }
  }

  // Adds the visitor's ratings to the messages that have one.
  private async rated(organizationId: string, chatId: string, messages: MessageView[]) {
    const [first, last] = [messages[0], messages.at(-1)];
    if (!first || !last) return messages;
    const ratings = await listRatingsOfRange(this.manager, organizationId, chatId, first.seq, last.seq);
    const bySeq = new Map(
      ratings.map(({ seq, rating, comment, ratedAt, changedAt }) => [seq, { rating, comment, ratedAt, changedAt }]),
    );
    return messages.map((message) => {
      const rating = bySeq.get(message.seq);
      return rating ? { ...message, rating } : message;
    });
  }
}
