import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { FairQueue, type QueueRunner } from '../../platform/lib/fair-queue.js';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { POOL } from '../../platform/database/pool.js';

/** The share of the connections that all visitors together may use; the rest is for bots, agents and administrators. */
const CONNECTION_SHARE = 1 / 2;
/** How many turns of one address may wait. Behind a proxy, all visitors who reconnect to a node can have the same address. */
const MAX_WAITING_PER_ADDRESS = 2_000;

/**
 * Runs visitors' queries on at most half of the connections, in turns by address. A flood from one address delays other visitors
 * slightly, and bots not at all. Each query or transaction is one turn.
 */
@Injectable()
export class VisitorQueue {
  private readonly queue: FairQueue;

  constructor(@Inject(POOL) pool: Pool, queues: QueueDepths) {
    this.queue = new FairQueue(Math.max(1, Math.floor(pool.options.max * CONNECTION_SHARE)), MAX_WAITING_PER_ADDRESS);
    queues.add('visitor', () => this.queue.depth);
  }

  /** Runs one turn. @throws Problem unavailable if too many turns of this address, or of all addresses, wait */
  run<T>(address: string, work: () => Promise<T>): Promise<T> {
    return this.queue.run(address, work);
  }

  runnerFor(address: string): QueueRunner {
    return (work) => this.run(address, work);
  }
}
