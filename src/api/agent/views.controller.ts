import { Body, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { SavedView } from '../../agents/saved-view.entity.js';
import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS, SavedViewsService } from '../../agents/saved-views.service.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { BODY, Describes } from '../describes.js';
import { IfMatch } from '../versioned.js';
import { AgentApi } from './agent-api.decorator.js';
import { NewViewDto, toViewResponse, UpdateViewDto, ViewResponse, ViewsResponse } from './views.dto.js';

/** Searches that agents keep under a name (CONTRACT: Agent API). */
@AgentApi('/views', 'Views')
export class ViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Get()
  @Describes('listViews', 200, ViewsResponse, {
    summary: 'List saved views',
    description: "Your own views and the team's, by `position`.",
  })
  async list(@CurrentAgent() agent: AgentIdentity): Promise<ViewsResponse> {
    return { views: (await this.views.list(agent)).map(toViewResponse) };
  }

  @Post()
  @Describes('createView', 201, ViewResponse, {
    summary: 'Save a view',
    description: `409 beyond ${MAX_OWN_VIEWS} own views, or ${MAX_SHARED_VIEWS} of the team.`,
    problems: [...BODY, 'forbidden', 'conflict'],
    isVersioned: true,
  })
  async create(@CurrentAgent() agent: AgentIdentity, @Body() body: NewViewDto): Promise<ViewResponse> {
    return toViewResponse(await this.views.create(agent, body));
  }

  @Get(':viewId')
  @ApiParam({ name: 'viewId' })
  @Describes('getView', 200, ViewResponse, {
    summary: 'Get a saved view',
    description: "A colleague's own view is 404. `ETag` is the view's version, for `If-Match`.",
    isVersioned: true,
  })
  async get(@CurrentAgent() agent: AgentIdentity, @Id('viewId') id: string): Promise<ViewResponse> {
    return toViewResponse(await this.views.get(agent, id));
  }

  @Patch(':viewId')
  @ApiParam({ name: 'viewId' })
  @Describes('updateView', 200, ViewResponse, {
    summary: 'Change a saved view',
    description: 'Omitted fields stay as they are. An own view that is shared becomes one of the team.',
    problems: [...BODY, 'not_found', 'forbidden', 'conflict'],
    isVersioned: true,
  })
  async update(
    @CurrentAgent() agent: AgentIdentity,
    @Id('viewId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateViewDto,
  ): Promise<ViewResponse> {
    const check = (before: SavedView) => precondition?.check(toViewResponse(before));
    return toViewResponse(await this.views.update(agent, id, body, check));
  }

  @Delete(':viewId')
  @ApiParam({ name: 'viewId' })
  @HttpCode(204)
  @Describes('deleteView', 204, null, {
    summary: 'Delete a saved view',
    description: 'A view of the team is deleted for everyone.',
    problems: ['not_found', 'forbidden'],
  })
  delete(@CurrentAgent() agent: AgentIdentity, @Id('viewId') id: string): Promise<void> {
    return this.views.delete(agent, id);
  }
}
