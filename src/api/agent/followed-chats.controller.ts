import { Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { FollowedChatsService } from '../../inbox/views/followed-chats.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { Describes } from '../describes.js';
import { AgentApi } from './agent-api.decorator.js';
import { FollowedChatsResponse } from './followed-chats.dto.js';

/** The chats that the agent follows on every device (CONTRACT: Agent API). */
@AgentApi('', 'Chats')
export class FollowedChatsController {
  constructor(private readonly chats: FollowedChatsService) {}

  @Get('followed')
  @ApiOperation({
    operationId: 'listFollowedChats',
    summary: 'List the chats that you follow',
    description: 'Of chats that you may see, last followed first.',
  })
  @ApiOkResponse({ type: FollowedChatsResponse })
  async list(@CurrentAgent() agent: AgentIdentity): Promise<FollowedChatsResponse> {
    return { chats: await this.chats.list(agent), nextCursor: null };
  }

  @Put('chats/:chatId/followed')
  @HttpCode(204)
  @Describes('followChat', 204, null, {
    summary: 'Follow a chat',
    description:
      "Your sockets get its rows and messages until you unfollow it, such as a colleague's chat. You aren't shown as its viewer.",
    problems: ['not_found', 'too_many'],
  })
  follow(@CurrentAgent() agent: AgentIdentity, @Id('chatId') chatId: string): Promise<void> {
    return this.chats.follow(agent, chatId);
  }

  @Delete('chats/:chatId/followed')
  @HttpCode(204)
  @Describes('unfollowChat', 204, null, {
    summary: 'Unfollow a chat',
    description: 'On all your devices.',
    problems: ['not_found'],
  })
  unfollow(@CurrentAgent() agent: AgentIdentity, @Id('chatId') chatId: string): Promise<void> {
    return this.chats.unfollow(agent, chatId);
  }
}
