import { Body, HttpCode, Post } from '@nestjs/common';
import { RequireRole, CurrentAgent } from '../../auth/agents/agent.guard.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { AgentActionsService, type ActingAgent } from '../../handoff/agent-actions.service.js';
import { OfferAnswersService } from '../../handoff/offer-answers.service.js';
import type { InboxRow } from '../../inbox/inbox-row.js';
import { InboxService } from '../../inbox/inbox.service.js';
import { MessagesService } from '../../messages/messages.service.js';
import type { MessageView } from '../../messages/message.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { invalid, notFound } from '../../platform/errors/problem.js';
import { AgentApi } from './agent-api.decorator.js';
import { AgentMessageDto, AgentTransferDto, AssignDto, ReturnDto } from './actions.dto.js';

/** The row of a chat that the agent may not see any more. */
interface GoneRow {
  id: string;
  rev: number;
  isGone: true;
}

/** What agents do with chats (CONTRACT section 10). Each answers the chat's row after it. */
@AgentApi('')
export class ActionsController {
  constructor(
    private readonly actions: AgentActionsService,
    private readonly answers: OfferAnswersService,
    private readonly inbox: InboxService,
    private readonly messages: MessagesService,
  ) {}

  @Post('chats/:chatId/messages')
  async send(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() body: AgentMessageDto,
  ): Promise<{ message: MessageView }> {
    await this.inbox.getSeenChat(agent, chatId);
    return { message: await this.messages.sendFromAgent(context, chatId, body) };
  }

  @Post('chats/:chatId/claim')
  @HttpCode(200)
  claim(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('chatId') chatId: string) {
    return this.do(agent, context, chatId, (acting) => this.actions.claim(acting, chatId));
  }

  @Post('chats/:chatId/release')
  @HttpCode(200)
  release(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('chatId') chatId: string) {
    return this.do(agent, context, chatId, (acting) => this.actions.release(acting, chatId));
  }

  @Post('chats/:chatId/return')
  @HttpCode(200)
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
  close(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('chatId') chatId: string) {
    return this.do(agent, context, chatId, (acting) => this.actions.close(acting, chatId));
  }

  @Post('chats/:chatId/reopen')
  @HttpCode(200)
  reopen(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('chatId') chatId: string) {
    return this.do(agent, context, chatId, (acting) => this.actions.reopen(acting, chatId));
  }

  @Post('chats/:chatId/assign')
  @RequireRole('SUPERVISOR')
  @HttpCode(200)
  assign(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { agentId }: AssignDto,
  ) {
    return this.do(agent, context, chatId, (acting) => this.actions.assign(acting, chatId, agentId));
  }

  @Post('chats/:chatId/transfer')
  @HttpCode(200)
  transfer(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() body: AgentTransferDto,
  ) {
    if ((body.groupId == null) === (body.agentId == null)) {
      throw invalid('/groupId', 'or /agentId is required, and only one of the two');
    }
    return this.do(agent, context, chatId, (acting) => this.actions.transfer(acting, chatId, body));
  }

  @Post('offers/:offerId/accept')
  @HttpCode(200)
  async accept(@CurrentAgent() agent: AgentIdentity, @Context() context: RequestContext, @Id('offerId') id: string) {
    return this.rowOf(agent, await this.answers.accept(context, id));
  }

  @Post('offers/:offerId/decline')
  @HttpCode(204)
  decline(@Context() context: RequestContext, @Id('offerId') id: string) {
    return this.answers.decline(context, id);
  }

  private async do(
    agent: AgentIdentity,
    context: RequestContext,
    chatId: string,
    work: (acting: ActingAgent) => Promise<void>,
  ): Promise<InboxRow | GoneRow> {
    await work({ context, role: agent.role });
    return this.rowOf(agent, chatId);
  }

  // An agent who has handed the chat to a group of others does not learn what becomes of it.
  private async rowOf({ organizationId, agentId }: AgentIdentity, chatId: string): Promise<InboxRow | GoneRow> {
    const [row] = await this.inbox.findRows(organizationId, [chatId]);
    const seen = await this.inbox.findWhoMaySee(organizationId, [chatId], [agentId]);
    if (!row) return notFound('Chat');
    return seen.get(chatId)?.has(agentId) ? row : { id: row.id, rev: row.rev, isGone: true };
  }
}
