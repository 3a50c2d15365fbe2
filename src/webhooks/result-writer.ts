import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { laneKeyOf } from '../receivers/lane.js';
import { batch } from '../platform/lib/batch.js';
import { type Finished, finishDeliveries } from './dispatch.queries.js';

/** The most results in a statement, and the pause between two statements in milliseconds. */
const MAX_BATCH = 256;
const PAUSE_MS = 10;
/** Milliseconds until a failed write is retried. */
const RETRY_DELAY_MS = 500;

/** Writes the results of deliveries in batches, and retries failed writes. */
export class ResultWriter {
  private readonly logger = new Logger(ResultWriter.name);
  private isClosed = false;
  /** The number of results that aren't stored yet. */
  pending = 0;

  constructor(private readonly pool: Pool) {}

  private readonly store = batch<Finished, boolean>((results) => this.storeAll(results), MAX_BATCH, {
    pause: PAUSE_MS,
  });

  /** Resolves once the result is stored, with whether the webhook is failing. A result that isn't stored delays no other. */
  async write(result: Finished): Promise<boolean> {
    this.pending++;
    try {
      while (!this.isClosed) {
        const isFailing = await this.store(result).catch(() => null);
        if (isFailing !== null) return isFailing;
        await sleep(RETRY_DELAY_MS);
      }
      return false;
    } finally {
      this.pending--;
    }
  }

  /**
   * Gives up unwritten results. Their deliveries still wait in the outbox, and the lane's next holder sends them again.
   */
  close(): void {
    this.isClosed = true;
  }

  private async storeAll(results: readonly Finished[]): Promise<(boolean | Error)[]> {
    const failures = new Map<number, Error>();
    try {
      const failing = new Set(await finishDeliveries(this.pool, results, failures));
      return results.map(({ held }, place) => failures.get(place) ?? failing.has(laneKeyOf(held.lane)));
    } catch (err) {
      this.logger.warn({ err }, 'could not write delivery results; retrying');
      throw err;
    }
  }
}
