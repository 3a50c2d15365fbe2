import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { BotApi } from './bot-api.decorator.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { ChatResponse, ChatsQuery, ChatsResponse, toChatResponse } from '../chats.dto.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { MessagesQuery, MessagesResponse } from '../messages.dto.js';
import { MessagesService } from '../../messages/messages.service.js';

@BotApi('chats', 'Chats')
export class ChatsController {
  constructor(
    private readonly chats: ChatOverviewsService,
    private readonly messages: MessagesService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listChats',
    summary: 'List the chats',
    description: 'Newest first, each with its latest messages.',
  })
  @ApiOkResponse({ type: ChatsResponse })
  @ApiProblems('validation_failed')
  async list(
    @Context() context: RequestContext,
    @Query() { status, owner, cursor, limit }: ChatsQuery,
  ): Promise<ChatsResponse> {
    const filter = { status, owner, before: cursor, limit };
    const { items, nextCursor } = await this.chats.list(context.organizationId, filter, toChatResponse);
    return { chats: items, nextCursor };
  }

  @Get(':chatId')
  @ApiOperation({
    operationId: 'getChat',
    summary: 'Get a chat',
    description: 'With its latest messages.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ChatResponse })
  @ApiProblems('not_found')
  async get(@Context() context: RequestContext, @Id('chatId') chatId: string): Promise<ChatResponse> {
    return toChatResponse(await this.chats.get(context.organizationId, chatId));
  }

  @Get(':chatId/messages')
  @ApiOperation({
    operationId: 'listMessages',
    summary: 'List the messages of a chat',
    description: 'In order of `seq`. Ask again after the last one while `hasMore` is true.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: MessagesResponse })
  @ApiProblems('validation_failed', 'not_found')
  listMessages(
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Query() query: MessagesQuery,
  ): Promise<MessagesResponse> {
    return this.messages.list(context.organizationId, chatId, query);
  }
}
