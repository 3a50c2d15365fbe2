import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ConnectionLimits } from './connection-limits.js';
import { LiveFeed } from './live-feed.js';
import { LiveMetrics } from './live-metrics.js';
import { LiveUpdates } from './live-updates.js';
import { LiveListener } from './live.listener.js';
import { SeqHints } from './seq-hints.js';
import { SessionExpiry } from './session-expiry.js';
import { SessionSweep } from './session-sweep.js';
import { Timings } from './timings.js';
import { Typing } from './typing.js';

@Module({
  imports: [ChatsModule, MessagesModule],
  providers: [
    ConnectionLimits,
    LiveFeed,
    LiveListener,
    LiveMetrics,
    LiveUpdates,
    SeqHints,
    SessionExpiry,
    SessionSweep,
    Timings,
    Typing,
  ],
  exports: [LiveFeed, LiveMetrics, SeqHints, Typing],
})
export class LiveModule {}
