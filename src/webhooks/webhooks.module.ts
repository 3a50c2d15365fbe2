import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AddressGuard } from './address-guard.js';
import { DeliveriesAdminController } from './deliveries.admin.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryRetention } from './delivery-retention.js';
import { WebhookDispatcher } from './dispatcher.js';
import { WebhookSender } from './sender.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksAdminController } from './webhooks.admin.controller.js';
import { WebhooksListener } from './webhooks.listener.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), OrganizationsModule],
  controllers: [WebhooksAdminController, DeliveriesAdminController],
  providers: [
    AddressGuard,
    DeliveriesService,
    DeliveryRetention,
    WebhookDispatcher,
    WebhookMetrics,
    WebhookSecrets,
    WebhookSender,
    WebhooksListener,
    WebhooksService,
  ],
})
export class WebhooksModule {}
