import { Body, HttpCode, Post } from '@nestjs/common';
import { RequireRole, CurrentAgent } from '../../auth/agents/agent.guard.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { AgentActionsService, type ActingAgent } from '../../handoff/agent-actions.service.js';
import { OfferAnswersService } from '../../handoff/offer-answers.service.js';
import { ChatMessagesService } from '../../inbox/chat-messages.service.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { invalid } from '../../platform/errors/problem.js';
import { ApiTags } from '@nestjs/swagger';
import { BODY, Describes } from '../describes.js';
import { StoredMessageResponse } from '../messages.dto.js';
import { ChatRowResponse, GoneRowResponse } from './chats.dto.js';
import { AgentApi } from './agent-api.decorator.js';
import {
  AgentMessageDto,
  AgentTransferDto,
  AssignDto,
  ClaimDto,
  ReopenDto,
  ReturnDto,
  toSnooze,
} from './actions.dto.js';

const ROW_OR_GONE = [ChatRowResponse, GoneRowResponse];

/** Agents' actions on chats (CONTRACT: Agent API). Each responds with the chat's row after it. */
@AgentApi('', 'Chats')
export class ActionsController {
  constructor(
    private readonly actions: AgentActionsService,
    private readonly answers: OfferAnswersService,
    private readonly inbox: InboxService,
    private readonly messages: ChatMessagesService,
  ) {}

  @Post('chats/:chatId/messages')
  @Describes('sendMessage', 201, StoredMessageResponse, {
    summary: 'Send a message',
    description:
      'Only the agent who has the chat may write. A message to a chat that has ended reopens it for the agent. `action` closes or transfers the chat after the message was stored. If the action is rejected, the message is stored anyway.',
    problems: [...BODY, 'not_found', 'not_assigned', 'conflict'],
  })
  async send(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() body: AgentMessageDto,
  ): Promise<StoredMessageResponse> {
    return { message: await this.messages.send(agent, context, chatId, body) };
  }

  @Post('chats/:chatId/claim')
  @HttpCode(200)
  @Describes('claimChat', 200, ROW_OR_GONE, {
    summary: 'Claim a chat',
    description:
      'Takes a chat that waits or is with a bot. With `groupId`, it also moves to that group of yours. Claiming your own chat changes nothing.',
    problems: [...BODY, 'not_found', 'already_assigned', 'offered', 'conflict'],
  })
  claim(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { groupId }: ClaimDto,
  ) {
    return this.do(agent, context, chatId, (acting) => this.actions.claim(acting, chatId, groupId));
  }

  @Post('chats/:chatId/release')
  @HttpCode(200)
  @Describes('releaseChat', 200, ROW_OR_GONE, {
    summary: 'Release a chat',
    description: 'Puts your chat back into the queue of its group.',
    problems: [...BODY, 'not_found', 'not_assigned', 'conflict'],
  })
  release(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('chatId') chatId: string) {
    return this.do(agent, context, chatId, (acting) => this.actions.release(acting, chatId));
  }

  @Post('chats/:chatId/return')
  @HttpCode(200)
  @Describes('returnChat', 200, ROW_OR_GONE, {
    summary: 'Return a chat to the bots',
    description: 'With a note for the bot, which the visitor never sees.',
    problems: [...BODY, 'not_found', 'not_assigned', 'no_bot', 'conflict'],
  })
  return(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { note = null }: ReturnDto,
  ) {
    return this.do(agent, context, chatId, (acting) => this.actions.returnToBot(acting, chatId, note));
  }

  @Post('chats/:chatId/close')
  @HttpCode(200)
  @Describes('closeChat', 200, ROW_OR_GONE, {
    summary: 'Close a chat',
    description: 'Closing a chat that has ended changes nothing.',
    problems: [...BODY, 'not_found', 'not_assigned', 'conflict'],
  })
  close(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('chatId') chatId: string) {
    return this.do(agent, context, chatId, (acting) => this.actions.close(acting, chatId));
  }

  @Post('chats/:chatId/reopen')
  @HttpCode(200)
  @Describes('reopenChat', 200, ROW_OR_GONE, {
    summary: 'Reopen a chat that has ended',
    description: 'You get the chat. With `undo`, its previous owner gets it.',
    problems: [...BODY, 'not_found', 'already_assigned', 'not_assigned', 'conflict'],
  })
  reopen(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { undo }: ReopenDto,
  ) {
    return this.do(agent, context, chatId, (acting) =>
      undo ? this.actions.undoClose(acting, chatId) : this.actions.reopen(acting, chatId),
    );
  }

  @Post('chats/:chatId/assign')
  @RequireRole('SUPERVISOR')
  @HttpCode(200)
  @Describes('assignChat', 200, ROW_OR_GONE, {
    summary: 'Assign a chat to an agent',
    description: 'Needs `SUPERVISOR`.',
    problems: [...BODY, 'not_found', 'agent_unavailable', 'already_assigned', 'conflict'],
  })
  assign(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { agentId, snooze }: AssignDto,
  ) {
    const snoozed = snooze && toSnooze(snooze);
    return this.do(agent, context, chatId, (acting) => this.actions.assign(acting, chatId, agentId, snoozed));
  }

  @Post('chats/:chatId/transfer')
  @HttpCode(200)
  @Describes('transferChat', 200, ROW_OR_GONE, {
    summary: 'Transfer a chat to a group or an agent',
    description: 'Give `groupId` or `agentId`, not both. The note is for the next agent; the visitor never sees it.',
    problems: [...BODY, 'not_found', 'not_assigned', 'agent_unavailable', 'conflict'],
  })
  transfer(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() body: AgentTransferDto,
  ) {
    if ((body.groupId == null) === (body.agentId == null)) {
      throw invalid('/groupId', 'or agentId is required, but not both');
    }
    return this.do(agent, context, chatId, (acting) => this.actions.transfer(acting, chatId, body));
  }

  @Post('offers/:offerId/accept')
  @ApiTags('Offers')
  @HttpCode(200)
  @Describes('acceptOffer', 200, ROW_OR_GONE, {
    summary: 'Accept an offer',
    description: 'You get the chat. Accepting again changes nothing.',
    problems: [...BODY, 'not_found', 'offer_ended'],
  })
  async accept(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('offerId') id: string) {
    return this.inbox.getRowOrGone(agent, await this.answers.accept(context, id));
  }

  @Post('offers/:offerId/decline')
  @ApiTags('Offers')
  @HttpCode(204)
  @Describes('declineOffer', 204, null, {
    summary: 'Decline an offer',
    description: 'Routing asks another agent. Declining again changes nothing.',
    problems: [...BODY, 'not_found', 'offer_ended'],
  })
  decline(@Context() context: RequestContext, @Id('offerId') id: string) {
    return this.answers.decline(context, id);
  }

  private async do(
    agent: AgentIdentity,
    context: RequestContext,
    chatId: string,
    work: (acting: ActingAgent) => Promise<void>,
  ): Promise<ChatRowResponse | GoneRowResponse> {
    await work({ context, role: agent.role });
    return this.inbox.getRowOrGone(agent, chatId);
  }
}
