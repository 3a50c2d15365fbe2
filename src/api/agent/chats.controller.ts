import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { ChatMessagesService } from '../../inbox/chat-messages.service.js';
import { InboxService } from '../../inbox/inbox.service.js';
import { ViewedChats } from '../../live/agents/viewed-chats.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { MessagesResponse } from '../messages.dto.js';
import { AgentApi } from './agent-api.decorator.js';
import { ChatDetailResponse } from './chat-detail.dto.js';
import { AgentMessagesQuery, ChatRowsResponse, CountsResponse, ViewQuery } from './chats.dto.js';

/** What agents read of chats (CONTRACT section 10). */
@AgentApi('/chats', 'Chats')
export class AgentChatsController {
  constructor(
    private readonly inbox: InboxService,
    private readonly details: ViewedChats,
    private readonly messages: ChatMessagesService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'A page of a view', operationId: 'listChats' })
  @ApiOkResponse({ type: ChatRowsResponse })
  @ApiProblems('validation_failed', 'not_found')
  async list(
    @CurrentAgent() agent: AgentIdentity,
    @Query() { cursor, ...query }: ViewQuery,
  ): Promise<ChatRowsResponse> {
    const { items, nextCursor } = await this.inbox.listView(agent, { ...query, after: cursor });
    return { chats: items, nextCursor };
  }

  @Get('counts')
  @ApiOperation({ summary: 'How many chats are in the views, up to 999', operationId: 'countChats' })
  @ApiOkResponse({ type: CountsResponse })
  count(@CurrentAgent() agent: AgentIdentity): Promise<CountsResponse> {
    return this.inbox.count(agent);
  }

  @Get(':chatId')
  @ApiOperation({ summary: 'Read one chat', operationId: 'getChat' })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ChatDetailResponse })
  @ApiProblems('not_found')
  get(@CurrentAgent() agent: AgentIdentity, @Id('chatId') chatId: string): Promise<ChatDetailResponse> {
    return this.details.get(agent, chatId);
  }

  @Get(':chatId/messages')
  @ApiOperation({ summary: 'Read the messages of a chat, in order of seq', operationId: 'listMessages' })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({
    type: MessagesResponse,
    description: '`hasMore`: after the last, or with `beforeSeq` before the first',
  })
  @ApiProblems('validation_failed', 'not_found')
  listMessages(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Query() query: AgentMessagesQuery,
  ): Promise<MessagesResponse> {
    return this.messages.list(agent, chatId, query);
  }
}
