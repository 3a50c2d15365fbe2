import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { FairTurns, type Turn } from '../platform/lib/fair-turns.js';
import { QueueDepths } from '../platform/telemetry/queue-depths.js';
import { POOL } from '../platform/database/pool.js';

/** The part of the connections that visitors may use together: the others are for bots, agents and administrators. */
const PART_OF_CONNECTIONS = 1 / 2;

/**
 * What visitors ask of the database: never on more than half of the connections, and in turns by address, so that a flood
 * from one address delays the others by little and bots not at all. Each query, or transaction, is a turn of its own.
 */
@Injectable()
export class VisitorTurns {
  private readonly turns: FairTurns;

  constructor(@Inject(POOL) pool: Pool, queues: QueueDepths) {
    this.turns = new FairTurns(Math.max(1, Math.floor(pool.options.max * PART_OF_CONNECTIONS)));
    queues.add('visitor', () => this.turns.depth);
  }

  /** @throws Problem unavailable when too many of this address wait, or of all */
  run<T>(address: string, work: () => Promise<T>): Promise<T> {
    return this.turns.run(address, work);
  }

  /** Turns of this address. */
  of(address: string): Turn {
    return (work) => this.run(address, work);
  }
}
