import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { type Finished, finishDeliveries } from './dispatch.queries.js';

/** Results of so many milliseconds are written together, and so many at most; a failed writing is tried again. */
const DELAY = 15;
const MAX_TOGETHER = 256;
const RETRY_DELAY = 500;

interface Waiting {
  result: Finished;
  resolve: (isFailing: boolean) => void;
}

/** Writes down what became of deliveries, many in a statement, and keeps what could not be written until it can. */
export class ResultWriter {
  private readonly logger = new Logger(ResultWriter.name);
  private waiting: Waiting[] = [];
  private timer?: NodeJS.Timeout;
  private isWriting = false;
  private isClosed = false;

  constructor(private readonly pool: Pool) {}

  /** Resolves once it is written, with whether the webhook fails. */
  write(result: Finished): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.push({ result, resolve });
      this.schedule(DELAY);
    });
  }

  /** Gives up what could not be written: it will be found taken under a lease that has ended, and tried again. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private schedule(delay: number): void {
    if (!this.isWriting && !this.isClosed) this.timer ??= setTimeout(() => void this.flush(), delay);
  }

  private async flush(): Promise<void> {
    this.timer = undefined;
    this.isWriting = true;
    const batch = this.waiting.splice(0, MAX_TOGETHER);
    const isWritten = await this.writeAll(batch);
    this.isWriting = false;
    if (!isWritten) this.waiting.unshift(...batch);
    if (this.waiting.length > 0) this.schedule(isWritten ? DELAY : RETRY_DELAY);
  }

  private async writeAll(batch: Waiting[]): Promise<boolean> {
    try {
      const failing = new Set(
        await finishDeliveries(
          this.pool,
          batch.map(({ result }) => result),
        ),
      );
      for (const { result, resolve } of batch) resolve(failing.has(result.lane.key));
      return true;
    } catch (err) {
      this.logger.warn({ err }, 'results of webhooks could not be written; they will be');
      return false;
    }
  }
}
