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
/** The most erasures that a statement finds, and how many are continued at a time. */
const MAX_ERASURES = 100;
const ERASURES_AT_ONCE = 4;

/**
 * Finishes erasures and deletions in the background, and removes data past its retention. Any node can continue where another
 * stopped.
 */
@Injectable()
export class DataRemoval implements OnApplicationBootstrap, OnModuleDestroy {
  /** How long a request waits for an erasure to finish, in milliseconds. */
  erasureTimeout = TIME_LIMITS_MS.erasure;
  private readonly logger = new Logger(DataRemoval.name);
  private readonly shouldStop = () => this.erasures.isStopped;
  private readonly erasures = this.job('visitors were not erased', () => this.finishErasures());
  private readonly removals = this.job('deleted organizations were not removed', (now) =>
    this.organizations.run(now, this.shouldStop),
  );
  // Of their own, because each takes hours when the data of an organization is old for the first time.
  private readonly jobs = [
    this.erasures,
    this.removals,
    this.job('what is too old was not removed', (now) => this.retention.run(now, this.shouldStop)),
    this.job('unused anonymous visitors were not removed', (now) => this.anonymous.run(now, this.shouldStop)),
  ];
  /** The visitors whose erasure didn't end in the last pass. */
  private unfinished: ReadonlySet<string> = new Set();
  private retry?: NodeJS.Timeout;

  constructor(
    private readonly manager: EntityManager,
    private readonly erasure: VisitorErasureService,
    private readonly organizations: OrganizationRemovalService,
    private readonly retention: RetentionService,
    private readonly anonymous: AnonymousRemovalService,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    for (const job of this.jobs) job.start(FIRST_DELAY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.retry);
    await Promise.all(this.jobs.map((job) => job.stop()));
  }

  @OnDomainEvent('organization.deleted')
  async onOrganizationDeleted({ isDue }: OrganizationDeleted): Promise<void> {
    if (isDue) await this.removals.run();
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
    const shouldStop = () => this.shouldStop() || performance.now() > end;
    const work = this.erasure.proceed(organizationId, visitorId, shouldStop).catch((err: unknown) => {
      this.onErasureError(err);
      return false;
    });
    const isErased = await Promise.race([work, this.untilTimeout()]);
    if (!isErased) void work.then((isDone) => void (isDone || this.erasures.run()));
    return isErased;
  }

  // A step may wait for a row that another session holds.
  private untilTimeout(): Promise<false> {
    return new Promise((resolve) => setTimeout(() => resolve(false), this.erasureTimeout).unref());
  }

  private onErasureError(err: unknown): void {
    this.logger.warn({ err }, 'a visitor was not erased; it will be retried');
    if (this.shouldStop()) return;
    this.retry ??= setTimeout(() => {
      this.retry = undefined;
      void this.erasures.run();
    }, ERASURE_RETRY_MS).unref();
  }

  /** Runs one pass of each job, one after the other. Concurrent calls run one after the other. */
  async run(now?: Date): Promise<void> {
    for (const job of this.jobs) await job.run(now);
  }

  // A drill leaves everything to a start without DRILL.
  private job(failure: string, work: (now: Date) => Promise<void>): PeriodicJob {
    const attempt = async (now: Date) => {
      if (this.config.DRILL || this.shouldStop()) return;
      await work(now).catch((err: unknown) => this.logger.warn({ err }, failure));
    };
    return new PeriodicJob(attempt, INTERVAL_MS, INTERVAL_SPREAD);
  }

  private async finishErasures(): Promise<void> {
    while (await this.finishSome());
  }

  /** Continues some erasures. What doesn't end comes last afterward, so it keeps no other waiting. Returns whether to go on. */
  private async finishSome(): Promise<boolean> {
    const left = new Set<string>();
    let count = 0;
    await handleDueRows(
      {
        list: async (limit) => {
          const erasing = await findErasing(this.manager, limit, [...this.unfinished]);
          count = erasing.length;
          return erasing;
        },
        handle: async ({ organizationId, visitorId }) => {
          left.add(visitorId);
          if (await this.erasure.proceed(organizationId, visitorId, this.shouldStop)) left.delete(visitorId);
        },
        onError: (err) => this.onErasureError(err),
        isStopped: this.shouldStop,
      },
      { limit: MAX_ERASURES, concurrency: ERASURES_AT_ONCE },
    );
    this.unfinished = left;
    return !this.shouldStop() && count === MAX_ERASURES && left.size < count;
  }
}
