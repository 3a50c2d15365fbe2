import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { ChatMessagesService } from '../../inbox/chat-messages.service.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { ArrivedMails } from '../../mail/receiving/arrived-mails.service.js';
import { ViewedChats } from '../../live/agents/viewed-chats.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { TagsService } from '../../tags/tags.service.js';
import { ETAG_HEADER, Rereadable } from '../versioned.js';
import { AttributeKeysService } from '../../attributes/attribute-keys.service.js';
import { toAskedAttributes } from '../attribute-filters.dto.js';
import { AgentApi } from './agent-api.decorator.js';
import { ChatDetailResponse } from './chat-detail.dto.js';
import {
  AgentMessagesQuery,
  AgentMessagesResponse,
  ChatRowsResponse,
  ChatSearchQuery,
  CountsResponse,
  FoundChatsResponse,
  ViewQuery,
} from './chats.dto.js';

/** Chats as agents read them (CONTRACT: Agent API). */
@AgentApi('/chats', 'Chats')
export class AgentChatsController {
  constructor(
    private readonly inbox: InboxService,
    private readonly details: ViewedChats,
    private readonly messages: ChatMessagesService,
    private readonly tags: TagsService,
    private readonly keys: AttributeKeysService,
    private readonly mails: ArrivedMails,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listChats',
    summary: 'List the chats of a view',
    description: '`MINE` when no view is given. Each view has its own order.',
  })
  @ApiOkResponse({ type: ChatRowsResponse, headers: ETAG_HEADER })
  @ApiProblems('validation_failed', 'not_found', 'not_ready')
  @Rereadable()
  async list(
    @CurrentAgent() agent: AgentIdentity,
    @Query() { cursor, unanswered, tag, attributes: asked, ...query }: ViewQuery,
  ): Promise<ChatRowsResponse> {
    const tags = await this.tags.filterBy(agent.organizationId, tag);
    const attributes = await this.keys.filterBy(agent.organizationId, toAskedAttributes(asked));
    const filter = { ...query, tags, attributes, isUnanswered: unanswered === 'true', after: cursor };
    const { items, nextCursor } = await this.inbox.listView(agent, filter);
    return { chats: items, nextCursor };
  }

  @Get('search')
  @ApiOperation({
    operationId: 'searchChats',
    summary: 'Find chats by their visitor',
    description: 'Of each visitor who is found, up to 3 chats that the agent may see, latest first.',
  })
  @ApiOkResponse({ type: FoundChatsResponse })
  @ApiProblems('validation_failed')
  async find(@CurrentAgent() agent: AgentIdentity, @Query() { search }: ChatSearchQuery): Promise<FoundChatsResponse> {
    return { chats: await this.inbox.find(agent, search) };
  }

  @Get('counts')
  @ApiOperation({
    operationId: 'countChats',
    summary: 'Count the chats of the views',
    description: 'Each count stops at 999.',
  })
  @ApiOkResponse({ type: CountsResponse })
  count(@CurrentAgent() agent: AgentIdentity): Promise<CountsResponse> {
    return this.inbox.count(agent);
  }

  @Get(':chatId')
  @ApiOperation({
    operationId: 'getChat',
    summary: 'Get a chat',
    description: 'With everything that an agent needs to answer it.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ChatDetailResponse })
  @ApiProblems('not_found')
  get(@CurrentAgent() agent: AgentIdentity, @Id('chatId') chatId: string): Promise<ChatDetailResponse> {
    return this.details.get(agent, chatId);
  }

  @Get(':chatId/messages')
  @ApiOperation({
    operationId: 'listMessages',
    summary: 'List the messages of a chat',
    description: 'In order of `seq`: after `afterSeq`, or before `beforeSeq`.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({
    type: AgentMessagesResponse,
    description: '`hasMore`: after the last, or with `beforeSeq` before the first',
  })
  @ApiProblems('validation_failed', 'not_found')
  async listMessages(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Query() query: AgentMessagesQuery,
  ): Promise<AgentMessagesResponse> {
    return this.mails.addTo(agent.organizationId, chatId, await this.messages.list(agent, chatId, query));
  }
}
