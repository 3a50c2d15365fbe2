import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { Acks } from './acks.js';
import { PollService } from './poll.service.js';
import { PullListener } from './pull.listener.js';
import { PullMetrics } from './pull-metrics.js';
import { Subscription } from './subscription.entity.js';
import { SubscriptionAnswer } from './subscription-answer.entity.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { SubscriptionUpkeep } from './upkeep.js';
import { WaitingCalls } from './waiting-calls.js';

@Module({
  imports: [TypeOrmModule.forFeature([Subscription, SubscriptionAnswer]), OrganizationsModule],
  providers: [Acks, PollService, PullListener, PullMetrics, SubscriptionsService, SubscriptionUpkeep, WaitingCalls],
  exports: [PollService, SubscriptionsService],
})
export class PullModule {}
