import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import type { AgentRow } from '../../agents/agents.queries.js';
import { AgentResponse, AgentsResponse, CreateAgentDto, UpdateAgentDto } from './agents.dto.js';
import { AgentLeavingService } from '../../handoff/agent-leaving.service.js';
import { AgentAccountsService } from '../../auth/agents/agent-accounts.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AgentsService } from '../../agents/agents.service.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { WITH_PICTURE } from '../picture-url.js';
import { PicturesService } from '../../pictures/pictures.service.js';
import { IfMatch } from '../versioned.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { AdminContext } from './admin-context.decorator.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/agents', 'Agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly leaving: AgentLeavingService,
    private readonly accounts: AgentAccountsService,
    private readonly pictures: PicturesService,
  ) {}

  @Post()
  @RouteLimits(WITH_PICTURE)
  @Describes('createAgent', 201, AgentResponse, {
    summary: 'Create an agent',
    description:
      'The agent has no password until they use a sign-in link. 409 when the address is taken in the organization.',
    problems: [...BODY, 'not_found', 'conflict', 'quota_exceeded'],
    isVersioned: true,
  })
  create(@AdminContext() context: RequestContext, @Body() body: CreateAgentDto): Promise<AgentRow> {
    const picture = { choice: body.avatarUrl, pointer: '/avatarUrl' };
    return this.pictures.change(context.organizationId, picture, (avatarUrl) =>
      this.accounts.create(context, { ...body, avatarUrl }),
    );
  }

  @Get()
  @Describes('listAgents', 200, AgentsResponse, {
    summary: 'List the agents',
    description: 'Disabled agents are included.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.agents.list(organizationId, query);
    return { agents: items, nextCursor };
  }

  @Get(':agentId')
  @Describes('getAgent', 200, AgentResponse, {
    summary: 'Get an agent',
    description: "`ETag` is the agent's version, for `If-Match`.",
    isVersioned: true,
  })
  get(@Organization() organizationId: string, @Id('agentId') id: string): Promise<AgentRow> {
    return this.agents.get(organizationId, id);
  }

  @Patch(':agentId')
  @RouteLimits(WITH_PICTURE)
  @Describes('updateAgent', 200, AgentResponse, {
    summary: 'Change an agent',
    description: 'Omitted fields stay as they are. Disabling an agent ends their sessions and queues their chats.',
    problems: [...BODY, 'not_found', 'conflict', 'quota_exceeded'],
    isVersioned: true,
  })
  async update(
    @AdminContext() context: RequestContext,
    @Id('agentId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateAgentDto,
  ): Promise<AgentRow> {
    const picture = { choice: body.avatarUrl, pointer: '/avatarUrl' };
    const agent = await this.pictures.change(context.organizationId, picture, (avatarUrl) =>
      this.accounts.update(context, id, { ...body, avatarUrl }, precondition),
    );
    if (body.groupIds != null || body.role != null) await this.leaving.leaveGroups(context.organizationId, id);
    return agent;
  }

  /** Takes as long as the agent's chats and offers take: some milliseconds for each chat, less for an offer. */
  @Delete(':agentId')
  @RouteLimits({ deadlineMs: null })
  @HttpCode(204)
  @Describes('deleteAgent', 204, null, {
    summary: 'Delete an agent',
    description: "The agent's chats go back to the queue.",
  })
  delete(@AdminContext() context: RequestContext, @Id('agentId') id: string): Promise<void> {
    return this.leaving.remove(context.organizationId, id, (tx) => this.accounts.delete(tx, context, id));
  }
}
