import { Delete, HttpCode, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { InboundStore } from '../../mail/receiving/inbound-store.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { Describes } from '../describes.js';
import { StoredMessageResponse } from '../messages.dto.js';
import { AgentApi } from './agent-api.decorator.js';

/** E-mails that agents check before they become the visitor's messages (CONTRACT section 15). */
@AgentApi('/chats/:chatId/mails', 'Chats')
export class AgentMailsController {
  constructor(
    private readonly inbox: InboxService,
    private readonly mails: InboundStore,
  ) {}

  @Post(':mailId/accept')
  @HttpCode(200)
  @ApiParam({ name: 'chatId' })
  @ApiParam({ name: 'mailId' })
  @Describes('acceptMail', 200, StoredMessageResponse, {
    summary: 'Accept an e-mail',
    description:
      "It becomes the visitor's message. It covers this e-mail alone, and verifies no address. Every agent who sees the chat may do so.",
    problems: ['not_found'],
  })
  async accept(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Id('mailId') mailId: string,
  ): Promise<StoredMessageResponse> {
    await this.inbox.getSeenChat(agent, chatId);
    return { message: await this.mails.accept(context, chatId, mailId) };
  }

  @Delete(':mailId')
  @HttpCode(204)
  @ApiParam({ name: 'chatId' })
  @ApiParam({ name: 'mailId' })
  @Describes('dropMail', 204, null, {
    summary: 'Drop an e-mail',
    description: 'Its text and its files are removed. Every agent who sees the chat may do so.',
    problems: ['not_found'],
  })
  async drop(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Id('mailId') mailId: string,
  ): Promise<void> {
    await this.inbox.getSeenChat(agent, chatId);
    await this.mails.drop(context, chatId, mailId);
  }
}
