import { Injectable } from '@nestjs/common';
import type { DeliveriesQueued } from '../receivers/deliveries.events.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import '../bots/bots.events.js';
import type { OrganizationDeleted } from '../organizations/organizations.events.js';
import { ALL_NODES, OtherNodes } from '../platform/cluster/other-nodes.js';
import { DeliveryRetention } from './delivery-retention.js';
import { WebhookDispatcher } from './dispatcher.js';
import './webhooks.events.js';

declare module '../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** The organization was deleted, so its webhooks get no further event. */
    'webhooks.stopped': { organizationId: string };
  }
}

/** Wakes the dispatcher and the retention. A lost wake-up delays a delivery but never loses it. */
@Injectable()
export class WebhooksListener {
  constructor(
    private readonly dispatcher: WebhookDispatcher,
    private readonly retention: DeliveryRetention,
    private readonly nodes: OtherNodes,
  ) {
    nodes.on('webhooks.stopped', ({ organizationId }) => dispatcher.stop(organizationId));
  }

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
  onOrganizationDeleted({ organizationId }: OrganizationDeleted): void {
    this.dispatcher.stop(organizationId);
    this.nodes.publish(ALL_NODES, 'webhooks.stopped', { organizationId });
  }

  @OnDomainEvent('organization.removalBegan')
  async onOrganizationRemovalBegan(): Promise<void> {
    await this.retention.run();
  }
}
