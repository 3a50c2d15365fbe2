import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../platform/config/config.js';
import { attemptEach } from '../platform/database/due-rows.js';
import { POOL } from '../platform/database/pool.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { SubscriptionsService } from './subscriptions.service.js';
import {
  BATCH_SIZE,
  dropEvents,
  type DueSubscription,
  findSubscriptions,
  PAGE_SIZE,
  suspendSubscription,
} from './subscription-upkeep.queries.js';

/** The time between two passes, and the largest share that is added at random. */
const INTERVAL_MS = 60 * 1000;
const INTERVAL_SPREAD = 0.2;
/** How long an event is kept, and how long a bot may go without polling before its subscription is suspended. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Enforces the limits of subscriptions (CONTRACT: Polling for events): drops events that are too old or too many, and suspends
 * subscriptions whose bots don't poll. Dropped events are recorded as a gap.
 */
@Injectable()
export class SubscriptionUpkeep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SubscriptionUpkeep.name);
  private readonly job = new PeriodicJob((now) => this.pass(now), INTERVAL_MS, INTERVAL_SPREAD);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly subscriptions: SubscriptionsService,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Runs one pass over all subscriptions; concurrent calls run one after the other. */
  run(now?: Date): Promise<void> {
    return this.job.run(now);
  }

  private async pass(now: Date): Promise<void> {
    if (this.config.DRILL) return;
    const before = new Date(now.getTime() - MAX_AGE_MS);
    const { pool: database, logger } = this;
    const nameOf = ({ organizationId, id }: DueSubscription) => ({ organizationId, id });
    const failure = 'the limits of a subscription could not be enforced';
    const attempts = { database, logger, failure, nameOf, shouldStop: () => this.job.isStopped };
    let last = { organizationId: '', botId: '' };
    try {
      for (let found = PAGE_SIZE; found === PAGE_SIZE && !this.job.isStopped;) {
        const page = await findSubscriptions(this.pool, last, before);
        await attemptEach(attempts, page, (subscription) => this.enforce(subscription, before));
        last = page.at(-1) ?? last;
        found = page.length;
      }
    } catch (err) {
      this.logger.warn({ err }, 'the limits of subscriptions could not be enforced');
    }
  }

  private async enforce(subscription: DueSubscription, before: Date): Promise<void> {
    const { organizationId, id, isOld, dropUpTo, isSilent, isSuspended } = subscription;
    if (isSilent) await suspendSubscription(this.pool, subscription, before);
    if (isSilent || isSuspended) return this.subscriptions.removeEvents(organizationId, id);
    if (!isOld && dropUpTo === null) return;
    while (!this.job.isStopped && (await dropEvents(this.pool, subscription, before)) === BATCH_SIZE);
  }
}
