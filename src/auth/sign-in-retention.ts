import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { removeOlder } from '../platform/database/remove-older.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';

/** How often what is over is removed, in milliseconds. */
const INTERVAL = 60 * 60 * 1000;

/** What is removed, and how many days after the time in its column. One day: the clocks of nodes may differ. */
const RULES = [
  { table: 'agent_sessions', column: 'expires_at', days: 1 },
  { table: 'sign_in_links', column: 'expires_at', days: 1 },
  { table: 'sign_in_failures', column: 'window_began_at', days: 1 },
  { table: 'audit_entries', column: 'at', days: 180 },
];
const DAY = 24 * 60 * 60 * 1000;

/** Removes sessions, links and failures that are over, and audit entries after 180 days (CONTRACT section 7). */
@Injectable()
export class SignInRetention implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SignInRetention.name);
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
      for (const { table, column, days } of RULES) {
        await removeOlder(this.pool, table, column, new Date(now.getTime() - days * DAY));
      }
    } catch (err) {
      this.logger.warn({ err }, 'expired sessions and audit entries were not removed');
    }
  }
}
