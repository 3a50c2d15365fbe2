import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { IfMatch } from '../versioned.js';
import { GROUP } from './audit-subjects.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { CreateGroupDto, AdminGroupResponse, GroupsResponse, toAdminGroup, UpdateGroupDto } from './groups.dto.js';
import { RemovalService } from '../../chats/moves/removal.service.js';
import { GroupsService } from '../../groups/groups.service.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/groups', 'Groups')
export class GroupsController {
  constructor(
    private readonly groups: GroupsService,
    private readonly removal: RemovalService,
    private readonly audit: AuditService,
  ) {}

  @Post()
  @Describes('createGroup', 201, AdminGroupResponse, {
    summary: 'Create a group',
    description: '409 when the name is taken in the organization.',
    problems: [...BODY, 'not_found', 'conflict'],
    isVersioned: true,
  })
  async create(@AdminContext() context: RequestContext, @Body() body: CreateGroupDto) {
    const watch = this.audit.hooks(context, GROUP);
    return toAdminGroup(await this.groups.create(context.organizationId, body, watch));
  }

  @Get()
  @Describes('listGroups', 200, GroupsResponse, {
    summary: 'List the groups',
    description: 'With how their chats are routed.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.groups.list(organizationId, query, toAdminGroup);
    return { groups: items, nextCursor };
  }

  @Get(':groupId')
  @Describes('getGroup', 200, AdminGroupResponse, {
    summary: 'Get a group',
    description: "`ETag` is the group's version, for `If-Match`.",
    isVersioned: true,
  })
  async get(@Organization() organizationId: string, @Id('groupId') id: string) {
    return toAdminGroup(await this.groups.get(organizationId, id));
  }

  @Patch(':groupId')
  @Describes('updateGroup', 200, AdminGroupResponse, {
    summary: 'Change a group',
    description:
      'Omitted fields stay as they are. Exactly one group is the default: set `isDefault` on another one to move it.',
    problems: [...BODY, 'not_found', 'conflict'],
    isVersioned: true,
  })
  async update(
    @AdminContext() context: RequestContext,
    @Id('groupId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateGroupDto,
  ) {
    const watch = this.audit.hooks(context, GROUP, precondition);
    return toAdminGroup(await this.groups.update(context.organizationId, id, body, watch));
  }

  /** Takes as long as the move of the chats: up to some seconds for each 20,000. */
  @Delete(':groupId')
  @RouteLimits({ deadlineMs: null })
  @HttpCode(204)
  @Describes('deleteGroup', 204, null, {
    summary: 'Delete a group',
    description: 'Its chats move to the default group, which cannot be deleted (409).',
    problems: ['not_found', 'conflict'],
  })
  delete(@AdminContext() context: RequestContext, @Id('groupId') id: string): Promise<void> {
    return this.removal.removeGroup(context.organizationId, id, this.audit.hooks(context, GROUP));
  }
}
