import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { AdminApi, BODY, Describes } from './admin-api.decorator.js';
import { RouteLimits } from '../../platform/http/route-limits.js';
import { Id } from '../../platform/http/id.pipe.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { CreateGroupDto, AdminGroupResponse, GroupsResponse, toAdminGroup, UpdateGroupDto } from './groups.dto.js';
import { RemovalService } from '../../chats/removal.service.js';
import { GroupsService } from '../../groups/groups.service.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/groups', 'Groups')
export class GroupsAdminController {
  constructor(
    private readonly groups: GroupsService,
    private readonly removal: RemovalService,
  ) {}

  @Post()
  @Describes('createGroup', 201, AdminGroupResponse, {
    summary: 'Add a group',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  async create(@Organization() organizationId: string, @Body() body: CreateGroupDto) {
    return toAdminGroup(await this.groups.create(organizationId, body));
  }

  @Get()
  @Describes('listAllGroups', 200, GroupsResponse, {
    summary: 'List the groups',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.groups.list(organizationId, query, toAdminGroup);
    return { groups: items, nextCursor };
  }

  @Get(':groupId')
  @Describes('getGroup', 200, AdminGroupResponse, { summary: 'Read a group' })
  async get(@Organization() organizationId: string, @Id('groupId') id: string) {
    return toAdminGroup(await this.groups.get(organizationId, id));
  }

  @Patch(':groupId')
  @Describes('updateGroup', 200, AdminGroupResponse, {
    summary: 'Change a group',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  async update(@Organization() organizationId: string, @Id('groupId') id: string, @Body() body: UpdateGroupDto) {
    return toAdminGroup(await this.groups.update(organizationId, id, body));
  }

  /** Takes as long as the move of the chats: up to some seconds for each 20,000. */
  @Delete(':groupId')
  @RouteLimits({ deadline: null })
  @HttpCode(204)
  @Describes('deleteGroup', 204, null, {
    summary: 'Remove a group; the default group gets its chats',
    problems: ['not_found', 'conflict'],
  })
  delete(@Organization() organizationId: string, @Id('groupId') id: string): Promise<void> {
    return this.removal.removeGroup(organizationId, id);
  }
}
