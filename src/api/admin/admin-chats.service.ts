import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { VisitorTokensService } from '../../auth/visitors/visitor-tokens.service.js';
import { findDisclosure } from '../../chats/reading/chats.queries.js';
import { ChatsService } from '../../chats/reading/chats.service.js';
import type { ChatStatus } from '../../chats/model/chat-status.js';
import { ChatStatusService } from '../../handoff/chat-status.service.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { POOL } from '../../platform/database/pool.js';
import { clientOf, transaction } from '../../platform/database/transaction.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { toChatResponse } from '../chats.dto.js';
import type { AdminChatResponse, CreateChatDto, NewChatResponse } from './chats.dto.js';

/** Creates chats for visitors who have no page open, and sets the status of any. */
@Injectable()
export class AdminChatsService {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly chats: ChatsService,
    private readonly overviews: ChatOverviewsService,
    private readonly tokens: VisitorTokensService,
    private readonly visitors: VisitorsService,
    private readonly statuses: ChatStatusService,
  ) {}

  /**
   * Creates a chat for a new visitor, and the token that gives them access.
   * @throws Problem validation_failed for an unknown group
   */
  async create(context: RequestContext, { visitor = {}, groupId }: CreateChatDto): Promise<NewChatResponse> {
    const { organizationId } = context;
    const created = await transaction(this.manager, async (tx) => {
      const visitorId = await this.visitors.create(organizationId, visitor, null, tx, true);
      return { visitorId, chatId: await this.chats.create(tx, context, visitorId, { groupId }) };
    });
    const { token } = await this.tokens.sign(organizationId, created.visitorId);
    return { ...(await this.get(organizationId, created.chatId)), visitorToken: token };
  }

  /** @throws Problem not_found; precondition_failed when the chat, a message of it too, has changed; conflict */
  async setStatus(
    context: RequestContext,
    id: string,
    status: ChatStatus,
    precondition: Precondition | null,
  ): Promise<AdminChatResponse> {
    const { organizationId } = context;
    await this.statuses.change(context, id, status, async (tx) => {
      if (precondition === null) return;
      precondition.check(await this.read(organizationId, id, await clientOf(tx)));
    });
    return this.get(organizationId, id);
  }

  /** @throws Problem not_found */
  get(organizationId: string, id: string): Promise<AdminChatResponse> {
    return this.read(organizationId, id, this.pool);
  }

  private async read(organizationId: string, id: string, client: Pick<Pool, 'query'>): Promise<AdminChatResponse> {
    const chat = toChatResponse(await this.overviews.get(organizationId, id, client));
    return { ...chat, aiDisclosure: await findDisclosure(client, organizationId, id) };
  }
}
