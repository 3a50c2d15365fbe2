import { Body, Get, Patch, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { AttributesService } from '../../attributes/attributes.service.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { ChangedVisitorResponse, ChangeVisitorRequest } from '../chat-changes.dto.js';
import { BODY, Describes } from '../describes.js';
import { AgentApi } from './agent-api.decorator.js';
import { ChatRowsResponse, VisitorChatsQuery } from './chats.dto.js';

/** A visitor's chats as agents read them (CONTRACT: Agent API), and the visitor's attributes (CONTRACT: Attributes). */
@AgentApi('/visitors', 'Chats')
export class AgentVisitorsController {
  constructor(
    private readonly inbox: InboxService,
    private readonly attributes: AttributesService,
  ) {}

  @Get(':visitorId/chats')
  @ApiOperation({
    operationId: 'listVisitorChats',
    summary: 'List the chats of a visitor',
    description: 'Open and ended ones that the agent may see, latest first.',
  })
  @ApiParam({ name: 'visitorId' })
  @ApiOkResponse({ type: ChatRowsResponse })
  @ApiProblems('validation_failed', 'not_found')
  async list(
    @CurrentAgent() agent: AgentIdentity,
    @Id('visitorId') visitorId: string,
    @Query() { cursor, limit }: VisitorChatsQuery,
  ): Promise<ChatRowsResponse> {
    const { items, nextCursor } = await this.inbox.listOfVisitor(agent, visitorId, { after: cursor, limit });
    return { chats: items, nextCursor };
  }

  @Patch(':visitorId')
  @ApiParam({ name: 'visitorId' })
  @Describes('changeVisitor', 200, ChangedVisitorResponse, {
    summary: 'Give a visitor attributes',
    description: 'Merged by key; null removes a key. Every agent who sees a chat of the visitor may.',
    problems: [...BODY, 'not_found'],
  })
  async change(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('visitorId') visitorId: string,
    @Body() { attributes }: ChangeVisitorRequest,
  ): Promise<ChangedVisitorResponse> {
    await this.inbox.checkSeenVisitor(agent, visitorId);
    return { visitorId, attributes: await this.attributes.changeOfVisitor(context, visitorId, attributes) };
  }
}
