import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';

/** How often what is over is removed, in milliseconds, and how many rows a statement removes at most. */
const INTERVAL = 60 * 60 * 1000;
const BATCH = 1_000;

const remove = (table: string, time: string) => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${time} < $1 ORDER BY ${time} LIMIT $2 FOR UPDATE SKIP LOCKED))`;

/** What is removed, and how many days after the time in its column. One day: the clocks of nodes may differ. */
const RULES = [
  { statement: remove('agent_sessions', 'expires_at'), days: 1 },
  { statement: remove('sign_in_links', 'expires_at'), days: 1 },
  { statement: remove('sign_in_failures', 'window_began_at'), days: 1 },
  { statement: remove('audit_entries', 'at'), days: 180 },
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
      for (const { statement, days } of RULES) await this.removeAll(statement, new Date(now.getTime() - days * DAY));
    } catch (err) {
      this.logger.warn({ err }, 'expired sessions and audit entries were not removed');
    }
  }

  private async removeAll(statement: string, before: Date): Promise<void> {
    for (;;) {
      const { rowCount } = await this.pool.query(statement, [before, BATCH]);
      if ((rowCount ?? 0) < BATCH) return;
    }
  }
}
