import { Injectable } from '@nestjs/common';
import type { DeliveriesQueued } from '../outbox/outbox.events.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import '../bots/bots.events.js';
import '../organizations/organizations.events.js';
import { DeliveryRetention } from './delivery-retention.js';
import { WebhookDispatcher } from './dispatcher.js';
import './webhooks.events.js';

/** Wakes the dispatcher and the retention. A lost wake-up delays a delivery but never loses it. */
@Injectable()
export class WebhooksListener {
  constructor(
    private readonly dispatcher: WebhookDispatcher,
    private readonly retention: DeliveryRetention,
  ) {}

  @OnDomainEvent('deliveries.queued')
  onDeliveriesQueued({ lanes }: DeliveriesQueued): void {
    this.dispatcher.wake(lanes.filter(({ kind }) => kind === 'WEBHOOK'));
  }

  @OnDomainEvent('webhook.deleted')
  async onWebhookDeleted(): Promise<void> {
    await this.retention.run();
  }

  @OnDomainEvent('bot.deleted')
  async onBotDeleted(): Promise<void> {
    await this.retention.run();
  }

  @OnDomainEvent('organization.deleted')
  async onOrganizationDeleted(): Promise<void> {
    await this.retention.run();
  }
}
