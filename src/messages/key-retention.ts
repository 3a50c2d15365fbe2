import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { keysExpireBefore } from './idempotency.js';

/** How often expired keys are removed, in milliseconds, and how many a statement removes at most. */
const INTERVAL = 10 * 60 * 1000;
const BATCH = 1_000;

const REMOVE_EXPIRED = `
  DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

/** Removes expired idempotency keys; a key that has expired is free even before. */
@Injectable()
export class KeyRetention implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(KeyRetention.name);
  private readonly job = new PeriodicJob((now) => this.removeExpired(now), INTERVAL);

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  async removeExpired(now = new Date()): Promise<void> {
    const before = keysExpireBefore(now);
    try {
      for (;;) {
        const { rowCount } = await this.pool.query(REMOVE_EXPIRED, [before, BATCH]);
        if ((rowCount ?? 0) < BATCH) return;
      }
    } catch (err) {
      this.logger.warn({ err }, 'expired idempotency keys were not removed');
    }
  }
}
