import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { RequireAdminToken } from '../../auth/agents/admin.guard.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { WITH_PICTURE } from '../picture-url.js';
import { PicturesService } from '../../pictures/pictures.service.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { IfMatch } from '../versioned.js';
import { AdminContext, AnyOrganizationContext, NewOrganizationContext } from './admin-context.decorator.js';
import { ORGANIZATION } from './audit-subjects.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import {
  CreateOrganizationDto,
  DeleteOrganizationQuery,
  IdentitySecretResponse,
  NewOrganizationResponse,
  OrganizationResponse,
  OrganizationsQuery,
  OrganizationsResponse,
  toListedOrganization,
  toOrganizationResponse,
  UpdateOrganizationDto,
} from './organizations.dto.js';
import type { Organization } from '../../organizations/organization.entity.js';
import { OrganizationDeletion } from '../../organizations/organization-deletion.service.js';
import { recordAll } from '../../platform/database/change-hooks.js';
import { InstallationAudit } from '../../auth/audit/installation-audit.js';
import { IdentitySecretsService, type RotatedIdentitySecret } from '../../organizations/identity-secrets.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { SimpleBots } from './simple-bots.service.js';

const removalOf = ({ removeAt }: Organization) => ({ removeAt: removeAt!.toISOString() });

@AdminApi('', 'Organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly deletion: OrganizationDeletion,
    private readonly installation: InstallationAudit,
    private readonly identitySecrets: IdentitySecretsService,
    private readonly audit: AuditService,
    private readonly simpleBots: SimpleBots,
    private readonly pictures: PicturesService,
  ) {}

  @Post()
  @RequireAdminToken()
  @Describes('createOrganization', 201, NewOrganizationResponse, {
    summary: 'Create an organization',
    description: 'Needs `ADMIN_TOKEN`. The identity secret is returned only this once.',
    problems: BODY,
    isVersioned: true,
  })
  async create(
    @NewOrganizationContext() context: RequestContext,
    @Body() { simpleBot, ...body }: CreateOrganizationDto,
  ) {
    const watch = recordAll(
      this.installation.hooks<Organization>(context, 'organization.created'),
      this.audit.hooks(context, ORGANIZATION),
      ...(simpleBot ? [this.simpleBots.hooks(context)] : []),
    );
    const { row, identitySecret } = await this.organizations.create(body, watch, context.organizationId);
    return { ...toOrganizationResponse(row), identitySecret };
  }

  @Get()
  @RequireAdminToken()
  @Describes('listOrganizations', 200, OrganizationsResponse, {
    summary: 'List the organizations',
    description: 'Needs `ADMIN_TOKEN`. With `deleted=true`, the deleted ones that still have data.',
    problems: ['validation_failed'],
  })
  async list(@Query() { deleted, ...query }: OrganizationsQuery) {
    const source = deleted === 'true' ? this.deletion : this.organizations;
    const { items, nextCursor } = await source.list(query, toListedOrganization);
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
  @RouteLimits(WITH_PICTURE)
  @Describes('updateOrganization', 200, OrganizationResponse, {
    summary: 'Change an organization',
    description: 'Omitted fields stay as they are. Null removes the retention period.',
    problems: [...BODY, 'not_found', 'quota_exceeded'],
    isVersioned: true,
  })
  @ApiParam({ name: 'organizationId', type: String })
  async update(
    @AdminContext() context: RequestContext,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateOrganizationDto,
  ) {
    const watch = this.audit.hooks(context, ORGANIZATION, precondition);
    const { organizationId } = context;
    const picture = { choice: body.mail?.logoUrl, pointer: '/mail/logoUrl' };
    return this.pictures.change(organizationId, picture, async (logoUrl) => {
      const change = { ...body, mail: body.mail && { ...body.mail, logoUrl } };
      return toOrganizationResponse(await this.organizations.update(organizationId, change, watch));
    });
  }

  @Post(':organizationId/rotate-identity-secret')
  @HttpCode(200)
  @Describes('rotateIdentitySecret', 200, IdentitySecretResponse, {
    summary: 'Rotate the identity secret of an organization',
    description: 'Identities that the old secret signs are valid for 24 more hours.',
    problems: [...BODY, 'not_found'],
  })
  @ApiParam({ name: 'organizationId', type: String })
  rotateIdentitySecret(@AdminContext() context: RequestContext): Promise<RotatedIdentitySecret> {
    return this.identitySecrets.rotate(context.organizationId, (tx, { id, name }) =>
      this.audit.record(context, { action: 'organization.identity_secret_rotated', target: id, targetName: name }, tx),
    );
  }

  @Delete(':organizationId')
  @RequireAdminToken()
  @HttpCode(204)
  @Describes('deleteOrganization', 204, null, {
    summary: 'Delete an organization',
    description:
      'Needs `ADMIN_TOKEN`. It stops immediately, and can be restored for `DELETED_ORGANIZATION_DAYS`. Then everything in it is removed.',
    problems: ['validation_failed', 'not_found'],
  })
  @ApiParam({ name: 'organizationId', type: String })
  delete(@AnyOrganizationContext() context: RequestContext, @Query() { now }: DeleteOrganizationQuery): Promise<void> {
    const hooks = recordAll(
      this.installation.hooks(context, 'organization.deleted', removalOf),
      this.audit.hooksOf<Organization>(context, 'organization.deleted'),
    );
    return this.deletion.delete(context.organizationId, now === 'true', hooks);
  }

  @Post(':organizationId/restore')
  @RequireAdminToken()
  @HttpCode(200)
  @Describes('restoreOrganization', 200, OrganizationResponse, {
    summary: 'Restore a deleted organization',
    description:
      'Needs `ADMIN_TOKEN`. Everything in it works again, with the same tokens. 409 once its removal has begun.',
    problems: ['not_found', 'conflict'],
    isVersioned: true,
  })
  @ApiParam({ name: 'organizationId', type: String })
  async restore(@AnyOrganizationContext() context: RequestContext) {
    const hooks = recordAll(
      this.installation.hooks<Organization>(context, 'organization.restored'),
      this.audit.hooksOf<Organization>(context, 'organization.restored'),
    );
    return toOrganizationResponse(await this.deletion.restore(context.organizationId, hooks));
  }
}
