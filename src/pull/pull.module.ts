import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AckCodec } from './ack-codec.js';
import { ActivePolls } from './active-polls.js';
import { PollService } from './poll.service.js';
import { PullListener } from './pull.listener.js';
import { PullMetrics } from './pull-metrics.js';
import { SharedAnswer } from './shared-answer.entity.js';
import { SharedChat } from './shared-chat.entity.js';
import { Subscription } from './subscription.entity.js';
import { SubscriptionAnswer } from './subscription-answer.entity.js';
import { SubscriptionCopy } from './subscription-copy.entity.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { SubscriptionUpkeep } from './subscription-upkeep.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SharedAnswer, SharedChat, Subscription, SubscriptionAnswer, SubscriptionCopy]),
    OrganizationsModule,
  ],
  providers: [AckCodec, ActivePolls, PollService, PullListener, PullMetrics, SubscriptionsService, SubscriptionUpkeep],
  exports: [PollService, SubscriptionsService],
})
export class PullModule {}
