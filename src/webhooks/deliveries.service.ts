import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { laneOf } from '../receivers/lane.js';
import { type Page, toPage } from '../platform/validation/paging.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { POOL } from '../platform/database/pool.js';
import {
  type DeliveryFilter,
  type DeliveryRow,
  findDelivery,
  listDeliveries,
  redeliver,
  redeliverDead,
} from './deliveries.queries.js';
import { WebhookDispatcher } from './dispatcher.js';
import { WebhooksService } from './webhooks.service.js';

/** The most deliveries that one statement queues again. */
const BATCH = 1_000;

/** Lists the deliveries of a webhook, and sends them again. */
@Injectable()
export class DeliveriesService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly webhooks: WebhooksService,
    private readonly dispatcher: WebhookDispatcher,
  ) {}

  /** Lists the newest first. @throws Problem not_found for the webhook */
  async list<T>(
    organizationId: string,
    webhookId: string,
    filter: DeliveryFilter,
    map: (row: DeliveryRow) => T,
  ): Promise<Page<T>> {
    await this.webhooks.get(organizationId, webhookId);
    const rows = await listDeliveries(this.pool, organizationId, webhookId, { ...filter, limit: filter.limit + 1 });
    return toPage(rows, filter.limit, map);
  }

  async get(organizationId: string, webhookId: string, id: string) {
    return (await findDelivery(this.pool, organizationId, webhookId, id)) ?? notFound('Delivery');
  }

  /** Sends a dead or delivered delivery again, with the same body and id. @throws Problem not_found; conflict */
  async redeliver(organizationId: string, webhookId: string, id: string): Promise<void> {
    await this.checkEnabled(organizationId, webhookId);
    if (await redeliver(this.pool, organizationId, webhookId, id)) return this.wake(organizationId, webhookId);
    const { status } = await this.get(organizationId, webhookId, id);
    throw new Problem('conflict', `The delivery is ${status}; only delivered and dead deliveries can be redelivered`);
  }

  /** Sends all dead deliveries since a time again. Returns how many. @throws Problem not_found; conflict */
  async redeliverDead(organizationId: string, webhookId: string, since: Date): Promise<number> {
    await this.checkEnabled(organizationId, webhookId);
    let total = 0;
    for (let count = BATCH; count === BATCH; total += count) {
      count = await redeliverDead(this.pool, organizationId, webhookId, since, BATCH);
    }
    this.wake(organizationId, webhookId);
    return total;
  }

  private async checkEnabled(organizationId: string, webhookId: string): Promise<void> {
    const { isEnabled } = await this.webhooks.get(organizationId, webhookId);
    if (!isEnabled) throw new Problem('conflict', 'The webhook is disabled; enable it first');
  }

  private wake(organizationId: string, webhookId: string): void {
    this.dispatcher.wake([laneOf(organizationId, webhookId)]);
  }
}
