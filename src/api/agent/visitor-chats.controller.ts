import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { AgentApi } from './agent-api.decorator.js';
import { ChatRowsResponse, VisitorChatsQuery } from './chats.dto.js';

/** A visitor's chats as agents read them (CONTRACT section 10). */
@AgentApi('/visitors', 'Chats')
export class AgentVisitorsController {
  constructor(private readonly inbox: InboxService) {}

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
}
