import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { AttributesService } from '../../attributes/attributes.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { VisitorTokensService } from '../../auth/visitors/visitor-tokens.service.js';
import { findDisclosure } from '../../chats/reading/chats.queries.js';
import { ChatsService } from '../../chats/reading/chats.service.js';
import { ChatStatusService } from '../../handoff/chat-status.service.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { POOL } from '../../platform/database/pool.js';
import { clientOf, transaction } from '../../platform/database/transaction.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { toChatResponse } from '../chats.dto.js';
import type { AdminChatResponse, CreateChatDto, NewChatResponse, UpdateChatDto } from './chats.dto.js';

/** Creates chats for visitors who have no page open, and changes any. */
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
    private readonly attributes: AttributesService,
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

  /**
   * Changes what is given.
   * @throws Problem not_found; precondition_failed when the chat, a message of it too, has changed; conflict; validation_failed if its
   * attributes would be too many or too long
   */
  async update(
    context: RequestContext,
    id: string,
    { status, attributes }: UpdateChatDto,
    precondition: Precondition | null,
  ): Promise<AdminChatResponse> {
    const { organizationId } = context;
    await this.statuses.change(context, id, status, async (tx) => {
      precondition?.check(await this.read(organizationId, id, await clientOf(tx)));
      if (attributes) await this.attributes.changeInTransaction(tx, context, id, attributes);
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
