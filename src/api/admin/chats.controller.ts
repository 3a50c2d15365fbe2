import { Body, Get, Patch, Post, Query } from '@nestjs/common';
import { AdminApi } from './admin-api.decorator.js';
import { ChatStatusService } from '../../handoff/chat-status.service.js';
import { Id } from '../../platform/http/id.pipe.js';
import type { RequestContext } from '../../auth/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import { type ChatResponse, ChatsQuery, toChatResponse } from '../chats.dto.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { AdminChatsService } from './admin-chats.service.js';
import { CreateChatDto, UpdateChatDto } from './chats.dto.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/chats')
export class ChatsAdminController {
  constructor(
    private readonly adminChats: AdminChatsService,
    private readonly statuses: ChatStatusService,
    private readonly overviews: ChatOverviewsService,
  ) {}

  @Post()
  create(@AdminContext() context: RequestContext, @Body() body: CreateChatDto) {
    return this.adminChats.create(context, body);
  }

  @Get()
  async list(@Organization() organizationId: string, @Query() { status, owner, cursor, limit }: ChatsQuery) {
    const filter = { status, owner, before: cursor, limit };
    const { items, nextCursor } = await this.overviews.list(organizationId, filter, toChatResponse);
    return { chats: items, nextCursor };
  }

  @Get(':chatId')
  get(@Organization() organizationId: string, @Id('chatId') id: string): Promise<ChatResponse> {
    return this.adminChats.get(organizationId, id);
  }

  @Patch(':chatId')
  async update(@AdminContext() context: RequestContext, @Id('chatId') id: string, @Body() { status }: UpdateChatDto) {
    await this.statuses.change(context, id, status);
    return this.adminChats.get(context.organizationId, id);
  }
}
