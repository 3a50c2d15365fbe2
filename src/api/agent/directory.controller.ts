import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { DirectoryService } from '../../inbox/directory.service.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { AgentApi } from './agent-api.decorator.js';
import { ColleaguesResponse, GroupOverviewResponse } from './directory.dto.js';

/** The groups and colleagues of an agent (CONTRACT: Agent API). */
@AgentApi('', 'Groups and colleagues')
export class DirectoryController {
  constructor(private readonly directory: DirectoryService) {}

  @Get('groups')
  @ApiOperation({
    operationId: 'listGroups',
    summary: 'List the groups',
    description: 'Every group of the organization, ordered by name.',
  })
  @ApiOkResponse({ type: [GroupOverviewResponse] })
  listGroups(@CurrentAgent() { organizationId }: AgentIdentity): Promise<GroupOverviewResponse[]> {
    return this.directory.listGroups(organizationId);
  }

  @Get('agents')
  @ApiOperation({
    operationId: 'listAgents',
    summary: 'List the colleagues',
    description: 'The enabled agents of the organization.',
  })
  @ApiOkResponse({ type: ColleaguesResponse })
  @ApiProblems('validation_failed')
  async listAgents(
    @CurrentAgent() { organizationId }: AgentIdentity,
    @Query() query: PageQuery,
  ): Promise<ColleaguesResponse> {
    const { items, nextCursor } = await this.directory.listColleagues(organizationId, query);
    return { agents: items, nextCursor };
  }
}
