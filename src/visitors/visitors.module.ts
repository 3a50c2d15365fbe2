import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ConnectionLimits } from './connection-limits.js';
import { EndedTokensService } from './ended-tokens.service.js';
import { LiveFeed } from './live-feed.js';
import { LiveMetrics } from './live-metrics.js';
import { LiveUpdates } from './live-updates.js';
import { SeqHints } from './seq-hints.js';
import { SessionExpiry } from './session-expiry.js';
import { SessionSweep } from './session-sweep.js';
import { SessionGuard } from './session.guard.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { StorageQuota } from './storage-quota.js';
import { Timings } from './timings.js';
import { Typing } from './typing.js';
import { VisitorAuthService } from './visitor-auth.service.js';
import { VisitorChatsController } from './visitor-chats.controller.js';
import { VisitorChatsService } from './visitor-chats.service.js';
import { VisitorMergeService } from './visitor-merge.service.js';
import { SessionRateGuard, VisitorLimits } from './visitor-limits.js';
import { VisitorGuard } from './visitor.guard.js';
import { VisitorsGateway } from './visitors.gateway.js';
import { VisitorTurns } from './visitor-turns.js';
import { VisitorsListener } from './visitors.listener.js';

@Module({
  imports: [ChatsModule, MessagesModule, OrganizationsModule],
  controllers: [SessionsController, VisitorChatsController],
  providers: [
    ConnectionLimits,
    EndedTokensService,
    LiveFeed,
    LiveMetrics,
    LiveUpdates,
    SeqHints,
    SessionExpiry,
    SessionGuard,
    SessionRateGuard,
    SessionsService,
    SessionSweep,
    StorageQuota,
    Timings,
    Typing,
    VisitorAuthService,
    VisitorChatsService,
    VisitorGuard,
    VisitorLimits,
    VisitorMergeService,
    VisitorTurns,
    VisitorsGateway,
    VisitorsListener,
  ],
})
export class VisitorsModule {}
