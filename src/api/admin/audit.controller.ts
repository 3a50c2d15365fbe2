import { Get, Query } from '@nestjs/common';
import { AuditService } from '../../auth/audit.service.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { AdminApi } from './admin-api.decorator.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/audit')
export class AuditAdminController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.audit.list(organizationId, query);
    return { entries: items, nextCursor };
  }
}
