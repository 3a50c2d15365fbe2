import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import { PeriodicJob } from '../lib/periodic-job.js';
import { type IsOf, isDistributed, queryEverywhere } from './citus/per-organization.js';

/** Which rows expire, and when. */
export interface Expiry {
  /** A table with an index on `column`. Both become part of the statement. */
  table: string;
  column: string;
  /** Milliseconds after the time in the column. */
  age: number;
}

/** Maximum rows per statement. */
const BATCH_SIZE = 1_000;

/** Removes expired rows of some tables at intervals, on every node. */
export abstract class ExpiredRows implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ExpiredRows.name);
  private readonly job: PeriodicJob;

  /** @param interval milliseconds between two removals */
  protected constructor(
    private readonly pool: Pool,
    private readonly config: Config,
    private readonly expiries: readonly Expiry[],
    interval: number,
  ) {
    this.job = new PeriodicJob((now) => this.removeExpired(now), interval);
  }

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Removes expired rows once; in a drill, none. A table that fails doesn't stop the others. */
  async removeExpired(now = new Date()): Promise<void> {
    if (this.config.DRILL) return;
    for (const expiry of this.expiries) {
      await this.remove(expiry, now).catch((err: unknown) => {
        this.logger.warn({ err, table: expiry.table }, 'could not remove expired rows');
      });
    }
  }

  // Across all organizations, oldest first. Skips rows that another node is removing. A Citus cluster can't select rows by their place,
  // and removes them on all shards at the same time.
  private async remove({ table, column, age }: Expiry, now: Date): Promise<void> {
    if (isDistributed(this.pool)) {
      const text = (isOf: IsOf) => `DELETE FROM ${table} e WHERE ${column} < $1 AND ${isOf('e')}`;
      await queryEverywhere(this.pool, { text, values: [new Date(now.getTime() - age)] });
      return;
    }
    const statement = `
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${column} < $1 ORDER BY ${column} LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;
    const before = new Date(now.getTime() - age);
    while ((await this.pool.query(statement, [before])).rowCount === BATCH_SIZE);
  }
}
