import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ReadDto, type ReadResponse, TypingDto, type TypingResponse } from '../signals.dto.js';
import { VisitorTyping } from '../../live/typing/visitor-typing.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import type { ChatState } from '../../chats/reading/chat-state.js';
import type { Rating } from '../../chats/reading/ratings.queries.js';
import { type MessageResponse, MessagesQuery, type MessagesResponse } from '../messages.dto.js';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { VisitorChatsService } from '../../visitor-chats/visitor-chats.service.js';
import { type OpenedChat, OpenChatsService, type VisitorChat } from './open-chats.service.js';
import { CurrentVisitor } from '../../auth/visitors/visitor.guard.js';
import { VisitorApi } from './visitor-api.decorator.js';
import { OpenChatDto, RateDto, VisitorMessageDto } from './visitors.dto.js';

/** The socket's requests over REST, for clients that cannot open a socket (CONTRACT section 3). */
@VisitorApi('chats')
export class VisitorChatsController {
  constructor(
    private readonly chats: VisitorChatsService,
    private readonly openChats: OpenChatsService,
    private readonly typing: VisitorTyping,
  ) {}

  @Post()
  open(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Context() context: RequestContext,
    @Body() body: OpenChatDto,
  ): Promise<OpenedChat> {
    return this.openChats.open(visitor, context, body);
  }

  @Get()
  async list(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Query() query: PageQuery,
  ): Promise<{ chats: VisitorChat[]; nextCursor: string | null }> {
    const { items, nextCursor } = await this.openChats.list(visitor, query);
    return { chats: items, nextCursor };
  }

  @Get(':chatId/messages')
  sync(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Query() { afterSeq, limit }: MessagesQuery,
  ): Promise<MessagesResponse> {
    return this.chats.sync(visitor, chatId, afterSeq, limit);
  }

  @Post(':chatId/messages')
  async send(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
    @Body() body: VisitorMessageDto,
  ): Promise<{ message: MessageResponse }> {
    return { message: await this.chats.send(visitor, context, chatId, body) };
  }

  @Post(':chatId/close')
  @HttpCode(200)
  async close(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
  ): Promise<{ chat: ChatState }> {
    return { chat: await this.chats.close(visitor, context, chatId) };
  }

  @Post(':chatId/rating')
  @HttpCode(200)
  async rate(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Context() context: RequestContext,
    @Body() body: RateDto,
  ): Promise<{ rating: Rating }> {
    return { rating: await this.chats.rate(visitor, context, chatId, body) };
  }

  @Post(':chatId/typing')
  @HttpCode(200)
  type(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Body() body: TypingDto,
  ): Promise<TypingResponse> {
    return this.typing.report(visitor, chatId, body);
  }

  @Post(':chatId/read')
  @HttpCode(200)
  read(
    @CurrentVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Body() body: ReadDto,
  ): Promise<ReadResponse> {
    return this.chats.markRead(visitor, chatId, body.seq);
  }
}
