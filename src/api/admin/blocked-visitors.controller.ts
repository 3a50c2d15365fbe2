import { Delete, Get, HttpCode, Query } from '@nestjs/common';
import { DailyReads } from '../../auth/audit/daily-reads.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { VisitorBlocksService } from '../../inbox/views/visitor-blocks.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { BlockedVisitorsResponse, toBlockedVisitor } from './visitors.dto.js';

/** Visitors whom agents have blocked (CONTRACT: Blocked visitors). */
@AdminApi('/:organizationId/blocked-visitors', 'Visitors')
export class BlockedVisitorsController {
  constructor(
    private readonly blocks: VisitorBlocksService,
    private readonly reads: DailyReads,
  ) {}

  @Get()
  @Describes('listBlockedVisitors', 200, BlockedVisitorsResponse, {
    summary: 'List the blocked visitors',
    description: 'With the reasons, which only agents see. Blocks that have ended are left out.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@AdminContext() context: RequestContext, @Query() query: PageQuery): Promise<BlockedVisitorsResponse> {
    await this.reads.record(context, 'visitors.listed');
    const { items, nextCursor } = await this.blocks.list(context.organizationId, query, toBlockedVisitor);
    return { visitors: items, nextCursor };
  }

  @Delete(':visitorId')
  @HttpCode(204)
  @Describes('unblockVisitor', 204, null, {
    summary: 'Unblock a visitor',
    description: 'Repeating it changes nothing.',
    problems: ['not_found'],
  })
  unblock(@AdminContext() context: RequestContext, @Id('visitorId') visitorId: string): Promise<void> {
    return this.blocks.unblockVisitor(context, visitorId);
  }
}
