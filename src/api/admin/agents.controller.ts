import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import type { AgentRow } from '../../agents/agents.queries.js';
import { CreateAgentDto, UpdateAgentDto } from './agents.dto.js';
import { AgentLeavingService } from '../../handoff/agent-leaving.service.js';
import { AgentAccountsService } from '../../auth/agent-accounts.service.js';
import type { RequestContext } from '../../auth/request-context.js';
import { AgentsService } from '../../agents/agents.service.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { Id } from '../../platform/http/id.pipe.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/agents')
export class AgentsAdminController {
  constructor(
    private readonly agents: AgentsService,
    private readonly leaving: AgentLeavingService,
    private readonly accounts: AgentAccountsService,
  ) {}

  @Post()
  create(@AdminContext() context: RequestContext, @Body() body: CreateAgentDto): Promise<AgentRow> {
    return this.accounts.create(context, body);
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
  async update(
    @AdminContext() context: RequestContext,
    @Id('agentId') id: string,
    @Body() body: UpdateAgentDto,
  ): Promise<AgentRow> {
    const agent = await this.accounts.update(context, id, body);
    if (body.groupIds != null || body.role != null) await this.leaving.leaveGroups(context.organizationId, id);
    return agent;
  }

  @Delete(':agentId')
  @HttpCode(204)
  delete(@AdminContext() context: RequestContext, @Id('agentId') id: string): Promise<void> {
    return this.leaving.remove(context.organizationId, id, (tx) => this.accounts.delete(tx, context, id));
  }
}
