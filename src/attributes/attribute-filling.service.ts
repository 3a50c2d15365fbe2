import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { findWriters } from '../changes/changes.queries.js';
import { handleDueRows } from '../platform/database/due-rows.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { TIME_LIMITS_MS } from '../platform/lib/time-limits.js';
import { beginFilling, fillStep, findNew, findPending, removeStep } from './attribute-filling.queries.js';

/** Milliseconds between two runs that continue what a node has left. */
const INTERVAL_MS = 10_000;
const INTERVAL_SPREAD = 1 / 2;
/** The most organizations of a run, and how many are handled at the same time. */
const MAX_ORGANIZATIONS = 100;
const CONCURRENCY = 2;
/** The longest pause between two checks whether the open transactions have ended, in milliseconds. */
const MAX_PAUSE_MS = 100;

/**
 * Stores the values of new keys, so that chats can be filtered by them, and removes the values of removed keys. Any node can continue where
 * another stopped, and several may do it at the same time.
 */
@Injectable()
export class AttributeFilling implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AttributeFilling.name);
  private readonly job = new PeriodicJob(() => this.pass(), INTERVAL_MS, INTERVAL_SPREAD);

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  onApplicationBootstrap(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Handles the keys of all organizations. Concurrent calls run one after the other. */
  run(): Promise<void> {
    return this.job.run();
  }

  private async pass(): Promise<void> {
    const onError = (err: unknown) =>
      this.logger.warn({ err }, 'the values of an attribute key were not stored or removed; it will be retried');
    await handleDueRows(
      {
        list: (limit) => findPending(this.pool, limit),
        handle: ({ organizationId }) => this.handle(organizationId),
        onError,
        isStopped: () => this.job.isStopped,
      },
      { limit: MAX_ORGANIZATIONS, concurrency: CONCURRENCY },
    ).catch(onError);
  }

  private async handle(organizationId: string): Promise<void> {
    await this.begin(organizationId);
    for (const step of [fillStep, removeStep])
      for (let hasMore = true; hasMore && !this.job.isStopped;)
        hasMore = await transaction(this.manager, (tx) => step(tx, organizationId));
  }

  // Waits for the transactions that began to write before a key was added: they store no values of it, and their chats aren't visible yet.
  private async begin(organizationId: string): Promise<void> {
    const added = await findNew(this.manager, organizationId);
    if (added.length === 0 || !(await this.outlastsWriters(organizationId))) return;
    for (const key of added) await beginFilling(this.manager, organizationId, key);
  }

  private async outlastsWriters(organizationId: string): Promise<boolean> {
    const end = performance.now() + TIME_LIMITS_MS.request;
    let writers = await findWriters(this.pool, organizationId, null);
    for (let pause = 1; writers.length > 0; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      if (this.job.isStopped || performance.now() > end) return false;
      await sleep(pause);
      writers = await findWriters(this.pool, organizationId, writers);
    }
    return true;
  }
}
