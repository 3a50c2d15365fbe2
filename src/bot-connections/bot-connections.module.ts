import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BotsModule } from '../bots/bots.module.js';
import { ChatsModule } from '../chats/chats.module.js';
import { FilesModule } from '../files/files.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { HandoffModule } from '../handoff/handoff.module.js';
import { LiveModule } from '../live/live.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { VisitorsModule } from '../visitors/visitors.module.js';
import { OutboundAgent } from '../platform/outbound/outbound-agent.js';
import { ConnectionSecretsBox } from './connections/connection-secrets.js';
import { ConnectionsService } from './connections/connections.service.js';
import { RequestPreviews } from './engine/previews.service.js';
import { SecretRotation } from './connections/secret-rotation.service.js';
import { TurnsService } from './connections/turns.service.js';
import { ConnectionTests } from './engine/connection-tests.service.js';
import { ConversationLoader } from './engine/conversation-loader.js';
import { TurnEngine } from './engine/engine.service.js';
import { TurnIntake } from './engine/intake.service.js';
import { ReplyStorage } from './endings/reply-storage.js';
import { Runner } from './engine/runner.js';
import { TurnBegin } from './engine/turn-begin.js';
import { TurnEndings } from './endings/turn-endings.js';
import { TurnLocks } from './endings/turn-locks.js';
import { TurnRecords } from './endings/turn-records.js';
import { TurnMetrics } from './turns/turn-metrics.js';
import { VisitorAnswers } from './engine/visitor-answers.service.js';
import { TurnRetention } from './engine/turn-retention.js';
import { ConversationRemoval } from './forgetting/conversation-removal.entity.js';
import { ConversationRemovals } from './forgetting/conversation-removals.service.js';
import { BotConnection } from './model/bot-connection.entity.js';
import { BotRun } from './model/bot-run.entity.js';
import { BotTranscript } from './model/bot-transcript.entity.js';
import { BotUsage } from './model/bot-usage.entity.js';
import { UsageService } from './turns/usage.service.js';
import { BotTurn } from './model/bot-turn.entity.js';

/** Bots by address: Parley runs their turns, and asks an endpoint for the answers (CONTRACT: Bots by address). */
@Module({
  imports: [
    TypeOrmModule.forFeature([BotConnection, BotTurn, BotRun, BotTranscript, BotUsage, ConversationRemoval]),
    BotsModule,
    ChatsModule,
    FilesModule,
    GroupsModule,
    HandoffModule,
    LiveModule,
    MessagesModule,
    TagsModule,
    VisitorsModule,
  ],
  providers: [
    ConnectionSecretsBox,
    ConnectionsService,
    ConnectionTests,
    ConversationLoader,
    ConversationRemovals,
    OutboundAgent,
    ReplyStorage,
    RequestPreviews,
    Runner,
    SecretRotation,
    TurnBegin,
    TurnEndings,
    TurnEngine,
    TurnIntake,
    TurnLocks,
    TurnMetrics,
    TurnRecords,
    TurnRetention,
    TurnsService,
    UsageService,
    VisitorAnswers,
  ],
  exports: [
    ConnectionsService,
    ConnectionTests,
    RequestPreviews,
    SecretRotation,
    TurnsService,
    UsageService,
    VisitorAnswers,
  ],
})
export class BotConnectionsModule {}
