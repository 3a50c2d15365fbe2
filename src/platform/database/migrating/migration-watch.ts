import type pg from 'pg';
import { PeriodicJob } from '../../lib/periodic-job.js';
import { findIndexBuild, findWait } from './migration-waits.queries.js';
import type { MigrationProgress } from './migration-progress.js';

/** Milliseconds between two polls. A migration waits for a table for 1 s, so one of its waits is seen. */
const POLL_INTERVAL_MS = 250;
/** How long a wait counts after it was seen: a migration that doesn't get its table pauses for 1 s. */
const PAUSE_MS = 3_000;

/** Polls what a migration waits for, and logs it at intervals. */
export class MigrationWatch {
  private readonly job = new PeriodicJob(() => this.poll(), POLL_INTERVAL_MS);
  private reportedAt = performance.now();
  private waitedAt = 0;

  /**
   * @param client a connection of its own, without a transaction: an index build would wait for one
   * @param pid the backend that migrates
   * @param interval milliseconds between two lines
   */
  constructor(
    private readonly client: pg.Client,
    private readonly pid: number,
    private readonly progress: MigrationProgress,
    private readonly interval: number,
  ) {}

  start(): this {
    this.job.start();
    return this;
  }

  async stop(): Promise<void> {
    await this.job.stop();
    await this.client.end();
  }

  // If this fails, the migration still continues.
  private async poll(): Promise<void> {
    try {
      const wait = await findWait(this.client, this.pid);
      if (wait) {
        this.progress.waitsFor(wait);
        this.waitedAt = performance.now();
      } else if (performance.now() - this.waitedAt > PAUSE_MS) this.progress.proceeds();
      if (performance.now() - this.reportedAt < this.interval) return;
      this.reportedAt = performance.now();
      this.progress.report(await findIndexBuild(this.client, this.pid));
    } catch {
      return;
    }
  }
}
