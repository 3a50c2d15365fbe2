import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { batch } from '../platform/lib/batch.js';
import { type Finished, finishDeliveries } from './dispatch.queries.js';

/** Results that are written together at most, and milliseconds between such statements. */
const MAX_TOGETHER = 256;
const PAUSE = 10;
/** Milliseconds after which what could not be written is tried again. */
const RETRY_DELAY = 500;

/** Writes down what became of deliveries, many in a statement, and keeps what could not be written until it can. */
export class ResultWriter {
  private readonly logger = new Logger(ResultWriter.name);
  private isClosed = false;

  constructor(private readonly pool: Pool) {}

  /** Resolves once it is written, with whether the webhook fails. */
  readonly write = batch<Finished, boolean>((results) => this.writeAll(results), MAX_TOGETHER, { pause: PAUSE });

  /** Gives up what could not be written: it still waits in the outbox, and is sent again by whoever serves the lane next. */
  close(): void {
    this.isClosed = true;
  }

  private async writeAll(results: readonly Finished[]): Promise<boolean[]> {
    while (!this.isClosed) {
      try {
        const failing = new Set(await finishDeliveries(this.pool, results));
        return results.map(({ lane }) => failing.has(lane.key));
      } catch (err) {
        this.logger.warn({ err }, 'results of webhooks could not be written; they will be');
        await sleep(RETRY_DELAY);
      }
    }
    return results.map(() => false);
  }
}
