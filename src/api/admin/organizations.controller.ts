import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { RequireAdminToken } from '../../auth/agents/admin.guard.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { IfMatch } from '../versioned.js';
import { AdminContext, NewOrganizationContext } from './admin-context.decorator.js';
import { ORGANIZATION } from './audit-subjects.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import {
  CreateOrganizationDto,
  NewOrganizationResponse,
  OrganizationResponse,
  OrganizationsResponse,
  toOrganizationResponse,
  UpdateOrganizationDto,
} from './organizations.dto.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';

@AdminApi('', 'Organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly audit: AuditService,
  ) {}

  @Post()
  @RequireAdminToken()
  @Describes('createOrganization', 201, NewOrganizationResponse, {
    summary: 'Create an organization',
    description: 'Needs `ADMIN_TOKEN`. The identity secret is returned only this once.',
    problems: BODY,
    isVersioned: true,
  })
  async create(@NewOrganizationContext() context: RequestContext, @Body() body: CreateOrganizationDto) {
    const watch = this.audit.hooks(context, ORGANIZATION);
    const { row, identitySecret } = await this.organizations.create(body, watch, context.organizationId);
    return { ...toOrganizationResponse(row), identitySecret };
  }

  @Get()
  @RequireAdminToken()
  @Describes('listOrganizations', 200, OrganizationsResponse, {
    summary: 'List the organizations',
    description: 'Needs `ADMIN_TOKEN`.',
    problems: ['validation_failed'],
  })
  async list(@Query() query: PageQuery) {
    const { items, nextCursor } = await this.organizations.list(query, toOrganizationResponse);
    return { organizations: items, nextCursor };
  }

  @Get(':organizationId')
  @Describes('getOrganization', 200, OrganizationResponse, {
    summary: 'Get an organization',
    description: "`ETag` is the organization's version, for `If-Match`.",
    isVersioned: true,
  })
  async get(@Id('organizationId') id: string) {
    return toOrganizationResponse(await this.organizations.get(id));
  }

  @Patch(':organizationId')
  @Describes('updateOrganization', 200, OrganizationResponse, {
    summary: 'Change an organization',
    description: 'Omitted fields stay as they are. Null removes the retention period.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
  })
  @ApiParam({ name: 'organizationId', type: String })
  async update(
    @AdminContext() context: RequestContext,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateOrganizationDto,
  ) {
    const watch = this.audit.hooks(context, ORGANIZATION, precondition);
    return toOrganizationResponse(await this.organizations.update(context.organizationId, body, watch));
  }

  @Delete(':organizationId')
  @RequireAdminToken()
  @HttpCode(204)
  @Describes('deleteOrganization', 204, null, {
    summary: 'Delete an organization',
    description: 'Needs `ADMIN_TOKEN`. Everything in it is deleted; this cannot be undone.',
  })
  delete(@Id('organizationId') id: string): Promise<void> {
    return this.organizations.delete(id);
  }
}
