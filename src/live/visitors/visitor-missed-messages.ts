import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { MessagesService } from '../../messages/messages.service.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { POOL } from '../../platform/database/pool.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { MissedMessages } from '../feeds/missed-messages.js';
import { Timings } from '../feeds/timings.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';

/** Finds the messages that visitors' sockets missed. */
@Injectable()
export class VisitorMissedMessages extends MissedMessages {
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
