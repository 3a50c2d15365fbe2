import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { ChatStatusService } from '../../handoff/chat-status.service.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { AttributeKeysService } from '../../attributes/attribute-keys.service.js';
import { toAskedAttributes } from '../attribute-filters.dto.js';
import { BotApi } from './bot-api.decorator.js';
import { BotChatsService } from './bot-chats.service.js';
import {
  BotChatsQuery,
  CloseChatRequest,
  ClosedBotChatResponse,
  OpenBotChatRequest,
  OpenedBotChatResponse,
} from './chats.dto.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { ChatResponse, ChatsResponse, toChatResponse } from '../chats.dto.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import { TagsService } from '../../tags/tags.service.js';
import { MessagesQuery, MessagesResponse } from '../messages.dto.js';
import { MessagesService } from '../../messages/messages.service.js';

@BotApi('chats', 'Chats')
export class ChatsController {
  constructor(
    private readonly chats: ChatOverviewsService,
    private readonly messages: MessagesService,
    private readonly botChats: BotChatsService,
    private readonly statuses: ChatStatusService,
    private readonly tags: TagsService,
    private readonly keys: AttributeKeysService,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'openChat',
    summary: 'Open a chat with a known visitor',
    description:
      "Returns the visitor's open chat, or creates one. The visitor sees it when they open the widget. A retry gets the same chat.",
  })
  @ApiOkResponse({ type: OpenedBotChatResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'unsupported_media_type')
  open(@Context() context: RequestContext, @Body() body: OpenBotChatRequest): Promise<OpenedBotChatResponse> {
    return this.botChats.open(context, body);
  }

  @Get()
  @ApiOperation({
    operationId: 'listChats',
    summary: 'List the chats',
    description: 'Newest first, each with its latest messages.',
  })
  @ApiOkResponse({ type: ChatsResponse })
  @ApiProblems('validation_failed', 'not_ready')
  async list(
    @Context() context: RequestContext,
    @Query() { status, owner, visitorId, tag, attributes: asked, cursor, limit }: BotChatsQuery,
  ): Promise<ChatsResponse> {
    const tags = await this.tags.filterBy(context.organizationId, tag);
    const attributes = await this.keys.filterBy(context.organizationId, toAskedAttributes(asked));
    const filter = { status, owner, visitorId, tags, attributes, before: cursor, limit };
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

  @Post(':chatId/close')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'closeChat',
    summary: 'Close a chat',
    description: 'A chat that has ended stays as it is, with the same answer.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ClosedBotChatResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  @ApiProblems('not_found', 'not_owner', 'conflict')
  close(
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { ifOwner }: CloseChatRequest,
  ): Promise<ClosedBotChatResponse> {
    return this.statuses.close(context, chatId, ifOwner);
  }
}
