import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { POOL } from '../database/pool.js';
import { PeriodicJob } from '../lib/periodic-job.js';
import { beat, ping, removeEndedNodes, removeNode } from './nodes.queries.js';

/** Milliseconds between two beats; the one statement of a beat stands for everything that hangs on this node. */
const BEAT = 5_000;
/**
 * Milliseconds after which the last beat is old. Another node's last beat may be a whole pause older than this one's, and
 * even so must not be as old as a node that has ended.
 */
const STALE = 7_000;

/** Called after each beat. @param hasLapsed whether others may have counted this node as ended since the beat before */
type BeatListener = (hasLapsed: boolean) => Promise<void>;

/**
 * This process as the other nodes know it, in the table `nodes`. It is written there from the first time that something hangs
 * on it, and until then only asks whether the database is there: an installation without such things writes nothing.
 */
@Injectable()
export class ThisNode implements OnModuleInit, BeforeApplicationShutdown {
  readonly id = randomBytes(12).toString('hex');
  /** Milliseconds for which beats must have come without a gap, before the silence of other nodes means anything. */
  settling = 15_000;
  private readonly logger = new Logger(ThisNode.name);
  private readonly job = new PeriodicJob(() => this.beatAgain(), BEAT);
  private readonly listeners: BeatListener[] = [];
  private began?: Promise<void>;
  private isKnown = false;
  private isFailing = false;
  /** Whether the listeners have not handled yet that this node has lapsed. */
  private hasLapsed = false;
  /** When the last beat succeeded, and the first of those without a gap since; by `Date.now()`, which a suspended machine does not stop. */
  private beatAt = 0;
  private steadySince = 0;
  private catchingUp?: Promise<void>;

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  onModuleInit(): void {
    this.job.start(0);
  }

  /** Resolves once other nodes can see that this one runs. */
  begin(): Promise<void> {
    this.began ??= this.beginToBeat().catch((error: unknown) => {
      this.began = undefined;
      throw error;
    });
    return this.began;
  }

  /** Calls the listener after each beat. While it fails, the beat does not count for `isSettled`, and a lapse is told again. */
  onBeat(listener: BeatListener): void {
    this.listeners.push(listener);
  }

  /**
   * Whether the silence of a node means that it has ended: for 15 s this process ran and the database was there, so every
   * node that runs could beat. To be asked before anything is done because an agent is absent. Beats at once when the last beat
   * is old; never rejects.
   */
  async isSettled(): Promise<boolean> {
    if (!this.isFresh()) {
      this.catchingUp ??= this.job.run().finally(() => (this.catchingUp = undefined));
      await this.catchingUp;
    }
    return this.isFresh() && Math.abs(Date.now() - this.steadySince) >= this.settling;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.job.stop();
    if (this.began) await removeNode(this.pool, this.id).catch(() => undefined);
  }

  private async beginToBeat(): Promise<void> {
    await beat(this.pool, this.id);
    await removeEndedNodes(this.pool);
    this.isKnown = true;
  }

  private async beatAgain(): Promise<void> {
    try {
      if (!this.isKnown) await ping(this.pool);
      else if (await beat(this.pool, this.id)) this.hasLapsed = true;
      for (const listener of this.listeners) await listener(this.hasLapsed);
      this.onSucceeded(Date.now());
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped)
        this.logger.warn({ err }, 'other nodes cannot see that this one runs');
      this.isFailing = true;
    }
  }

  private onSucceeded(now: number): void {
    if (this.hasLapsed || !this.isFresh()) this.steadySince = now;
    this.beatAt = now;
    this.hasLapsed = false;
    this.isFailing = false;
  }

  private isFresh(): boolean {
    return Math.abs(Date.now() - this.beatAt) <= STALE;
  }
}
