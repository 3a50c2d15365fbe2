import { Module } from '@nestjs/common';
import { BotsModule } from '../bots/bots.module.js';
import { ChatsModule } from '../chats/chats.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { AgentActionsService } from './agent-actions.service.js';
import { AgentLeavingService } from './agent-leaving.service.js';
import { AvailabilityService } from './availability.service.js';
import { ChatStatusService } from './chat-status.service.js';
import { HandoffMetrics } from './handoff-metrics.js';
import { HandoffTimers } from './handoff-timers.service.js';
import { RoutingService } from './routing.service.js';
import { HandoffsService } from './handoffs.service.js';
import { OfferAnswersService } from './offer-answers.service.js';
import { OffersService } from './offers.service.js';
import { PersonRequestsService } from './person-requests.service.js';
import { TransferService } from './transfer.service.js';

@Module({
  imports: [AgentsModule, BotsModule, ChatsModule, MessagesModule, OrganizationsModule],
  providers: [
    AgentActionsService,
    AgentLeavingService,
    AvailabilityService,
    ChatStatusService,
    HandoffMetrics,
    HandoffsService,
    HandoffTimers,
    OfferAnswersService,
    OffersService,
    PersonRequestsService,
    RoutingService,
    TransferService,
  ],
  exports: [
    AgentActionsService,
    AgentLeavingService,
    AvailabilityService,
    ChatStatusService,
    HandoffsService,
    OfferAnswersService,
    PersonRequestsService,
    TransferService,
  ],
})
export class HandoffModule {}
