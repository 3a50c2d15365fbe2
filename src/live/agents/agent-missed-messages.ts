import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { MessagesService } from '../../messages/messages.service.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { POOL } from '../../platform/database/pool.js';
import { AgentFeed } from '../agent-state/agent-feed.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { MissedMessages } from '../feeds/missed-messages.js';
import { Timings } from '../feeds/timings.js';

/** Finds the messages that agents' sockets missed in the chats that they have or follow. */
@Injectable()
export class AgentMissedMessages extends MissedMessages {
  constructor(
    @Inject(POOL) pool: Pool,
    feed: AgentFeed,
    messages: MessagesService,
    nodes: OtherNodes,
    timings: Timings,
    metrics: LiveMetrics,
  ) {
    super(pool, feed, messages, nodes, timings, metrics);
  }
}
