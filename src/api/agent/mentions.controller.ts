import { Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { NotesService } from '../../inbox/notes/notes.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { AgentApi } from './agent-api.decorator.js';
import { MentionsResponse } from './notes.dto.js';

/** Notes that mention the agent who calls (CONTRACT: Agent API). */
@AgentApi('', 'Notes')
export class MentionsController {
  constructor(private readonly notes: NotesService) {}

  @Get('mentions')
  @ApiOperation({
    operationId: 'listMentions',
    summary: 'List the notes that mention the agent',
    description: 'Of chats that the agent may see, newest first.',
  })
  @ApiOkResponse({ type: MentionsResponse })
  @ApiProblems('validation_failed')
  async list(@CurrentAgent() agent: AgentIdentity, @Query() query: PageQuery): Promise<MentionsResponse> {
    const { items, nextCursor } = await this.notes.listMentions(agent, query);
    return { mentions: items, nextCursor };
  }

  @Post('chats/:chatId/mentions/seen')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'markMentionsSeen',
    summary: 'Mark the mentions of the agent in a chat as seen',
    description: "The agent's other sockets are notified.",
  })
  @ApiParam({ name: 'chatId' })
  @ApiNoContentResponse()
  @ApiProblems('not_found')
  seen(@CurrentAgent() agent: AgentIdentity, @Id('chatId') chatId: string): Promise<void> {
    return this.notes.markMentionsSeen(agent, chatId);
  }
}
