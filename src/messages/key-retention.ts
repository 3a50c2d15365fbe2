import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { removeOlder } from '../platform/database/remove-older.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { keysExpireBefore } from './idempotency.js';

/** How often expired keys are removed, in milliseconds. */
const INTERVAL = 10 * 60 * 1000;

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
    try {
      await removeOlder(this.pool, 'idempotency_keys', 'created_at', keysExpireBefore(now));
    } catch (err) {
      this.logger.warn({ err }, 'expired idempotency keys were not removed');
    }
  }
}
