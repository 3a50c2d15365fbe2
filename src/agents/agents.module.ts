import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentConnection } from './agent-connection.entity.js';
import { AgentGroup } from './agent-group.entity.js';
import { Agent } from './agent.entity.js';
import { CannedReply } from './canned-reply.entity.js';
import { CannedRepliesService } from './canned-replies.service.js';
import { AgentsService } from './agents.service.js';
import { SavedView } from './saved-view.entity.js';
import { SavedViewsService } from './saved-views.service.js';
import { PresenceService } from './presence.service.js';
import { PresenceSweep } from './presence-sweep.js';

@Module({
  imports: [TypeOrmModule.forFeature([Agent, AgentConnection, AgentGroup, CannedReply, SavedView])],
  providers: [AgentsService, CannedRepliesService, PresenceService, PresenceSweep, SavedViewsService],
  exports: [AgentsService, CannedRepliesService, PresenceService, SavedViewsService],
})
export class AgentsModule {}
