import { Get, Query } from '@nestjs/common';
import { RequireAdminToken } from '../../auth/agents/admin.guard.js';
import { InstallationAudit } from '../../auth/audit/installation-audit.js';
import { Describes } from '../describes.js';
import { InstallationApi } from './admin-api.decorator.js';
import { InstallationAuditQuery, InstallationAuditResponse, toInstallationEntry } from './installation.dto.js';

@InstallationApi('installation', 'Installation')
export class InstallationController {
  constructor(private readonly audit: InstallationAudit) {}

  @Get('audit')
  @RequireAdminToken()
  @Describes('listInstallationAudit', 200, InstallationAuditResponse, {
    summary: 'List what happened to organizations and operators',
    description:
      'Needs `ADMIN_TOKEN`. Newest first. Entries are kept for three years, even when the organization was removed.',
    problems: ['validation_failed'],
  })
  async listAudit(@Query() query: InstallationAuditQuery) {
    const { items, nextCursor } = await this.audit.list(query, toInstallationEntry);
    return { entries: items, nextCursor };
  }
}
