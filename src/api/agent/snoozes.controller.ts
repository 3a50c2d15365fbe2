import { Body, HttpCode, Post } from '@nestjs/common';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { AgentActionsService } from '../../handoff/agent-actions.service.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { BODY, Describes } from '../describes.js';
import { AgentApi } from './agent-api.decorator.js';
import { SnoozeDto, toSnooze } from './actions.dto.js';
import { ChatRowResponse, GoneRowResponse } from './chats.dto.js';

const ROW_OR_GONE = [ChatRowResponse, GoneRowResponse];

/** Snoozed chats (CONTRACT: Who has a chat). */
@AgentApi('/chats/:chatId', 'Chats')
export class SnoozesController {
  constructor(
    private readonly actions: AgentActionsService,
    private readonly inbox: InboxService,
  ) {}

  @Post('snooze')
  @HttpCode(200)
  @Describes('snoozeChat', 200, ROW_OR_GONE, {
    summary: 'Snooze a chat',
    description:
      'Takes your chat out of `MINE` until a time, or until the visitor writes. A snoozed chat takes no capacity. Snoozing it again replaces the time.',
    problems: [...BODY, 'not_found', 'not_assigned', 'conflict'],
  })
  async snooze(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() body: SnoozeDto,
  ) {
    await this.actions.snooze({ context, role: agent.role }, chatId, toSnooze(body));
    return this.inbox.getRowOrGone(agent, chatId);
  }

  @Post('wake')
  @HttpCode(200)
  @Describes('wakeChat', 200, ROW_OR_GONE, {
    summary: 'Wake a snoozed chat',
    description: 'You keep the chat, beyond your capacity too. Waking a chat that isn’t snoozed changes nothing.',
    problems: [...BODY, 'not_found', 'not_assigned'],
  })
  async wake(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('chatId') chatId: string) {
    await this.actions.wake({ context, role: agent.role }, chatId);
    return this.inbox.getRowOrGone(agent, chatId);
  }
}
