import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { AgentTyping } from '../../live/typing/agent-typing.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { ReadDto, ReadResponse, TypingDto, TypingResponse } from '../signals.dto.js';
import { AgentApi } from './agent-api.decorator.js';

/** Typing and read marks of agents (CONTRACT: Agent API). */
@AgentApi('/chats', 'Chats')
@ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'unsupported_media_type')
export class AgentSignalsController {
  constructor(
    private readonly typing: AgentTyping,
    private readonly inbox: InboxService,
  ) {}

  @Post(':chatId/typing')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'setTyping',
    summary: 'Send a typing signal',
    description: 'The visitor sees it if you have the chat; otherwise only colleagues do.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: TypingResponse })
  type(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Body() body: TypingDto,
  ): Promise<TypingResponse> {
    return this.typing.report(agent, chatId, body);
  }

  @Post(':chatId/read')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'markRead',
    summary: 'Mark messages as read',
    description: 'All agents share one mark. It never goes back.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ReadResponse })
  read(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Body() { seq }: ReadDto,
  ): Promise<ReadResponse> {
    return this.inbox.markRead(agent, chatId, seq);
  }
}
