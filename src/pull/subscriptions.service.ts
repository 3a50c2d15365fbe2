import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { EntityManager, Repository } from 'typeorm';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { newId } from '../platform/lib/ids.js';
import { changeFilters } from '../receivers/receivers.queries.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { Subscription } from './subscription.entity.js';
import { DEFAULT_FILTERS, type Filters, type SubscriptionRow } from './subscription.js';
import {
  countSubscriptions,
  deleteSubscription,
  findSubscription,
  insertSubscription,
  listWaiting,
  resumeSubscription,
} from './subscriptions.queries.js';
import { ActivePolls, subscriptionDeleted } from './active-polls.js';
import { BATCH_SIZE, removeEvents } from './subscription-upkeep.queries.js';

/** The most subscriptions of an organization. Each costs a row for every message that matches it. */
const MAX_SUBSCRIPTIONS = 50;

/** Subscriptions of bots to events (CONTRACT: Polling for events); each bot has at most one. */
@Injectable()
export class SubscriptionsService {
  private readonly logger = new Logger(SubscriptionsService.name);

  constructor(
    @InjectRepository(Subscription) private readonly subscriptions: Repository<Subscription>,
    @Inject(POOL) private readonly pool: Pool,
    private readonly organizations: OrganizationsService,
    private readonly polls: ActivePolls,
  ) {}

  /** @throws Problem not_found */
  async get(organizationId: string, botId: string): Promise<SubscriptionRow> {
    return (await findSubscription(this.subscriptions.manager, organizationId, botId)) ?? subscriptionNotFound();
  }

  /** Lists the bodies of the waiting events, oldest first, without taking them. @throws Problem not_found */
  async listEvents(organizationId: string, botId: string, { limit, cursor }: PageQuery): Promise<Page<string>> {
    const { manager } = this.subscriptions;
    if (!(await this.subscriptions.existsBy({ organizationId, botId }))) return subscriptionNotFound();
    const rows = await listWaiting(manager, organizationId, botId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, ({ payload }) => payload);
  }

  /**
   * Creates the bot's subscription, or changes its filters and resumes it. Every event whose request starts after this has
   * returned is queued.
   * @throws Problem conflict if the organization has 50 subscriptions
   */
  async put(organizationId: string, botId: string, filters: Partial<Filters>): Promise<SubscriptionRow> {
    const { events, senderTypes } = filters;
    const wanted = {
      events: events ?? DEFAULT_FILTERS.events,
      senderTypes: senderTypes ?? DEFAULT_FILTERS.senderTypes,
    };
    await transaction(this.subscriptions.manager, async (tx) => {
      const id = await this.resumeOrInsert(tx, organizationId, botId, wanted);
      await changeFilters(tx, { organizationId, id, ...wanted });
    });
    return this.get(organizationId, botId);
  }

  /** Creates the default subscription if the bot has none, and resumes a suspended one. @throws Problem conflict */
  async ensure(organizationId: string, botId: string): Promise<void> {
    await transaction(this.subscriptions.manager, (tx) =>
      this.resumeOrInsert(tx, organizationId, botId, DEFAULT_FILTERS),
    );
  }

  /** Deletes the subscription and its waiting events, and ends the bot's polls. @throws Problem not_found */
  async delete(organizationId: string, botId: string): Promise<void> {
    const id = await transaction(this.subscriptions.manager, (tx) => deleteSubscription(tx, organizationId, botId));
    if (id === null) return subscriptionNotFound();
    this.polls.endAllOf({ organizationId, botId }, subscriptionDeleted());
    // If this fails, the rest is removed with the deliveries of deleted receivers.
    void this.removeEvents(organizationId, id).catch((err: unknown) =>
      this.logger.warn({ err }, 'could not remove the events of a deleted subscription'),
    );
  }

  /** Removes the events of a deleted or suspended subscription. */
  async removeEvents(organizationId: string, id: string): Promise<void> {
    while ((await removeEvents(this.pool, organizationId, id)) === BATCH_SIZE);
  }

  private async resumeOrInsert(tx: EntityManager, organizationId: string, botId: string, filters: Filters) {
    const existing = await resumeSubscription(tx, organizationId, botId);
    if (existing !== null) return existing;
    await this.organizations.lock(tx, organizationId);
    const created = await resumeSubscription(tx, organizationId, botId);
    if (created !== null) return created;
    if ((await countSubscriptions(tx, organizationId)) >= MAX_SUBSCRIPTIONS) {
      throw new Problem(
        'conflict',
        `The organization already has ${MAX_SUBSCRIPTIONS} subscriptions, the maximum: delete one first`,
      );
    }
    const id = newId('sub');
    await insertSubscription(tx, organizationId, botId, id, filters);
    return id;
  }
}

function subscriptionNotFound(): never {
  return notFound('Subscription');
}
