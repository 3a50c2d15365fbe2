import { Body, Get, Patch, Post, Query } from '@nestjs/common';
import { AdminApi } from './admin-api.decorator.js';
import { ChatsService } from '../../chats/chats.service.js';
import { Id } from '../../platform/http/id.pipe.js';
import type { RequestContext } from '../../auth/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import { ChatsQuery } from '../chats.dto.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { AdminChatsService } from './admin-chats.service.js';
import { type AdminChatResponse, CreateChatDto, toAdminChatResponse, UpdateChatDto } from './chats.dto.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/chats')
export class ChatsAdminController {
  constructor(
    private readonly adminChats: AdminChatsService,
    private readonly chats: ChatsService,
    private readonly overviews: ChatOverviewsService,
  ) {}

  @Post()
  create(@AdminContext() context: RequestContext, @Body() body: CreateChatDto) {
    return this.adminChats.create(context, body);
  }

  @Get()
  async list(@Organization() organizationId: string, @Query() { status, cursor, limit }: ChatsQuery) {
    const filter = { status, before: cursor, limit };
    const { items, nextCursor } = await this.overviews.list(organizationId, filter, toAdminChatResponse);
    return { chats: items, nextCursor };
  }

  @Get(':chatId')
  get(@Organization() organizationId: string, @Id('chatId') id: string): Promise<AdminChatResponse> {
    return this.adminChats.get(organizationId, id);
  }

  @Patch(':chatId')
  async update(@AdminContext() context: RequestContext, @Id('chatId') id: string, @Body() { status }: UpdateChatDto) {
    await this.chats.changeStatus(context, id, status);
    return this.adminChats.get(context.organizationId, id);
  }
}
