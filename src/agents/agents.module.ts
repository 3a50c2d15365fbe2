import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentConnection } from './agent-connection.entity.js';
import { AgentGroup } from './agent-group.entity.js';
import { Agent } from './agent.entity.js';
import { CannedReply } from './canned-reply.entity.js';
import { AgentsService } from './agents.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Agent, AgentConnection, AgentGroup, CannedReply])],
  providers: [AgentsService],
  exports: [AgentsService],
})
export class AgentsModule {}
