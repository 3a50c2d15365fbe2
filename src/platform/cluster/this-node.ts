import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { POOL } from '../database/pool.js';
import { PeriodicJob } from '../lib/periodic-job.js';
import { beat, removeEndedNodes, removeNode } from './nodes.queries.js';

/** Milliseconds between two beats; the one statement of a beat stands for everything that hangs on this node. */
const BEAT = 5_000;

/**
 * This process as the other nodes know it, in the table `nodes`. It beats from the first time that something hangs on it:
 * an installation without such things writes nothing.
 */
@Injectable()
export class ThisNode implements BeforeApplicationShutdown {
  readonly id = randomBytes(12).toString('hex');
  private readonly logger = new Logger(ThisNode.name);
  private readonly job = new PeriodicJob(() => this.beatAgain(), BEAT);
  private readonly listeners: (() => Promise<void>)[] = [];
  private began?: Promise<void>;
  private isFailing = false;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Resolves once other nodes can see that this one runs; from then on it beats. */
  begin(): Promise<void> {
    this.began ??= this.beginToBeat().catch((error: unknown) => {
      this.began = undefined;
      throw error;
    });
    return this.began;
  }

  /** Calls the listener when other nodes may have counted this node as ended although it runs. */
  onLapsed(listener: () => Promise<void>): void {
    this.listeners.push(listener);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.job.stop();
    if (this.began) await removeNode(this.pool, this.id).catch(() => undefined);
  }

  private async beginToBeat(): Promise<void> {
    await beat(this.pool, this.id);
    await removeEndedNodes(this.pool);
    this.job.start();
  }

  private async beatAgain(): Promise<void> {
    try {
      const hasLapsed = await beat(this.pool, this.id);
      if (hasLapsed) for (const listener of this.listeners) await listener();
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing) this.logger.warn({ err }, 'other nodes cannot see that this one runs');
      this.isFailing = true;
    }
  }
}
