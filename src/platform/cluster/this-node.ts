import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { Config } from '../config/config.js';
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
 * on it, with REDIS_URL from the start, and until then only asks whether the database is there: a single node without such
 * things writes nothing.
 */
@Injectable()
export class ThisNode implements OnModuleInit, BeforeApplicationShutdown {
  readonly id = randomBytes(12).toString('hex');
  /** Milliseconds for which beats must have come without a gap, before the silence of other nodes means anything. */
  settling = 15_000;
  private readonly logger = new Logger(ThisNode.name);
  private readonly job = new PeriodicJob(() => this.beatAgain(), BEAT);
  private readonly listeners: BeatListener[] = [];
  private readonly lossListeners: (() => void)[] = [];
  /** The other nodes that were silent at the last beat; undefined before the first. */
  private silent?: ReadonlySet<string>;
  private began?: Promise<void>;
  private isKnown = false;
  /** Whether there may be a row to remove. */
  private mayBeWritten = false;
  private isFailing = false;
  /** Whether the listeners have not handled yet that this node has lapsed. */
  private hasLapsed = false;
  /** When the last beat succeeded, and the first of those without a gap since; by `Date.now()`, which a suspended machine does not stop. */
  private beatAt = 0;
  private steadySince = 0;
  private catchingUp?: Promise<void>;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
  ) {}

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
   * Calls the listener when another node has ended without a word, as `isSettled` counts it: what it did last may not have been
   * told.
   */
  onLoss(listener: () => void): void {
    this.lossListeners.push(listener);
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
    return this.isSteady();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.job.stop();
    if (this.mayBeWritten) await removeNode(this.pool, this.id).catch(() => undefined);
  }

  private async beginToBeat(): Promise<void> {
    this.mayBeWritten = true;
    await beat(this.pool, this.id);
    await removeEndedNodes(this.pool);
    this.isKnown = true;
  }

  private async beatAgain(): Promise<void> {
    if (this.job.isStopped) return;
    try {
      if (this.config.REDIS_URL !== undefined) await this.begin();
      if (this.isKnown) await this.beatOnce();
      else await ping(this.pool);
      for (const listener of this.listeners) await listener(this.hasLapsed);
      this.onSucceeded(Date.now());
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped)
        this.logger.warn({ err }, 'other nodes cannot see that this one runs');
      this.isFailing = true;
    }
  }

  // The silence of others means nothing after one of this node's own: they are counted once that is long enough ago.
  private async beatOnce(): Promise<void> {
    const isSteady = this.isSteady();
    const { hasLapsed, silent } = await beat(this.pool, this.id);
    if (hasLapsed) this.hasLapsed = true;
    const before = this.silent ?? new Set(silent);
    this.silent = new Set(isSteady ? silent : silent.filter((id) => before.has(id)));
    if (isSteady && silent.some((id) => !before.has(id))) for (const listener of this.lossListeners) listener();
  }

  private onSucceeded(now: number): void {
    if (this.hasLapsed || !this.isFresh()) this.steadySince = now;
    this.beatAt = now;
    this.hasLapsed = false;
    this.isFailing = false;
  }

  private isSteady(): boolean {
    return this.isFresh() && Math.abs(Date.now() - this.steadySince) >= this.settling;
  }

  private isFresh(): boolean {
    return Math.abs(Date.now() - this.beatAt) <= STALE;
  }
}
