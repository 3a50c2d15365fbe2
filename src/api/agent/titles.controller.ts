import { Body, Patch } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { AttributesService } from '../../attributes/attributes.service.js';
import { ChatTitlesService } from '../../chats/moves/chat-titles.service.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ChangeChatRequest, ChangedChatResponse } from '../chat-changes.dto.js';
import { BODY, Describes } from '../describes.js';
import { AgentApi } from './agent-api.decorator.js';

@AgentApi('/chats', 'Chats')
export class AgentTitlesController {
  constructor(
    private readonly inbox: InboxService,
    private readonly titles: ChatTitlesService,
    private readonly attributes: AttributesService,
  ) {}

  @Patch(':chatId')
  @ApiParam({ name: 'chatId' })
  @Describes('changeChat', 200, ChangedChatResponse, {
    summary: 'Give a chat a title, or attributes',
    description:
      'Every agent who sees the chat may. The visitor reads the title in the list of their chats, and no attributes, which are merged by key.',
    problems: [...BODY, 'not_found'],
  })
  async change(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { title, attributes }: ChangeChatRequest,
  ): Promise<ChangedChatResponse> {
    await this.inbox.getSeenChat(agent, chatId);
    await this.attributes.changeOfChat(context, chatId, attributes);
    return this.titles.set(agent.organizationId, chatId, title);
  }
}
