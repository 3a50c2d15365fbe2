import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { type AgentResponse, CreateAgentDto, UpdateAgentDto } from '../agents/agents.dto.js';
import { AgentsService } from '../agents/agents.service.js';
import { AdminApi } from '../auth/doors.js';
import { Id } from '../common/id.pipe.js';
import { PageQuery } from '../common/paging.js';
import { Organization } from '../organizations/organization.pipe.js';

@AdminApi('/:organizationId/agents')
export class AgentsAdminController {
  constructor(private readonly agents: AgentsService) {}

  @Post()
  create(@Organization() organizationId: string, @Body() body: CreateAgentDto): Promise<AgentResponse> {
    return this.agents.create(organizationId, body);
  }

  @Get()
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.agents.list(organizationId, query);
    return { agents: items, nextCursor };
  }

  @Get(':agentId')
  get(@Organization() organizationId: string, @Id('agentId') id: string): Promise<AgentResponse> {
    return this.agents.get(organizationId, id);
  }

  @Patch(':agentId')
  update(
    @Organization() organizationId: string,
    @Id('agentId') id: string,
    @Body() body: UpdateAgentDto,
  ): Promise<AgentResponse> {
    return this.agents.update(organizationId, id, body);
  }

  @Delete(':agentId')
  @HttpCode(204)
  delete(@Organization() organizationId: string, @Id('agentId') id: string): Promise<void> {
    return this.agents.delete(organizationId, id);
  }
}
