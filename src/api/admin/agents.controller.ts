import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import type { AgentRow } from '../../agents/agents.queries.js';
import { CreateAgentDto, UpdateAgentDto } from './agents.dto.js';
import { AgentLeavingService } from '../../handoff/agent-leaving.service.js';
import { AgentsService } from '../../agents/agents.service.js';
import { AdminApi } from './admin-api.decorator.js';
import { Id } from '../../platform/http/id.pipe.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/agents')
export class AgentsAdminController {
  constructor(
    private readonly agents: AgentsService,
    private readonly leaving: AgentLeavingService,
  ) {}

  @Post()
  create(@Organization() organizationId: string, @Body() body: CreateAgentDto): Promise<AgentRow> {
    return this.agents.create(organizationId, body);
  }

  @Get()
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.agents.list(organizationId, query);
    return { agents: items, nextCursor };
  }

  @Get(':agentId')
  get(@Organization() organizationId: string, @Id('agentId') id: string): Promise<AgentRow> {
    return this.agents.get(organizationId, id);
  }

  @Patch(':agentId')
  update(
    @Organization() organizationId: string,
    @Id('agentId') id: string,
    @Body() body: UpdateAgentDto,
  ): Promise<AgentRow> {
    return this.agents.update(organizationId, id, body);
  }

  @Delete(':agentId')
  @HttpCode(204)
  delete(@Organization() organizationId: string, @Id('agentId') id: string): Promise<void> {
    return this.leaving.remove(organizationId, id);
  }
}
