import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { CannedRepliesService, type ReplyOwner } from '../../agents/canned-replies.service.js';
import { AuditService, type Subject } from '../../auth/audit/audit.service.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent, RequireRole } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { PageQuery } from '../../platform/validation/paging.js';
import type { CannedReply } from '../../agents/canned-reply.entity.js';
import { ETAG_HEADER, IfMatch, Versioned } from '../versioned.js';
import { AgentApi } from './agent-api.decorator.js';
import { NewReplyDto, RepliesResponse, ReplyResponse, toReplyResponse, UpdateReplyDto } from './replies.dto.js';

const REPLY: Subject<CannedReply> = {
  kind: 'reply',
  view: toReplyResponse,
  identify: ({ id, shortcut }) => ({ id, name: shortcut }),
};

/** Canned replies (CONTRACT: Agent API). Changing them needs SUPERVISOR. */
@AgentApi('/replies', 'Canned replies')
export class RepliesController {
  constructor(
    private readonly replies: CannedRepliesService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listReplies',
    summary: 'List the canned replies',
    description:
      "The organization's replies that you can use, oldest first. A group's replies are for its agents and for supervisors.",
  })
  @ApiOkResponse({ type: RepliesResponse })
  @ApiProblems('validation_failed')
  async list(@CurrentAgent() agent: AgentIdentity, @Query() query: PageQuery): Promise<RepliesResponse> {
    const { items, nextCursor } = await this.replies.list(agent, query, toReplyResponse);
    return { replies: items, nextCursor };
  }

  @Post()
  @RequireRole('SUPERVISOR')
  @ApiOperation({
    operationId: 'createReply',
    summary: 'Create a canned reply',
    description: 'Needs `SUPERVISOR`. 409 when the shortcut is taken.',
  })
  @ApiCreatedResponse({ type: ReplyResponse, headers: ETAG_HEADER })
  @Versioned()
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'conflict', 'unsupported_media_type')
  async create(@Context() context: RequestContext, @Body() body: NewReplyDto): Promise<ReplyResponse> {
    return toReplyResponse(await this.replies.create(everyone(context), body, this.audit.hooks(context, REPLY)));
  }

  @Get(':replyId')
  @ApiOperation({
    operationId: 'getReply',
    summary: 'Get a canned reply',
    description: "`ETag` is the reply's version, for `If-Match`.",
  })
  @ApiParam({ name: 'replyId' })
  @ApiOkResponse({ type: ReplyResponse, headers: ETAG_HEADER })
  @Versioned()
  @ApiProblems('not_found')
  async get(@CurrentAgent() agent: AgentIdentity, @Id('replyId') id: string): Promise<ReplyResponse> {
    return toReplyResponse(await this.replies.get(agent, id));
  }

  @Patch(':replyId')
  @RequireRole('SUPERVISOR')
  @ApiOperation({
    operationId: 'updateReply',
    summary: 'Change a canned reply',
    description: 'Needs `SUPERVISOR`. Omitted fields stay as they are.',
  })
  @ApiParam({ name: 'replyId' })
  @ApiOkResponse({ type: ReplyResponse, headers: ETAG_HEADER })
  @Versioned()
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'conflict')
  @ApiProblems('unsupported_media_type')
  async update(
    @Context() context: RequestContext,
    @Id('replyId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateReplyDto,
  ): Promise<ReplyResponse> {
    const watch = this.audit.hooks(context, REPLY, precondition);
    return toReplyResponse(await this.replies.update(everyone(context), id, body, watch));
  }

  @Delete(':replyId')
  @RequireRole('SUPERVISOR')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteReply',
    summary: 'Delete a canned reply',
    description: 'Needs `SUPERVISOR`.',
  })
  @ApiParam({ name: 'replyId' })
  @ApiNoContentResponse()
  @ApiProblems('not_found')
  delete(@Context() context: RequestContext, @Id('replyId') id: string): Promise<void> {
    return this.replies.delete(everyone(context), id, this.audit.hooks(context, REPLY));
  }
}

/** The organization's replies. */
function everyone({ organizationId }: RequestContext): ReplyOwner {
  return { organizationId, agentId: null };
}
