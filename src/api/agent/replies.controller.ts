import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { CannedRepliesService } from '../../agents/canned-replies.service.js';
import type { AgentIdentity } from '../../auth/agent-sessions.queries.js';
import { CurrentAgent, RequireRole } from '../../auth/agent.guard.js';
import { Id } from '../../platform/http/id.pipe.js';
import { ApiProblems } from '../../platform/http/problem.dto.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { AgentApi } from './agent-api.decorator.js';
import { NewReplyDto, RepliesResponse, ReplyResponse, toReplyResponse, UpdateReplyDto } from './replies.dto.js';

/** Canned replies (CONTRACT section 10). Changing them needs SUPERVISOR. */
@AgentApi('/replies', 'Canned replies')
export class RepliesController {
  constructor(private readonly replies: CannedRepliesService) {}

  @Get()
  @ApiOperation({ summary: 'List the canned replies, oldest first', operationId: 'listReplies' })
  @ApiOkResponse({ type: RepliesResponse })
  @ApiProblems('validation_failed')
  async list(@CurrentAgent() { organizationId }: AgentIdentity, @Query() query: PageQuery): Promise<RepliesResponse> {
    const { items, nextCursor } = await this.replies.list(organizationId, query, toReplyResponse);
    return { replies: items, nextCursor };
  }

  @Post()
  @RequireRole('SUPERVISOR')
  @ApiOperation({ summary: 'Add a canned reply', operationId: 'createReply' })
  @ApiCreatedResponse({ type: ReplyResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'conflict', 'unsupported_media_type')
  async create(@CurrentAgent() { organizationId }: AgentIdentity, @Body() body: NewReplyDto): Promise<ReplyResponse> {
    return toReplyResponse(await this.replies.create(organizationId, body));
  }

  @Patch(':replyId')
  @RequireRole('SUPERVISOR')
  @ApiOperation({ summary: 'Change a canned reply', operationId: 'updateReply' })
  @ApiParam({ name: 'replyId' })
  @ApiOkResponse({ type: ReplyResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'conflict')
  @ApiProblems('unsupported_media_type')
  async update(
    @CurrentAgent() { organizationId }: AgentIdentity,
    @Id('replyId') id: string,
    @Body() body: UpdateReplyDto,
  ): Promise<ReplyResponse> {
    return toReplyResponse(await this.replies.update(organizationId, id, body));
  }

  @Delete(':replyId')
  @RequireRole('SUPERVISOR')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a canned reply', operationId: 'deleteReply' })
  @ApiParam({ name: 'replyId' })
  @ApiNoContentResponse()
  @ApiProblems('not_found')
  delete(@CurrentAgent() { organizationId }: AgentIdentity, @Id('replyId') id: string): Promise<void> {
    return this.replies.delete(organizationId, id);
  }
}
