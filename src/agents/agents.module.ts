import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentGroup } from './agent-group.entity.js';
import { Agent } from './agent.entity.js';
import { AgentsService } from './agents.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Agent, AgentGroup])],
  providers: [AgentsService],
  exports: [AgentsService],
})
export class AgentsModule {}
