import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { laneKeyOf } from '../outbox/lane.js';
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

  constructor(private readonly pool: Pool) {}

  /** Resolves once the result is stored, with whether the webhook is failing. */
  readonly write = batch<Finished, boolean>((results) => this.writeAll(results), MAX_BATCH, { pause: PAUSE_MS });

  /**
   * Gives up unwritten results. Their deliveries still wait in the outbox, and the lane's next holder sends them again.
   */
  close(): void {
    this.isClosed = true;
  }

  private async writeAll(results: readonly Finished[]): Promise<boolean[]> {
    while (!this.isClosed) {
      try {
        const failing = new Set(await finishDeliveries(this.pool, results));
        return results.map(({ held }) => failing.has(laneKeyOf(held.lane)));
      } catch (err) {
        this.logger.warn({ err }, 'could not write delivery results; retrying');
        await sleep(RETRY_DELAY_MS);
      }
    }
    return results.map(() => false);
  }
}
