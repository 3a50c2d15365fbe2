import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { EntityManager, Repository } from 'typeorm';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { Subscription } from './subscription.entity.js';
import { DEFAULT_FILTERS, type Filters, type SubscriptionRow } from './subscription.js';
import {
  changeFilters,
  countSubscriptions,
  deleteSubscription,
  findSubscription,
  insertSubscription,
  listWaiting,
  wakeSubscription,
} from './subscriptions.queries.js';
import { BATCH, removeEvents } from './upkeep.queries.js';
import { subscriptionGone, WaitingCalls } from './waiting-calls.js';

/** The most subscriptions of an organization: each costs a row per message that it wants. */
const MAX_SUBSCRIPTIONS = 50;

/** What bots want to fetch (CONTRACT section 11); one subscription a bot. */
@Injectable()
export class SubscriptionsService {
  private readonly logger = new Logger(SubscriptionsService.name);

  constructor(
    @InjectRepository(Subscription) private readonly subscriptions: Repository<Subscription>,
    @Inject(POOL) private readonly pool: Pool,
    private readonly organizations: OrganizationsService,
    private readonly calls: WaitingCalls,
  ) {}

  /** @throws Problem not_found */
  async get(organizationId: string, botId: string): Promise<SubscriptionRow> {
    return (await findSubscription(this.subscriptions.manager, organizationId, botId)) ?? subscriptionNotFound();
  }

  /** Lists the bodies of the events that wait, oldest first, and leaves them. @throws Problem not_found */
  async listEvents(organizationId: string, botId: string, { limit, cursor }: PageQuery): Promise<Page<string>> {
    const { manager } = this.subscriptions;
    if (!(await this.subscriptions.existsBy({ organizationId, botId }))) return subscriptionNotFound();
    const rows = await listWaiting(manager, organizationId, botId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, ({ payload }) => payload);
  }

  /**
   * Makes the bot's subscription, or changes what it wants and wakes it. Every event whose request begins after this returned
   * is kept.
   * @throws Problem conflict beyond 50 subscriptions
   */
  async put(organizationId: string, botId: string, filters: Partial<Filters>): Promise<SubscriptionRow> {
    const { events, senderTypes } = filters;
    const wanted = {
      events: events ?? DEFAULT_FILTERS.events,
      senderTypes: senderTypes ?? DEFAULT_FILTERS.senderTypes,
    };
    await transaction(this.subscriptions.manager, async (tx) => {
      const id = await this.wakeOrInsert(tx, organizationId, botId, wanted);
      await changeFilters(tx, organizationId, id, wanted);
    });
    return this.get(organizationId, botId);
  }

  /** Makes the default subscription when the bot has none, and wakes one that rests. @throws Problem conflict */
  async ensure(organizationId: string, botId: string): Promise<void> {
    await transaction(this.subscriptions.manager, (tx) =>
      this.wakeOrInsert(tx, organizationId, botId, DEFAULT_FILTERS),
    );
  }

  /** Deletes the subscription with the events that wait; a call that waits for them ends. @throws Problem not_found */
  async delete(organizationId: string, botId: string): Promise<void> {
    const id = await transaction(this.subscriptions.manager, (tx) => deleteSubscription(tx, organizationId, botId));
    if (id === null) return subscriptionNotFound();
    this.calls.endOfBot({ organizationId, botId }, subscriptionGone());
    // What is left when this fails is removed with the deliveries of deleted webhooks.
    void this.removeEvents(organizationId, id).catch((err: unknown) =>
      this.logger.warn({ err }, 'the events of a deleted subscription were not removed'),
    );
  }

  /** Removes the events of a subscription that is deleted or rests. */
  async removeEvents(organizationId: string, id: string): Promise<void> {
    while ((await removeEvents(this.pool, organizationId, id)) === BATCH);
  }

  private async wakeOrInsert(tx: EntityManager, organizationId: string, botId: string, filters: Filters) {
    const there = await wakeSubscription(tx, organizationId, botId);
    if (there !== null) return there;
    await this.organizations.lock(tx, organizationId);
    const made = await wakeSubscription(tx, organizationId, botId);
    if (made !== null) return made;
    if ((await countSubscriptions(tx, organizationId)) >= MAX_SUBSCRIPTIONS) {
      throw new Problem('conflict', `An organization has at most ${MAX_SUBSCRIPTIONS} subscriptions`);
    }
    const id = newId('sub');
    await insertSubscription(tx, organizationId, botId, id, filters);
    return id;
  }
}

function subscriptionNotFound(): never {
  return notFound('Subscription');
}
