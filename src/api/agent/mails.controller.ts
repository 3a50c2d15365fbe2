import { Delete, HttpCode, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { InboundStore } from '../../mail/receiving/inbound-store.service.js';
import { Transcripts } from '../../mail/kinds/transcripts.service.js';
import { Unsubscribing } from '../../mail/model/unsubscribing.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { BODY, Describes } from '../describes.js';
import { StoredMessageResponse } from '../messages.dto.js';
import { AgentApi } from './agent-api.decorator.js';

/** E-mails of a chat: arrived ones to check, and transcripts (CONTRACT: E-mail). */
@AgentApi('/chats/:chatId', 'Chats')
export class AgentMailsController {
  constructor(
    private readonly inbox: InboxService,
    private readonly mails: InboundStore,
    private readonly transcripts: Transcripts,
    private readonly unsubscribing: Unsubscribing,
  ) {}

  @Post('mails/:mailId/accept')
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

  @Delete('mails/:mailId')
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

  @Post('transcript')
  @HttpCode(202)
  @ApiParam({ name: 'chatId' })
  @Describes('sendTranscript', 202, null, {
    summary: 'Send the visitor a transcript',
    description: 'By e-mail, at most 5 an hour for a chat. Every agent who sees the chat may do so.',
    problems: [...BODY, 'not_found', 'mail_off', 'no_address', 'rate_limited'],
  })
  async sendTranscript(@CurrentAgent() agent: AgentIdentity, @Id('chatId') chatId: string): Promise<void> {
    await this.inbox.getSeenChat(agent, chatId);
    await this.transcripts.request(agent.organizationId, chatId, 'agent');
  }

  @Post('resubscribe')
  @HttpCode(204)
  @ApiParam({ name: 'chatId' })
  @Describes('resubscribe', 204, null, {
    summary: 'Let the visitor get e-mails again',
    description: 'For a visitor who unsubscribed, and asked an agent for e-mails since. It is in the audit log.',
    problems: [...BODY, 'not_found', 'no_address'],
  })
  async resubscribe(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
  ): Promise<void> {
    const { visitor } = await this.inbox.getDetail(agent, chatId);
    await this.unsubscribing.resubscribe(context, chatId, visitor);
  }
}
