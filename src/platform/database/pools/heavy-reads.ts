import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { FairQueue } from '../../lib/fair-queue.js';
import { QueueDepths } from '../../telemetry/queue-depths.js';
import { POOL } from '../pool.js';

/** The share of the connections that reports, searches, and exports of all organizations may use together. */
const HEAVY_SHARE = 1 / 4;

/**
 * Runs reports, searches, and the pages of exports on a quarter of the connections, in turns by organization. However many one
 * organization starts, others wait for the turns in progress and one of its own, and messages not at all.
 */
@Injectable()
export class HeavyReads {
  private readonly queue: FairQueue;

  constructor(@Inject(POOL) pool: Pool, queues: QueueDepths) {
    this.queue = new FairQueue(Math.max(1, Math.floor(pool.options.max * HEAVY_SHARE)));
    queues.add('heavy_read', () => this.queue.depth);
  }

  /** Runs one turn. Must not be called inside another turn. @throws Problem unavailable if too many turns wait */
  run<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    return this.queue.run(organizationId, work);
  }

  /** The same pieces, each read in a turn of its own. A slow reader holds no turn. */
  async *inTurns<T>(organizationId: string, pieces: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
    try {
      for (;;) {
        const { done, value } = await this.run(organizationId, () => pieces.next());
        if (done) return;
        yield value;
      }
    } finally {
      await pieces.return();
    }
  }
}
