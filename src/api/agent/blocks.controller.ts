import { Body, Delete, HttpCode, Put } from '@nestjs/common';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { VisitorBlocksService } from '../../inbox/views/visitor-blocks.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { BODY, Describes } from '../describes.js';
import { AgentApi } from './agent-api.decorator.js';
import { BlockDto, BlockResponse, toGivenBlock } from './blocks.dto.js';

/** Blocks of visitors (CONTRACT: Blocked visitors). */
@AgentApi('/chats/:chatId/block', 'Chats')
export class BlocksController {
  constructor(private readonly blocks: VisitorBlocksService) {}

  @Put()
  @Describes('blockVisitor', 200, BlockResponse, {
    summary: 'Block the visitor of a chat',
    description: "The visitor's requests are refused. It replaces an earlier block. The chat stays as it is.",
    problems: [...BODY, 'not_found'],
  })
  async block(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() body: BlockDto,
  ): Promise<BlockResponse> {
    return { block: await this.blocks.block(agent, context, chatId, toGivenBlock(body)) };
  }

  @Delete()
  @HttpCode(204)
  @Describes('unblockVisitor', 204, null, {
    summary: 'Unblock the visitor of a chat',
    description: 'Repeating it changes nothing.',
    problems: ['not_found'],
  })
  unblock(
    @CurrentAgent() agent: AgentIdentity,
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
  ): Promise<void> {
    return this.blocks.unblock(agent, context, chatId);
  }
}
