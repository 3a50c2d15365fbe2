import { ApiAcceptedResponse, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Body, Delete, Get, Patch, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminApi } from './admin-api.decorator.js';
import { AttributesService } from '../../attributes/attributes.service.js';
import { ChangeVisitorRequest } from '../chat-changes.dto.js';
import { BODY, Describes } from '../describes.js';
import { AdminContext } from './admin-context.decorator.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import { DailyReads } from '../../auth/audit/daily-reads.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AddressStatuses } from '../../visitors/address-statuses.service.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { Organization } from './organization.pipe.js';
import { DataRemoval } from '../../privacy/data-removal.js';
import { streamResponse } from '../../platform/http/responses/stream-response.js';
import { VisitorArchive } from '../../privacy/visitor-archive.js';
import { VisitorExport } from '../../privacy/visitor-export.js';
import { toVisitorView } from '../../visitors/visitor-view.js';
import {
  toVisitorQuery,
  VisitorExportQuery,
  VisitorExportResponse,
  VisitorDetailResponse,
  VisitorsQuery,
  VisitorsResponse,
} from './visitors.dto.js';

@AdminApi('/:organizationId/visitors', 'Visitors')
export class VisitorsController {
  constructor(
    private readonly visitors: VisitorsService,
    private readonly attributes: AttributesService,
    private readonly addresses: AddressStatuses,
    private readonly exports: VisitorExport,
    private readonly archives: VisitorArchive,
    private readonly removal: DataRemoval,
    private readonly audit: AuditService,
    private readonly reads: DailyReads,
  ) {}

  @Get()
  @Describes('listVisitors', 200, VisitorsResponse, {
    summary: 'List or search visitors',
    description: '`search` and the filters cannot be combined. The audit log has one entry for each actor and day.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@AdminContext() context: RequestContext, @Query() query: VisitorsQuery) {
    await this.reads.record(context, 'visitors.listed');
    const { organizationId } = context;
    const { items, nextCursor } = await this.visitors.list(organizationId, toVisitorQuery(query), toVisitorView);
    return { visitors: await this.addresses.addTo(organizationId, items), nextCursor };
  }

  @Get(':visitorId')
  @Describes('getVisitor', 200, VisitorDetailResponse, {
    summary: 'Get a visitor',
    description: '`isVerified` says whether name and email were signed by your own server.',
  })
  async get(@Organization() organizationId: string, @Id('visitorId') id: string) {
    const visitor = toVisitorView(await this.visitors.get(organizationId, id));
    return (await this.addresses.addTo(organizationId, [visitor]))[0];
  }

  @Get(':visitorId/export')
  @Describes('exportVisitor', 200, VisitorExportResponse, {
    summary: 'Export everything stored about a visitor',
    description:
      'Streams the visitor, their chats, and all messages. With `files=true`, it is a zip with this document as `person.json`, and the ' +
      'files of all messages as `files/{id}/{name}`. The export is recorded in the audit log.',
    problems: ['validation_failed', 'not_found'],
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(VisitorExportResponse) } },
      'application/zip': { schema: { type: 'string', format: 'binary' } },
    },
  })
  async export(
    @AdminContext() context: RequestContext,
    @Id('visitorId') id: string,
    @Query() { files }: VisitorExportQuery,
    @Res() response: Response,
  ) {
    const { organizationId } = context;
    const pieces = files ? await this.archives.write(organizationId, id) : await this.exports.write(organizationId, id);
    await this.audit.record(context, { action: 'visitor.exported', target: id });
    if (files) response.attachment(`${id}.zip`);
    await streamResponse(response, pieces, files ? 'application/zip' : 'application/json');
  }

  @Patch(':visitorId')
  @Describes('changeVisitor', 200, VisitorDetailResponse, {
    summary: 'Give a visitor attributes',
    description: 'Merged by key; null removes a key. Only bots, agents, and administrators read them.',
    problems: [...BODY, 'not_found'],
  })
  async change(
    @AdminContext() context: RequestContext,
    @Id('visitorId') id: string,
    @Body() { attributes }: ChangeVisitorRequest,
  ) {
    await this.attributes.changeOfVisitor(context, id, attributes);
    return this.get(context.organizationId, id);
  }

  /** Answers 204 when nothing is left; 202 when the erasure continues in the background. */
  @Delete(':visitorId')
  @Describes('eraseVisitor', 204, null, {
    summary: 'Erase a visitor',
    description: '204 when everything is erased, 202 when erasing continues in the background.',
  })
  @ApiAcceptedResponse({ description: 'The rest is erased in the background' })
  async erase(
    @AdminContext() context: RequestContext,
    @Id('visitorId') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const isDone = await this.removal.erase(context.organizationId, id, (tx) =>
      this.audit.record(context, { action: 'visitor.erasure_began', target: id }, tx),
    );
    response.status(isDone ? 204 : 202);
  }
}
