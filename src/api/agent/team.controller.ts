import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent, RequireRole } from '../../auth/agents/agent.guard.js';
import { TeamService } from '../../inbox/team.service.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { AgentApi } from './agent-api.decorator.js';
import { TeamGroupResponse, TeamResponse } from './team.dto.js';

/** Who works on what right now (CONTRACT: Agent API). */
@AgentApi('/team', 'Team')
@RequireRole('SUPERVISOR')
export class TeamController {
  constructor(private readonly team: TeamService) {}

  @Get()
  @ApiOperation({
    operationId: 'listTeam',
    summary: 'List the team with its load',
    description:
      'The enabled agents, each with presence, open chats, and the chat whose visitor has waited longest for an answer. Needs `SUPERVISOR`.',
  })
  @ApiOkResponse({ type: TeamResponse })
  @ApiProblems('validation_failed')
  async list(@CurrentAgent() { organizationId }: AgentIdentity, @Query() query: PageQuery): Promise<TeamResponse> {
    const { items, nextCursor } = await this.team.list(organizationId, query);
    return { agents: items, nextCursor };
  }

  @Get('groups')
  @ApiOperation({
    operationId: 'listTeamGroups',
    summary: 'List the queues of the groups',
    description: 'Every group, by name, with the chat that has waited longest for a person. Needs `SUPERVISOR`.',
  })
  @ApiOkResponse({ type: [TeamGroupResponse] })
  listGroups(@CurrentAgent() { organizationId }: AgentIdentity): Promise<TeamGroupResponse[]> {
    return this.team.listGroups(organizationId);
  }
}
