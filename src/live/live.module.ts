import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ConnectionLimits } from './connection-limits.js';
import { VisitorFeed } from './visitor-feed.js';
import { LiveMetrics } from './live-metrics.js';
import { LiveUpdates } from './live-updates.js';
import { LiveListener } from './live.listener.js';
import { QueuePositions } from './queue-positions.js';
import { SeqHints } from './seq-hints.js';
import { SessionExpiry } from './session-expiry.js';
import { SessionSweep } from './session-sweep.js';
import { Timings } from './timings.js';
import { VisitorUpdates } from './visitor-updates.js';
import { Typing } from './typing.js';

@Module({
  imports: [ChatsModule, MessagesModule],
  providers: [
    ConnectionLimits,
    VisitorFeed,
    LiveListener,
    LiveMetrics,
    LiveUpdates,
    QueuePositions,
    SeqHints,
    SessionExpiry,
    SessionSweep,
    Timings,
    Typing,
    VisitorUpdates,
  ],
  exports: [VisitorFeed, LiveMetrics, QueuePositions, SeqHints, Typing],
})
export class LiveModule {}
