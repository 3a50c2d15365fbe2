import { Body, Get, Patch, Post, Query } from '@nestjs/common';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { IfMatch } from '../versioned.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { DailyReads } from '../../auth/audit/daily-reads.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import { ChatsQuery, ChatsResponse, toChatResponse } from '../chats.dto.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { TagsService } from '../../tags/tags.service.js';
import { AttributeKeysService } from '../../attributes/attribute-keys.service.js';
import { toAskedAttributes } from '../attribute-filters.dto.js';
import { AdminChatsService } from './admin-chats.service.js';
import { AdminChatResponse, CreateChatDto, NewChatResponse, UpdateChatDto } from './chats.dto.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/chats', 'Chats')
export class ChatsController {
  constructor(
    private readonly adminChats: AdminChatsService,
    private readonly overviews: ChatOverviewsService,
    private readonly reads: DailyReads,
    private readonly tags: TagsService,
    private readonly keys: AttributeKeysService,
  ) {}

  @Post()
  @Describes('createChat', 201, NewChatResponse, {
    summary: 'Create a chat for a new visitor',
    description: 'Returns the token that the visitor needs to open the chat.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
  })
  create(@AdminContext() context: RequestContext, @Body() body: CreateChatDto) {
    return this.adminChats.create(context, body);
  }

  @Get()
  @Describes('listChats', 200, ChatsResponse, {
    summary: 'List the chats',
    description: 'Newest first, each with its latest messages. The audit log has one entry for each actor and day.',
    problems: ['validation_failed', 'not_found', 'not_ready'],
  })
  async list(
    @AdminContext() context: RequestContext,
    @Query() { status, owner, tag, attributes: asked, cursor, limit }: ChatsQuery,
  ) {
    await this.reads.record(context, 'chats.listed');
    const { organizationId } = context;
    const tags = await this.tags.filterBy(organizationId, tag);
    const attributes = await this.keys.filterBy(organizationId, toAskedAttributes(asked));
    const filter = { status, owner, tags, attributes, before: cursor, limit };
    const { items, nextCursor } = await this.overviews.list(organizationId, filter, toChatResponse);
    return { chats: items, nextCursor };
  }

  @Get(':chatId')
  @Describes('getChat', 200, AdminChatResponse, {
    summary: 'Get a chat',
    description: '`ETag` is the version of the chat and its messages, for `If-Match`.',
    isVersioned: true,
  })
  get(@Organization() organizationId: string, @Id('chatId') id: string): Promise<AdminChatResponse> {
    return this.adminChats.get(organizationId, id);
  }

  @Patch(':chatId')
  @Describes('updateChat', 200, AdminChatResponse, {
    summary: 'Set the status or attributes of a chat',
    description:
      '`QUEUED` hands the chat to its group, `ACTIVE` returns it to the bots, and `CLOSED` or `ARCHIVED` end it. Attributes are merged by key.',
    problems: [...BODY, 'not_found', 'conflict'],
    isVersioned: true,
  })
  update(
    @AdminContext() context: RequestContext,
    @Id('chatId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateChatDto,
  ): Promise<AdminChatResponse> {
    return this.adminChats.update(context, id, body, precondition);
  }
}
