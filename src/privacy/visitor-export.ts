import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type ChatState, toChatState } from '../chats/reading/chat-state.js';
import { listBotStates } from '../chats/reading/bot-states.queries.js';
import type { ChatStateRow } from '../chats/reading/chats.queries.js';
import { VisitorsService } from '../visitors/visitors.service.js';
import { MessagesService } from '../messages/messages.service.js';
import { listChatStates } from './visitor-export.queries.js';
import { toVisitorView } from '../visitors/visitor-view.js';

/** Streams all data of a visitor as JSON, with at most one page of messages in memory. */
@Injectable()
export class VisitorExport {
  constructor(
    private readonly manager: EntityManager,
    private readonly visitors: VisitorsService,
    private readonly messages: MessagesService,
  ) {}

  /** Streams `{visitor, chats: [{…, messages: […]}]}`, chats and messages in their order. @throws Problem not_found */
  async write(organizationId: string, visitorId: string): Promise<AsyncGenerator<string>> {
    const visitor = toVisitorView(await this.visitors.get(organizationId, visitorId));
    return this.pieces(organizationId, visitor);
  }

  private async *pieces(organizationId: string, visitor: { id: string }): AsyncGenerator<string> {
    yield `{"visitor":${JSON.stringify(visitor)},"chats":[`;
    let separator = '';
    for await (const row of this.chats(organizationId, visitor.id)) {
      yield separator;
      yield* this.chat(organizationId, toChatState(row));
      separator = ',';
    }
    yield ']}';
  }

  private async *chats(organizationId: string, visitorId: string): AsyncGenerator<ChatStateRow> {
    for (let after = ''; ;) {
      const rows = await listChatStates(this.manager, organizationId, visitorId, after);
      if (rows.length === 0) return;
      yield* rows;
      after = rows.at(-1)!.id;
    }
  }

  private async *chat(organizationId: string, chat: ChatState): AsyncGenerator<string> {
    const botStates = await listBotStates(this.manager, organizationId, chat.id);
    yield `${JSON.stringify({ ...chat, botStates }).slice(0, -1)},"messages":[`;
    for (let afterSeq = 0, hasMore = true; hasMore;) {
      const page = await this.messages.readAfter(organizationId, chat.id, chat.messageCount, afterSeq);
      const separator = afterSeq === 0 || page.messages.length === 0 ? '' : ',';
      yield separator + JSON.stringify(page.messages).slice(1, -1);
      afterSeq = page.messages.at(-1)?.seq ?? afterSeq;
      ({ hasMore } = page);
    }
    yield ']}';
  }
}
