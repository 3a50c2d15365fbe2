import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { AgentApi } from './agent-api.decorator.js';
import { OffersResponse } from './offers.dto.js';

/** The agent's pending offers (CONTRACT: Agent API). */
@AgentApi('/offers', 'Offers')
export class OffersController {
  constructor(private readonly inbox: InboxService) {}

  @Get()
  @ApiOperation({
    operationId: 'listOffers',
    summary: 'List the offers',
    description: 'The chats that you are asked to take. The soonest to expire come first.',
  })
  @ApiOkResponse({ type: OffersResponse })
  async list(@CurrentAgent() agent: AgentIdentity): Promise<OffersResponse> {
    return { offers: await this.inbox.listOffers(agent), nextCursor: null };
  }
}
