import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/request-context.js';
import { VisitorTokensService } from '../../auth/visitor-tokens.service.js';
import { ChatsService } from '../../chats/chats.service.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { transaction } from '../../platform/database/transaction.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { type ChatResponse, toChatResponse } from '../chats.dto.js';
import type { CreateChatDto } from './chats.dto.js';

/** Creates chats for visitors who have no page open. */
@Injectable()
export class AdminChatsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly chats: ChatsService,
    private readonly overviews: ChatOverviewsService,
    private readonly tokens: VisitorTokensService,
    private readonly visitors: VisitorsService,
  ) {}

  /**
   * Creates a chat for a new visitor, and the token that gives them access.
   * @throws Problem validation_failed for an unknown group
   */
  async create(
    context: RequestContext,
    { visitor = {}, groupId }: CreateChatDto,
  ): Promise<ChatResponse & { visitorToken: string }> {
    const { organizationId } = context;
    const created = await transaction(this.manager, async (tx) => {
      const visitorId = await this.visitors.create(organizationId, visitor, null, tx, true);
      return { visitorId, chatId: await this.chats.create(tx, context, visitorId, { groupId }) };
    });
    const { token } = await this.tokens.sign(organizationId, created.visitorId);
    return { ...(await this.get(organizationId, created.chatId)), visitorToken: token };
  }

  async get(organizationId: string, id: string): Promise<ChatResponse> {
    return toChatResponse(await this.overviews.get(organizationId, id));
  }
}
