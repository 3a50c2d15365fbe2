import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatOffer } from './chat-offer.entity.js';
import { ChatRead } from './chat-read.entity.js';
import { Chat } from './chat.entity.js';
import { Handoff } from './handoff.entity.js';
import { RatingRow } from './rating.entity.js';
import { AgentsModule } from '../agents/agents.module.js';
import { GroupsModule } from '../groups/groups.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ChatOffers } from './chat-offers.service.js';
import { ChatReleaseService } from './chat-release.service.js';
import { ChatTransitions } from './chat-transitions.service.js';
import { RemovalService } from './removal.service.js';
import { ChatsService } from './chats.service.js';
import { RatingsService } from './ratings.service.js';
import { ReadsService } from './reads.service.js';
import { SignalsService } from './signals.service.js';
import { TypedChatsService } from './typed-chats.service.js';
import { VisitorMergeService } from './visitor-merge.service.js';

@Module({
  imports: [
    AgentsModule,
    GroupsModule,
    OrganizationsModule,
    TypeOrmModule.forFeature([Chat, ChatOffer, ChatRead, Handoff, RatingRow]),
  ],
  providers: [
    ChatOffers,
    ChatReleaseService,
    ChatsService,
    ChatTransitions,
    RatingsService,
    ReadsService,
    RemovalService,
    SignalsService,
    TypedChatsService,
    VisitorMergeService,
  ],
  exports: [
    ChatOffers,
    ChatReleaseService,
    ChatsService,
    ChatTransitions,
    RatingsService,
    ReadsService,
    RemovalService,
    SignalsService,
    TypedChatsService,
    VisitorMergeService,
  ],
})
export class ChatsModule {}
