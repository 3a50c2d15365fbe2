import { Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { CurrentAgent, RequireRole } from '../../auth/agents/agent.guard.js';
import { ReportsService } from '../../inbox/reports/reports.service.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { streamResponse } from '../../platform/http/responses/stream-response.js';
import { AgentApi } from './agent-api.decorator.js';
import { chatsCsv } from './chats-csv.js';
import {
  AgentReportQuery,
  AgentReportResponse,
  ChatExportQuery,
  RatingReportQuery,
  RatingReportResponse,
  ReportQuery,
  ReportResponse,
  toAskedRange,
} from './reports.dto.js';

/** Reports (CONTRACT: Agent API). */
@AgentApi('/reports', 'Reports')
@RequireRole('SUPERVISOR')
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getReport',
    summary: 'Get a report by day',
    description: 'Counts and medians for each day. Needs `SUPERVISOR`.',
  })
  @ApiOkResponse({ type: ReportResponse })
  @ApiProblems('validation_failed', 'not_found', 'not_ready')
  get(@CurrentAgent() { organizationId }: AgentIdentity, @Query() query: ReportQuery): Promise<ReportResponse> {
    return this.reports.get(organizationId, toAskedRange(query));
  }

  @Get('agents')
  @ApiOperation({
    operationId: 'getAgentReport',
    summary: 'Get a report by agent',
    description: 'Counts and medians for each agent, by id. Removed agents are not listed. Needs `SUPERVISOR`.',
  })
  @ApiOkResponse({ type: AgentReportResponse })
  @ApiProblems('validation_failed', 'not_found', 'not_ready')
  async agents(
    @CurrentAgent() { organizationId }: AgentIdentity,
    @Query() { cursor, ...query }: AgentReportQuery,
  ): Promise<AgentReportResponse> {
    const { items, ...rest } = await this.reports.listAgents(organizationId, { ...toAskedRange(query), after: cursor });
    return { agents: items, ...rest };
  }

  @Get('ratings')
  @ApiOperation({
    operationId: 'listRatings',
    summary: 'List the ratings of visitors',
    description: 'Newest first. With filters, a page may have fewer ratings than `limit`. Needs `SUPERVISOR`.',
  })
  @ApiOkResponse({ type: RatingReportResponse })
  @ApiProblems('validation_failed', 'not_found', 'not_ready')
  async ratings(
    @CurrentAgent() { organizationId }: AgentIdentity,
    @Query() { cursor, comment, ...query }: RatingReportQuery,
  ): Promise<RatingReportResponse> {
    const filter = { ...toAskedRange(query), before: cursor, hasComment: comment === 'true' };
    const { items, ...rest } = await this.reports.listRatings(organizationId, filter);
    return { ratings: items, ...rest };
  }

  @Get('chats/export')
  @ApiOperation({
    operationId: 'exportChats',
    summary: 'Export chats as CSV',
    description:
      'One line for each chat that began in the range, oldest first. Needs `SUPERVISOR`. The export is recorded in the audit log.',
  })
  @ApiOkResponse({ content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiProblems('validation_failed', 'not_found', 'not_ready')
  async export(
    @Context() context: RequestContext,
    @Query() query: ChatExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { organizationId } = context;
    const csv = await chatsCsv(this.reports.exportChats(organizationId, toAskedRange(query)), query.bom === 'true');
    const changes = [
      { field: 'from', from: null, to: query.from },
      { field: 'to', from: null, to: query.to },
    ];
    await this.audit.record(context, { action: 'chats.exported', target: organizationId, changes });
    response.setHeader('Content-Disposition', `attachment; filename="chats-${query.from}-${query.to}.csv"`);
    await streamResponse(response, csv, 'text/csv; charset=utf-8');
  }
}
