import { Body, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ChatTagsService } from '../../tags/chat-tags.service.js';
import { TagsService } from '../../tags/tags.service.js';
import { BODY, Describes } from '../describes.js';
import {
  ChangeTagsRequest,
  ChatTagsResponse,
  SetTagsRequest,
  UsedTagsQuery,
  UsedTagsResponse,
} from '../chat-changes.dto.js';
import { AgentApi } from './agent-api.decorator.js';

/** Tags of chats (CONTRACT: Tags). */
@AgentApi('', 'Chats')
export class AgentTagsController {
  constructor(
    private readonly inbox: InboxService,
    private readonly chatTags: ChatTagsService,
    private readonly tags: TagsService,
  ) {}

  @Get('tags')
  @Describes('listTags', 200, UsedTagsResponse, {
    summary: 'List the most used tags',
    description: 'Of the chats that the agent may open, also of ended ones.',
    problems: ['validation_failed'],
  })
  async list(@CurrentAgent() agent: AgentIdentity, @Query() { prefix }: UsedTagsQuery): Promise<UsedTagsResponse> {
    return { tags: await this.tags.listUsed(agent, prefix) };
  }

  @Put('chats/:chatId/tags')
  @ApiParam({ name: 'chatId' })
  @Describes('setTags', 200, ChatTagsResponse, {
    summary: 'Replace the tags of a chat',
    description: 'The same tags again change nothing. Every agent who sees the chat may do so.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  async set(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { tags }: SetTagsRequest,
  ): Promise<ChatTagsResponse> {
    await this.inbox.getSeenChat(agent, chatId);
    return this.chatTags.replace(context, chatId, tags);
  }

  @Post('chats/:chatId/tags')
  @HttpCode(200)
  @ApiParam({ name: 'chatId' })
  @Describes('changeTags', 200, ChatTagsResponse, {
    summary: 'Add and remove tags of a chat',
    description: 'In one transaction. Beyond 20 tags of the chat, it is answered 409 `conflict`.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  async change(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() body: ChangeTagsRequest,
  ): Promise<ChatTagsResponse> {
    await this.inbox.getSeenChat(agent, chatId);
    return (await this.chatTags.change(context, chatId, body)).result;
  }
}
