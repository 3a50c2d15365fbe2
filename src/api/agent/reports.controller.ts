import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent, RequireRole } from '../../auth/agents/agent.guard.js';
import { ReportsService } from '../../inbox/reports/reports.service.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { AgentApi } from './agent-api.decorator.js';
import { ReportQuery, ReportResponse } from './reports.dto.js';

/** Daily reports (CONTRACT section 10). */
@AgentApi('/reports', 'Reports')
@RequireRole('SUPERVISOR')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get()
  @ApiOperation({
    operationId: 'getReport',
    summary: 'Get a report by day',
    description: 'Counts and medians for each day. Needs `SUPERVISOR`.',
  })
  @ApiOkResponse({ type: ReportResponse })
  @ApiProblems('validation_failed', 'not_found')
  get(@CurrentAgent() { organizationId }: AgentIdentity, @Query() query: ReportQuery): Promise<ReportResponse> {
    return this.reports.get(organizationId, query);
  }
}
