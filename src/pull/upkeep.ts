import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { BATCH, dropEvents, type DueSubscription, findSubscriptions, PAGE, putToRest } from './upkeep.queries.js';

/** The time between two looks at all subscriptions, in milliseconds. */
const INTERVAL = 60 * 1000;
const SPREAD = 0.2;
/** Milliseconds that an event is kept, and that a bot may be silent before nothing is kept for it. */
const MAX_AGE = 7 * 24 * 60 * 60 * 1000;

/**
 * Keeps subscriptions within their limits (CONTRACT section 11): drops events that are too old or too many, and puts
 * subscriptions to rest whose bots do not call. What was dropped is noted as a gap.
 */
@Injectable()
export class SubscriptionUpkeep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SubscriptionUpkeep.name);
  private readonly job = new PeriodicJob((now) => this.pass(now), INTERVAL, SPREAD);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Looks at all subscriptions once; concurrent calls run one after the other. */
  run(now = new Date()): Promise<void> {
    return this.job.run(now);
  }

  private async pass(now: Date): Promise<void> {
    const before = new Date(now.getTime() - MAX_AGE);
    let last = { organizationId: '', botId: '' };
    try {
      for (let found = PAGE; found === PAGE && !this.job.isStopped;) {
        const page = await findSubscriptions(this.pool, last, before);
        for (const subscription of page) await this.tidy(subscription, before);
        last = page.at(-1) ?? last;
        found = page.length;
      }
    } catch (err) {
      this.logger.warn({ err }, 'subscriptions were not looked at');
    }
  }

  private async tidy(subscription: DueSubscription, before: Date): Promise<void> {
    const { organizationId, id, isOld, dropUpTo, isSilent, isResting } = subscription;
    if (isSilent) await putToRest(this.pool, subscription, before);
    if (isSilent || isResting) return this.subscriptions.removeEvents(organizationId, id);
    if (!isOld && dropUpTo === null) return;
    while (!this.job.isStopped && (await dropEvents(this.pool, subscription, before)) === BATCH);
  }
}
