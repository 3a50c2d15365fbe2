import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { AdminApi } from './admin-api.decorator.js';
import { Id } from '../../platform/http/id.pipe.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { CreateGroupDto, toAdminGroup, UpdateGroupDto } from './groups.dto.js';
import { RemovalService } from '../../chats/removal.service.js';
import { GroupsService } from '../../groups/groups.service.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/groups')
export class GroupsAdminController {
  constructor(
    private readonly groups: GroupsService,
    private readonly removal: RemovalService,
  ) {}

  @Post()
  async create(@Organization() organizationId: string, @Body() body: CreateGroupDto) {
    return toAdminGroup(await this.groups.create(organizationId, body));
  }

  @Get()
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.groups.list(organizationId, query, toAdminGroup);
    return { groups: items, nextCursor };
  }

  @Get(':groupId')
  async get(@Organization() organizationId: string, @Id('groupId') id: string) {
    return toAdminGroup(await this.groups.get(organizationId, id));
  }

  @Patch(':groupId')
  async update(@Organization() organizationId: string, @Id('groupId') id: string, @Body() body: UpdateGroupDto) {
    return toAdminGroup(await this.groups.update(organizationId, id, body));
  }

  @Delete(':groupId')
  @HttpCode(204)
  delete(@Organization() organizationId: string, @Id('groupId') id: string): Promise<void> {
    return this.removal.removeGroup(organizationId, id);
  }
}
