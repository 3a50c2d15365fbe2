import { Body, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { PresenceService } from '../../agents/presence.service.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { AgentApi } from './agent-api.decorator.js';
import { PresenceDto, PresenceResponse, toPresenceResponse } from './presence.dto.js';

/** Whether an agent accepts chats (CONTRACT: Presence). */
@AgentApi('/presence', 'Presence')
export class PresenceController {
  constructor(private readonly presences: PresenceService) {}

  @Put()
  @ApiOperation({
    operationId: 'setPresence',
    summary: 'Accept chats, or pause, with a reason',
    description: 'Kept across sessions. Routing also pauses an agent who misses offers.',
  })
  @ApiOkResponse({ type: PresenceResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  async set(
    @CurrentAgent() { organizationId, agentId }: AgentIdentity,
    @Body() body: PresenceDto,
  ): Promise<PresenceResponse> {
    const { isAccepting, reason: why } = body;
    return toPresenceResponse(await this.presences.setAccepting(organizationId, agentId, isAccepting, why));
  }
}
