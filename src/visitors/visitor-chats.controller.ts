import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ReadDto, type ReadResponse, TypingDto, type TypingResponse } from '../chats/signals.dto.js';
import { Id } from '../common/id.pipe.js';
import { PageQuery } from '../common/paging.js';
import { Traceparent } from '../common/trace.js';
import type { ChatResponse } from '../messages/chat-overview.dto.js';
import { type MessageResponse, MessagesQuery, type MessagesResponse } from '../messages/messages.dto.js';
import type { VisitorIdentity } from './visitor-auth.service.js';
import { type OpenedChat, VisitorChatsService } from './visitor-chats.service.js';
import { CallingVisitor, VisitorApi } from './visitor.guard.js';
import { OpenChatDto, VisitorMessageDto } from './visitors.dto.js';

/** The REST twins of the socket's requests, for whoever cannot have a socket (CONTRACT section 3). */
@VisitorApi('chats')
export class VisitorChatsController {
  constructor(private readonly chats: VisitorChatsService) {}

  @Post()
  open(
    @CallingVisitor() visitor: VisitorIdentity,
    @Traceparent() traceparent: string | null,
    @Body() body: OpenChatDto,
  ): Promise<OpenedChat> {
    return this.chats.open(visitor, body, { traceparent });
  }

  @Get()
  async list(
    @CallingVisitor() visitor: VisitorIdentity,
    @Query() query: PageQuery,
  ): Promise<{ chats: ChatResponse[]; nextCursor: string | null }> {
    const { items, nextCursor } = await this.chats.list(visitor, query);
    return { chats: items, nextCursor };
  }

  @Get(':chatId/messages')
  sync(
    @CallingVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Query() { afterSeq, limit }: MessagesQuery,
  ): Promise<MessagesResponse> {
    return this.chats.sync(visitor, chatId, afterSeq, limit);
  }

  @Post(':chatId/messages')
  async send(
    @CallingVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Traceparent() traceparent: string | null,
    @Body() body: VisitorMessageDto,
  ): Promise<{ message: MessageResponse }> {
    return { message: await this.chats.send(visitor, chatId, body, traceparent) };
  }

  @Post(':chatId/typing')
  @HttpCode(200)
  type(
    @CallingVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Body() body: TypingDto,
  ): Promise<TypingResponse> {
    return this.chats.type(visitor, chatId, body.isTyping);
  }

  @Post(':chatId/read')
  @HttpCode(200)
  read(
    @CallingVisitor() visitor: VisitorIdentity,
    @Id('chatId') chatId: string,
    @Body() body: ReadDto,
  ): Promise<ReadResponse> {
    return this.chats.markRead(visitor, chatId, body.seq);
  }
}
