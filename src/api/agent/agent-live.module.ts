import { Module } from '@nestjs/common';
import { AgentsModule } from '../../agents/agents.module.js';
import { InboxModule } from '../../inbox/inbox.module.js';
import { LiveModule } from '../../live/live.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { AgentSocketsService } from './agent-sockets.service.js';
import { AgentsGateway } from './agents.gateway.js';
import { PresenceController } from './presence.controller.js';

/** Agents' sockets and presence (CONTRACT: Presence and CONTRACT: Agent API). */
@Module({
  imports: [AgentsModule, InboxModule, LiveModule, MailModule, MessagesModule],
  controllers: [PresenceController],
  providers: [AgentSocketsService, AgentsGateway],
})
export class AgentLiveModule {}
