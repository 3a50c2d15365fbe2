import { Body, Patch } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
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
  ) {}

  @Patch(':chatId')
  @ApiParam({ name: 'chatId' })
  @Describes('changeChat', 200, ChangedChatResponse, {
    summary: 'Give a chat a title',
    description: 'Every agent who sees the chat may. The visitor reads the title in the list of their chats.',
    problems: [...BODY, 'not_found'],
  })
  async change(
    @CurrentAgent() agent: AgentIdentity,
    @Id('chatId') chatId: string,
    @Body() { title }: ChangeChatRequest,
  ): Promise<ChangedChatResponse> {
    await this.inbox.getSeenChat(agent, chatId);
    return this.titles.set(agent.organizationId, chatId, title);
  }
}
