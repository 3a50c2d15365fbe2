import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { Config } from '../config/config.js';
import { POOL } from '../database/pool.js';
import { PeriodicJob } from '../lib/periodic-job.js';
import { recordHeartbeat, ping, removeEndedNodes, removeNode } from './nodes.queries.js';

/** Milliseconds between two beats; the one statement of a beat stands for everything that hangs on this node. */
const HEARTBEAT_INTERVAL_MS = 5_000;
/**
 * Milliseconds after which the last beat is old. Another node's last beat may be a whole pause older than this one's, and
 * even so must not be as old as a node that has ended.
 */
const STALE_AFTER_MS = 7_000;

/** Called after each beat. @param hasLapsed whether others may have counted this node as ended since the beat before */
type HeartbeatListener = (hasLapsed: boolean) => Promise<void>;

/**
 * This process as the other nodes know it, in the table `nodes`. It is written there from the first time that something hangs
 * on it, with REDIS_URL from the start, and until then only asks whether the database is there: a single node without such
 * things writes nothing.
 */
@Injectable()
export class ThisNode implements OnModuleInit, BeforeApplicationShutdown {
  readonly id = randomBytes(12).toString('hex');
  /** Milliseconds for which beats must have come without a gap, before the silence of other nodes means anything. */
  settlingMs = 15_000;
  private readonly logger = new Logger(ThisNode.name);
  private readonly job = new PeriodicJob(() => this.runHeartbeat(), HEARTBEAT_INTERVAL_MS);
  private readonly listeners: HeartbeatListener[] = [];
  private readonly nodeLostListeners: (() => void)[] = [];
  /** The other nodes that were silent at the last beat; undefined before the first. */
  private silentNodes?: ReadonlySet<string>;
  private registered?: Promise<void>;
  private isRegistered = false;
  /** Whether there may be a row to remove. */
  private mayHaveRow = false;
  private isFailing = false;
  /** Whether the listeners have not handled yet that this node has lapsed. */
  private hasLapsed = false;
  /** When the last beat succeeded, and the first of those without a gap since; by `Date.now()`, which a suspended machine does not stop. */
  private lastHeartbeatAt = 0;
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
  register(): Promise<void> {
    this.registered ??= this.insertRow().catch((error: unknown) => {
      this.registered = undefined;
      throw error;
    });
    return this.registered;
  }

  /** Calls the listener after each beat. While it fails, the beat does not count for `isSettled`, and a lapse is told again. */
  onHeartbeat(listener: HeartbeatListener): void {
    this.listeners.push(listener);
  }

  /**
   * Calls the listener when another node has ended without a word, as `isSettled` counts it: what it did last may not have been
   * told.
   */
  onNodeLost(listener: () => void): void {
    this.nodeLostListeners.push(listener);
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
    if (this.mayHaveRow) await removeNode(this.pool, this.id).catch(() => undefined);
  }

  private async insertRow(): Promise<void> {
    this.mayHaveRow = true;
    await recordHeartbeat(this.pool, this.id);
    await removeEndedNodes(this.pool);
    this.isRegistered = true;
  }

  private async runHeartbeat(): Promise<void> {
    if (this.job.isStopped) return;
    try {
      if (this.config.REDIS_URL !== undefined) await this.register();
      if (this.isRegistered) await this.sendHeartbeat();
      else await ping(this.pool);
      for (const listener of this.listeners) await listener(this.hasLapsed);
      this.onSucceeded(Date.now());
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped)
        this.logger.warn({ err }, 'heartbeat could not be written; other nodes may consider this one ended');
      this.isFailing = true;
    }
  }

  // The silence of others means nothing after one of this node's own: they are counted once that is long enough ago.
  private async sendHeartbeat(): Promise<void> {
    const isSteady = this.isSteady();
    const { hasLapsed, silentNodes: silent } = await recordHeartbeat(this.pool, this.id);
    if (hasLapsed) this.hasLapsed = true;
    const before = this.silentNodes ?? new Set(silent);
    this.silentNodes = new Set(isSteady ? silent : silent.filter((id) => before.has(id)));
    if (isSteady && silent.some((id) => !before.has(id))) for (const listener of this.nodeLostListeners) listener();
  }

  private onSucceeded(now: number): void {
    if (this.hasLapsed || !this.isFresh()) this.steadySince = now;
    this.lastHeartbeatAt = now;
    this.hasLapsed = false;
    this.isFailing = false;
  }

  private isSteady(): boolean {
    return this.isFresh() && Math.abs(Date.now() - this.steadySince) >= this.settlingMs;
  }

  private isFresh(): boolean {
    return Math.abs(Date.now() - this.lastHeartbeatAt) <= STALE_AFTER_MS;
  }
}
