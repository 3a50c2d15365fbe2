import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { handleDueRows } from '../platform/database/due-rows.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { TIME_LIMITS_MS } from '../platform/lib/time-limits.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import type { OrganizationDeleted } from '../organizations/organizations.events.js';
import { findErasing } from './erasure.queries.js';
import { OrganizationRemovalService } from './organization-removal.service.js';
import { RetentionService } from './retention.service.js';
import { AnonymousRemovalService } from './anonymous-removal.service.js';
import { VisitorErasureService } from './visitor-erasure.service.js';

/** The time before the first pass and between passes, in milliseconds, and the largest share that is added at random. */
const INTERVAL_MS = 10 * 60 * 1000;
const FIRST_DELAY_MS = 10 * 1000;
const INTERVAL_SPREAD = 1 / 2;
/** The time until an erasure that failed is tried again, in milliseconds. */
const ERASURE_RETRY_MS = 10_000;
/** The most erasures that a pass continues. */
const MAX_ERASURES = 100;

/**
 * Finishes erasures and deletions in the background, and removes data past its retention. Any node can continue where another
 * stopped.
 */
@Injectable()
export class DataRemoval implements OnApplicationBootstrap, OnModuleDestroy {
  /** How long a request waits for an erasure to finish, in milliseconds. */
  erasureTimeout = TIME_LIMITS_MS.erasure;
  private readonly logger = new Logger(DataRemoval.name);
  private readonly job = new PeriodicJob((now) => this.pass(now), INTERVAL_MS, INTERVAL_SPREAD);
  private retry?: NodeJS.Timeout;
  private readonly shouldStop = () => this.job.isStopped;

  constructor(
    private readonly manager: EntityManager,
    private readonly erasure: VisitorErasureService,
    private readonly organizations: OrganizationRemovalService,
    private readonly retention: RetentionService,
    private readonly anonymous: AnonymousRemovalService,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.job.start(FIRST_DELAY_MS);
  }

  onModuleDestroy(): Promise<void> {
    clearTimeout(this.retry);
    return this.job.stop();
  }

  @OnDomainEvent('organization.deleted')
  async onOrganizationDeleted({ isDue }: OrganizationDeleted): Promise<void> {
    if (isDue) await this.run();
  }

  /**
   * Erases a visitor, whose token is refused immediately. Returns false if it takes longer than a request may wait, or another session
   * holds a row; it then continues in the background.
   * @param alongside work in the transaction that starts it, once
   * @throws Problem not_found
   */
  async erase(
    organizationId: string,
    visitorId: string,
    alongside: (tx: EntityManager) => Promise<void>,
  ): Promise<boolean> {
    await this.erasure.start(organizationId, visitorId, alongside);
    const end = performance.now() + this.erasureTimeout;
    const shouldStop = () => this.job.isStopped || performance.now() > end;
    const work = this.erasure.proceed(organizationId, visitorId, shouldStop).catch((err: unknown) => {
      this.onErasureError(err);
      return false;
    });
    const isErased = await Promise.race([work, this.untilTimeout()]);
    if (!isErased) void work.then((isDone) => void (isDone || this.run()));
    return isErased;
  }

  // A step may wait for a row that another session holds.
  private untilTimeout(): Promise<false> {
    return new Promise((resolve) => setTimeout(() => resolve(false), this.erasureTimeout).unref());
  }

  private onErasureError(err: unknown): void {
    this.logger.warn({ err }, 'a visitor was not erased; it will be retried');
    if (this.job.isStopped) return;
    this.retry ??= setTimeout(() => {
      this.retry = undefined;
      void this.run();
    }, ERASURE_RETRY_MS).unref();
  }

  /** Runs one pass. Concurrent calls run one after the other. */
  run(now?: Date): Promise<void> {
    return this.job.run(now);
  }

  // Requested removals run before retention. If a step fails, the others still run. A drill leaves all of them to a start without DRILL.
  private async pass(now: Date): Promise<void> {
    if (this.config.DRILL) return;
    await this.attempt('visitors were not erased', () => this.finishErasures());
    await this.attempt('deleted organizations were not removed', () => this.organizations.run(now, this.shouldStop));
    await this.attempt('what is too old was not removed', () => this.retention.run(now, this.shouldStop));
    await this.attempt('unused anonymous visitors were not removed', () => this.anonymous.run(now, this.shouldStop));
  }

  private async attempt(failure: string, work: () => Promise<void>): Promise<void> {
    if (this.job.isStopped) return;
    await work().catch((err: unknown) => this.logger.warn({ err }, failure));
  }

  private finishErasures(): Promise<void> {
    return handleDueRows(
      {
        list: (limit) => findErasing(this.manager, limit),
        handle: async ({ organizationId, visitorId }) =>
          void (await this.erasure.proceed(organizationId, visitorId, this.shouldStop)),
        onError: (err) => this.onErasureError(err),
        isStopped: this.shouldStop,
      },
      { limit: MAX_ERASURES, concurrency: 1 },
    );
  }
}
