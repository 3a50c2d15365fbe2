import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { InboxModule } from '../inbox/inbox.module.js';
import { OutboundAgent } from '../platform/outbound/outbound-agent.js';
import { PushMetrics } from './push-metrics.js';
import { PushNotification } from './push-notification.entity.js';
import { PushOutbox } from './push-outbox.service.js';
import { PushRecipients } from './push-recipients.js';
import { PushSender } from './push-sender.js';
import { PushSubscription } from './push-subscription.entity.js';
import { PushListener } from './push.listener.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { VapidKey } from './vapid-key.entity.js';
import { VapidKeys } from './vapid-keys.service.js';

/** Push notifications to agents (CONTRACT: Push). */
@Module({
  imports: [AuthModule, InboxModule, TypeOrmModule.forFeature([PushNotification, PushSubscription, VapidKey])],
  providers: [
    OutboundAgent,
    PushListener,
    PushMetrics,
    PushOutbox,
    PushRecipients,
    PushSender,
    SubscriptionsService,
    VapidKeys,
  ],
  exports: [SubscriptionsService],
})
export class PushModule {}
