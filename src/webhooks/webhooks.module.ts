import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { OutboundAgent } from '../platform/outbound/outbound-agent.js';
import { Attempt } from './attempt.entity.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryRetention } from './delivery-retention.js';
import { Delivery } from '../receivers/delivery.entity.js';
import { Receiver } from '../receivers/receiver.entity.js';
import { WebhookDispatcher } from './dispatcher.js';
import { WebhookSender } from './sender.js';
import { WebhookLane } from './webhook-lane.entity.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksListener } from './webhooks.listener.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Receiver, Webhook, WebhookLane, Delivery, Attempt]), OrganizationsModule],
  providers: [
    DeliveriesService,
    DeliveryRetention,
    OutboundAgent,
    WebhookDispatcher,
    WebhookMetrics,
    WebhookSecrets,
    WebhookSender,
    WebhooksListener,
    WebhooksService,
  ],
  exports: [DeliveriesService, WebhooksService],
})
export class WebhooksModule {}
