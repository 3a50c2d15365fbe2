import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { CannedRepliesService } from '../../agents/canned-replies.service.js';
import type { CannedReply } from '../../agents/canned-reply.entity.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { NO_HOOKS } from '../../platform/database/change-hooks.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { BODY, Describes } from '../describes.js';
import { IfMatch } from '../versioned.js';
import { AgentApi } from './agent-api.decorator.js';
import {
  NewOwnReplyDto,
  OwnRepliesQuery,
  RepliesResponse,
  ReplyResponse,
  toReplyResponse,
  UpdateOwnReplyDto,
} from './replies.dto.js';

/** An agent's own canned replies (CONTRACT: Agent API), which no one else sees. */
@AgentApi('/own-replies', 'Canned replies')
export class OwnRepliesController {
  constructor(private readonly replies: CannedRepliesService) {}

  @Get()
  @Describes('listOwnReplies', 200, RepliesResponse, {
    summary: 'List your own canned replies',
    description: 'Oldest first. Without `limit`, all of them, or as many as fit into about 1 MB.',
    problems: ['validation_failed'],
  })
  async list(
    @CurrentAgent() { organizationId, agentId }: AgentIdentity,
    @Query() query: OwnRepliesQuery,
  ): Promise<RepliesResponse> {
    const { items, nextCursor } = await this.replies.listOwn(organizationId, agentId, query, toReplyResponse);
    return { replies: items, nextCursor };
  }

  @Post()
  @Describes('createOwnReply', 201, ReplyResponse, {
    summary: 'Create a canned reply of your own',
    description: '409 when you have one with this shortcut in this language, or 500.',
    problems: [...BODY, 'conflict'],
    isVersioned: true,
  })
  async create(@CurrentAgent() agent: AgentIdentity, @Body() body: NewOwnReplyDto): Promise<ReplyResponse> {
    return toReplyResponse(await this.replies.create(agent, body));
  }

  @Get(':replyId')
  @ApiParam({ name: 'replyId' })
  @Describes('getOwnReply', 200, ReplyResponse, {
    summary: 'Get a canned reply of your own',
    description: "A colleague's is 404. `ETag` is the reply's version, for `If-Match`.",
    isVersioned: true,
  })
  async get(
    @CurrentAgent() { organizationId, agentId }: AgentIdentity,
    @Id('replyId') id: string,
  ): Promise<ReplyResponse> {
    return toReplyResponse(await this.replies.getOwn(organizationId, agentId, id));
  }

  @Patch(':replyId')
  @ApiParam({ name: 'replyId' })
  @Describes('updateOwnReply', 200, ReplyResponse, {
    summary: 'Change a canned reply of your own',
    description: 'Omitted fields stay as they are.',
    problems: [...BODY, 'not_found', 'conflict'],
    isVersioned: true,
  })
  async update(
    @CurrentAgent() agent: AgentIdentity,
    @Id('replyId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateOwnReplyDto,
  ): Promise<ReplyResponse> {
    const before = (reply: CannedReply) => precondition?.check(toReplyResponse(reply));
    return toReplyResponse(await this.replies.update(agent, id, body, { ...NO_HOOKS, before }));
  }

  @Delete(':replyId')
  @ApiParam({ name: 'replyId' })
  @HttpCode(204)
  @Describes('deleteOwnReply', 204, null, {
    summary: 'Delete a canned reply of your own',
    description: 'No one else can use it.',
  })
  delete(@CurrentAgent() agent: AgentIdentity, @Id('replyId') id: string): Promise<void> {
    return this.replies.delete(agent, id);
  }
}
