import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { RequireAdminToken } from '../../auth/admin.guard.js';
import { AdminApi } from './admin-api.decorator.js';
import { Id } from '../../platform/http/id.pipe.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { CreateOrganizationDto, toOrganizationResponse, UpdateOrganizationDto } from './organizations.dto.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';

@AdminApi()
export class OrganizationsAdminController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Post()
  @RequireAdminToken()
  async create(@Body() body: CreateOrganizationDto) {
    const { row, identitySecret } = await this.organizations.create(body);
    return { ...toOrganizationResponse(row), identitySecret };
  }

  @Get()
  @RequireAdminToken()
  async list(@Query() query: PageQuery) {
    const { items, nextCursor } = await this.organizations.list(query, toOrganizationResponse);
    return { organizations: items, nextCursor };
  }

  @Get(':organizationId')
  async get(@Id('organizationId') id: string) {
    return toOrganizationResponse(await this.organizations.get(id));
  }

  @Patch(':organizationId')
  async update(@Id('organizationId') id: string, @Body() body: UpdateOrganizationDto) {
    return toOrganizationResponse(await this.organizations.update(id, body));
  }

  @Delete(':organizationId')
  @RequireAdminToken()
  @HttpCode(204)
  delete(@Id('organizationId') id: string): Promise<void> {
    return this.organizations.delete(id);
  }
}
