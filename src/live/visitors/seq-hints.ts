import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { MessagesService } from '../../messages/messages.service.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { POOL } from '../../platform/database/pool.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { MissedMessages } from '../feeds/missed-messages.js';
import { Timings } from '../feeds/timings.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';

/** Finds what the sockets of visitors missed. */
@Injectable()
export class SeqHints extends MissedMessages {
  constructor(
    @Inject(POOL) pool: Pool,
    feed: VisitorFeed,
    messages: MessagesService,
    nodes: OtherNodes,
    timings: Timings,
    metrics: LiveMetrics,
  ) {
    super(pool, feed, messages, nodes, timings, metrics);
  }
}
