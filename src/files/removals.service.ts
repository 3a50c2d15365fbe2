import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { ExpiredRows } from '../platform/database/expired-rows.js';
import { handleDueRows } from '../platform/database/due-rows.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { Sweep } from '../platform/lib/sweep.js';
import {
  endRemoval,
  findDueRemovals,
  findRemovalsOfOrganization,
  findRemovalsOfVisitor,
  findWithUnused,
  leaseRemoval,
  type Removal,
  removeFiles,
  retryRemoval,
} from './removals.queries.js';
import { CheckedStore } from './stores/checked-store.js';
import { WrongKey } from './stores/store.js';
import { UNFINISHED_MS } from './uploads.queries.js';

/** Milliseconds between two polls for bytes to remove, which must be removed within 15 s (CONTRACT: Removal of files). */
const INTERVAL_MS = 5_000;
/** Seconds until a removal that failed, or whose node died, is tried again. */
const RETRY_SECONDS = 10;
/** The removals of a batch, and how many run at a time. */
export const BATCH = { limit: 200, concurrency: 8 };
/** Milliseconds between two removals of unused uploads, and the age of the uploads that are removed. */
const UNUSED_INTERVAL_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
/** Milliseconds until the first removal of old bodies, so that nodes that restart every day remove them too. */
const FIRST_BODIES_MS = 10 * 60_000;
const UNUSED_BATCH = 500;

/** Removes the bytes of removed files: each is a row that's tried until it's done (CONTRACT: Removal of files). */
@Injectable()
export class FileRemovals implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Files');
  private running: Promise<void> = Promise.resolve();
  private readonly sweep = new Sweep({
    interval: () => INTERVAL_MS,
    isNeeded: () => !this.config.DRILL,
    run: () => (this.running = this.run()),
    onError: (error, isFirst) => {
      if (isFirst) this.logger.warn({ err: error }, 'bytes of files were not removed');
    },
  });
  private readonly unused = new PeriodicJob((now) => this.removeUnused(now), UNUSED_INTERVAL_MS, 1 / 2);
  private readonly incoming = new PeriodicJob((now) => this.removeOldBodies(now), DAY_MS, 1 / 10);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly store: CheckedStore,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.sweep.schedule();
    this.unused.start();
    this.incoming.start(FIRST_BODIES_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.sweep.stop();
    await Promise.all([this.unused.stop(), this.incoming.stop(), this.running.catch(() => undefined)]);
  }

  /** Removes what is due now. Call it after the commit of a removal. */
  wake(): void {
    this.sweep.trigger();
  }

  /** Removes uploads that no message or note took for a day, and ones whose time to be completed has passed. */
  async removeUnused(now = new Date()): Promise<void> {
    if (this.config.DRILL) return;
    const before = (ms: number) => new Date(now.getTime() - ms);
    const unused = { unusedSince: before(DAY_MS), unfinishedSince: before(UNFINISHED_MS) };
    try {
      for (const organizationId of await findWithUnused(this.pool, unused)) {
        const removed = { ...unused, limit: UNUSED_BATCH };
        while ((await transaction(this.manager, (tx) => removeFiles(tx, organizationId, removed))) === UNUSED_BATCH);
      }
      this.wake();
    } catch (error) {
      this.logger.warn({ err: error }, 'unused uploads were not removed');
    }
  }

  /**
   * Removes bodies, and parts of cleaned files, that are older than a day: a killed node left them, or they arrived after their upload had
   * ended.
   */
  async removeOldBodies(now = new Date()): Promise<void> {
    if (this.config.DRILL || this.store.isIdle) return;
    try {
      const store = await this.store.get();
      for await (const { key, modifiedAt } of store.list())
        if ((key.includes('/incoming/') || key.endsWith('.part')) && now.getTime() - modifiedAt.getTime() > DAY_MS)
          await store.remove(key);
    } catch (error) {
      this.logger.warn({ err: error }, 'old bodies were not removed');
    }
  }

  /** Removes these now, until one fails. What is left is tried later. Returns whether all were deleted. */
  async removeNow(removals: readonly Removal[], shouldStop = () => false): Promise<boolean> {
    const turns = pLimit(BATCH.concurrency);
    let hasFailed = false;
    const remove = async (removal: Removal) => {
      if (!hasFailed) hasFailed = shouldStop() || !(await this.tryToRemove(removal));
    };
    await Promise.all(removals.map((removal) => turns(remove, removal)));
    return !hasFailed;
  }

  /** Removes what the erasure of a visitor waits for. Returns whether nothing is left. */
  finishErasure(organizationId: string, visitorId: string, shouldStop: () => boolean): Promise<boolean> {
    return this.removeAll(() => findRemovalsOfVisitor(this.manager, organizationId, visitorId), shouldStop);
  }

  /** Removes all files of a deleted organization. Returns whether all bytes were deleted. */
  async removeOrganization(organizationId: string, shouldStop: () => boolean): Promise<boolean> {
    const removed = { limit: UNUSED_BATCH };
    while (!shouldStop() && (await transaction(this.manager, (tx) => removeFiles(tx, organizationId, removed))) > 0);
    return this.removeAll(() => findRemovalsOfOrganization(this.manager, organizationId), shouldStop);
  }

  private async removeAll(find: () => Promise<Removal[]>, shouldStop: () => boolean): Promise<boolean> {
    for (let left = await find(); left.length > 0; left = await find())
      if (!(await this.removeNow(left, shouldStop))) return false;
    return !shouldStop();
  }

  // Goes on after a full batch. Not after a failure: a store that refuses everything is asked again after a pause.
  private async run(): Promise<void> {
    for (let hasMore = true; hasMore && !this.sweep.isStopped;) hasMore = await this.removeBatch();
  }

  /** Removes some of what is due. Returns whether there may be more to remove now. */
  private async removeBatch(): Promise<boolean> {
    if (this.store.isAway) return false;
    let isFull = false;
    let hasFailed = false;
    await handleDueRows(
      {
        list: async (limit) => {
          const due = await findDueRemovals(this.pool, limit);
          isFull = due.length >= limit;
          return due;
        },
        handle: async (removal) => {
          if (!(await leaseRemoval(this.pool, removal, RETRY_SECONDS))) return;
          if (!(await this.tryToRemove(removal))) hasFailed = true;
        },
        onError: (error) => {
          hasFailed = true;
          this.logger.warn({ err: error }, 'a file was not removed');
        },
        isStopped: () => this.sweep.isStopped,
      },
      BATCH,
    );
    return isFull && !hasFailed;
  }

  // No store has bytes under a wrong key, now or later.
  private giveUp(error: unknown): void {
    if (!(error instanceof WrongKey)) throw error;
    this.logger.error({ err: error }, 'nothing was removed');
  }

  private async tryToRemove(removal: Removal): Promise<boolean> {
    try {
      await (await this.store.get()).remove(removal.key).catch((error: unknown) => this.giveUp(error));
      await endRemoval(this.pool, removal);
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'bytes of a file were not removed, and are tried again');
      await retryRemoval(this.pool, removal, RETRY_SECONDS);
      return false;
    }
  }
}

/** Removes the starts of uploads when limits no longer count them. So their source addresses are kept for a day. */
@Injectable()
export class FileStartRetention extends ExpiredRows {
  constructor(@Inject(POOL) pool: Pool, config: Config) {
    super(pool, config, [{ table: 'file_starts', column: 'created_at', age: DAY_MS }], 10 * 60_000);
  }
}
