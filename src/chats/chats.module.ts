import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BotState } from './model/bot-state.entity.js';
import { ChatOffer } from './model/chat-offer.entity.js';
import { ChatRead } from './model/chat-read.entity.js';
import { Chat } from './model/chat.entity.js';
import { Handoff } from './model/handoff.entity.js';
import { MessageRatingRow } from './model/message-rating-row.entity.js';
import { PersonRequest } from './model/person-request.entity.js';
import { RatingRow } from './model/rating-row.entity.js';
import { AgentsModule } from '../agents/agents.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ChatOffers } from './moves/chat-offers.service.js';
import { ChatReleaseService } from './moves/chat-release.service.js';
import { ChatSnoozes } from './moves/chat-snoozes.service.js';
import { ChatTitlesService } from './moves/chat-titles.service.js';
import { ChatTransitions } from './moves/chat-transitions.service.js';
import { RemovalService } from './moves/removal.service.js';
import { BotStatesService } from './reading/bot-states.service.js';
import { ChatsService } from './reading/chats.service.js';
import { MessageRatingsService } from './moves/message-ratings.service.js';
import { RatingsService } from './moves/ratings.service.js';
import { ReadsService } from './reading/reads.service.js';
import { VisitorMergeService } from './moves/visitor-merge.service.js';

const SERVICES = [
  BotStatesService,
  ChatOffers,
  ChatReleaseService,
  ChatSnoozes,
  ChatsService,
  ChatTitlesService,
  ChatTransitions,
  MessageRatingsService,
  RatingsService,
  ReadsService,
  RemovalService,
  VisitorMergeService,
];

@Module({
  imports: [
    AgentsModule,
    GroupsModule,
    OrganizationsModule,
    TypeOrmModule.forFeature([
      BotState,
      Chat,
      ChatOffer,
      ChatRead,
      Handoff,
      MessageRatingRow,
      PersonRequest,
      RatingRow,
    ]),
  ],
  providers: SERVICES,
  exports: SERVICES,
})
export class ChatsModule {}
