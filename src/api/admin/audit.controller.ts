import { Get, Query } from '@nestjs/common';
import { AuditService } from '../../auth/audit.service.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { AuditResponse } from './audit.dto.js';
import { AdminApi, Describes } from './admin-api.decorator.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/audit', 'Audit')
export class AuditAdminController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Describes('listAudit', 200, AuditResponse, {
    summary: 'List who did what, the latest first',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.audit.list(organizationId, query);
    return { entries: items, nextCursor };
  }
}
