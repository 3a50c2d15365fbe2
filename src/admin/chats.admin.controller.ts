import { Body, Get, Patch, Post, Query } from '@nestjs/common';
import { AdminApi } from '../auth/doors.js';
import { ChatsService } from '../chats/chats.service.js';
import { Id } from '../common/id.pipe.js';
import { Traceparent } from '../common/trace.js';
import { ChatsQuery } from '../messages/chat-overview.dto.js';
import { ChatOverviewsService } from '../messages/chat-overviews.service.js';
import { AdminChatsService } from './admin-chats.service.js';
import { type AdminChatResponse, CreateChatDto, toAdminChatResponse, UpdateChatDto } from './chats.admin.dto.js';
import { Organization } from '../organizations/organization.pipe.js';

@AdminApi('/:organizationId/chats')
export class ChatsAdminController {
  constructor(
    private readonly adminChats: AdminChatsService,
    private readonly chats: ChatsService,
    private readonly overviews: ChatOverviewsService,
  ) {}

  @Post()
  create(
    @Organization() organizationId: string,
    @Traceparent() traceparent: string | null,
    @Body() body: CreateChatDto,
  ) {
    return this.adminChats.create(organizationId, body, traceparent);
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
  async update(
    @Organization() organizationId: string,
    @Id('chatId') id: string,
    @Traceparent() traceparent: string | null,
    @Body() { status }: UpdateChatDto,
  ) {
    await this.chats.changeStatus(organizationId, id, status, traceparent);
    return this.adminChats.get(organizationId, id);
  }
}
