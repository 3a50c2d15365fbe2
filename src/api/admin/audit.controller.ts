import { Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import { auditCsv } from './audit-csv.js';
import { AuditExportQuery, AuditQuery, AuditResponse, toAuditFilter } from './audit.dto.js';
import { streamResponse } from '../../platform/http/responses/stream-response.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import { AdminApi } from './admin-api.decorator.js';
import { Describes } from '../describes.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/audit', 'Audit log')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Describes('listAudit', 200, AuditResponse, {
    summary: 'List who changed what',
    description: 'Newest first. Entries are kept for 180 days.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Query() { limit, cursor, ...query }: AuditQuery) {
    const { items, nextCursor } = await this.audit.list(organizationId, { limit, cursor, ...toAuditFilter(query) });
    return { entries: items, nextCursor };
  }

  /** The latest 100,000 entries at most: `from` and `to` choose others. */
  @Get('export')
  @ApiOperation({
    operationId: 'exportAudit',
    summary: 'Export the audit log as CSV',
    description:
      'One line per changed field, newest first. At most 100,000 entries: select others with `from` and `to`.',
  })
  @ApiOkResponse({ content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiProblems('validation_failed', 'not_found')
  async export(@AdminContext() context: RequestContext, @Query() query: AuditExportQuery, @Res() response: Response) {
    const pages = this.audit.pages(context.organizationId, toAuditFilter(query));
    const csv = await auditCsv(pages, query.bom === 'true');
    await this.audit.record(context, { action: 'audit.exported', target: context.organizationId });
    response.setHeader('Content-Disposition', 'attachment; filename="audit.csv"');
    await streamResponse(response, csv, 'text/csv; charset=utf-8');
  }
}
