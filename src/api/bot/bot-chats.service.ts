import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { ChatsService } from '../../chats/reading/chats.service.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { clientOf, transaction } from '../../platform/database/transaction.js';
import { invalid } from '../../platform/errors/problem.js';
import { type NamedVisitor, VisitorsService } from '../../visitors/visitors.service.js';
import { toChatResponse } from '../chats.dto.js';
import type { OpenBotChatRequest, OpenedBotChatResponse } from './chats.dto.js';

/** Opens chats that a bot starts (CONTRACT: Bot API). */
@Injectable()
export class BotChatsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly visitors: VisitorsService,
    private readonly chats: ChatsService,
    private readonly overviews: ChatOverviewsService,
  ) {}

  /**
   * The open chat of a known visitor, or a new one. Simultaneous calls, even by the visitor's tabs, get the same chat.
   * @throws Problem validation_failed unless exactly one id is given, or for an unknown group; not_found for an unknown or erased visitor
   */
  async open(
    context: RequestContext,
    { metadata, groupId, ...ids }: OpenBotChatRequest,
  ): Promise<OpenedBotChatResponse> {
    const { organizationId } = context;
    const named = toNamed(ids);
    return transaction(this.manager, async (tx) => {
      const visitor = await this.visitors.getLocked(tx, organizationId, named);
      const open = await this.chats.findOpen(organizationId, visitor.id, tx);
      const id = open?.id ?? (await this.chats.create(tx, context, visitor.id, { metadata, groupId }));
      const chat = await this.overviews.get(organizationId, id, await clientOf(tx));
      return { chat: toChatResponse(chat), isNew: open === null };
    });
  }
}

function toNamed({ visitorId, externalId }: Pick<OpenBotChatRequest, 'visitorId' | 'externalId'>): NamedVisitor {
  if (visitorId != null && externalId == null) return { id: visitorId };
  if (externalId != null && visitorId == null) return { externalId };
  throw invalid('/visitorId', 'must be given, or externalId, and not both');
}
