import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { Config } from '../config/config.js';
import { POOL } from '../database/pool.js';
import { PeriodicJob } from '../lib/periodic-job.js';
import { recordHeartbeat, ping, removeEndedNodes, removeNode } from './nodes.queries.js';

/** The interval between heartbeats. One statement per heartbeat covers everything that depends on this node. */
const HEARTBEAT_INTERVAL_MS = 5_000;
/**
 * A last heartbeat older than this counts as missed. Another node's last heartbeat may be a whole interval older than
 * this node's, and even then must not be as old as an ended node's.
 */
const STALE_AFTER_MS = 7_000;

/**
 * Called after each heartbeat.
 * @param hasLapsed whether other nodes may have counted this one as ended since the last one
 */
type HeartbeatListener = (hasLapsed: boolean) => Promise<void>;

/**
 * This process as other nodes see it in the table `nodes`. Its row is written once something depends on it, or from the
 * start with REDIS_URL. Until then it only checks that the database responds, so a single node without dependents
 * writes nothing.
 */
@Injectable()
export class ThisNode implements OnModuleInit, BeforeApplicationShutdown {
  readonly id = randomBytes(12).toString('hex');
  /** How long heartbeats must have succeeded without a gap before the silence of other nodes means anything. */
  settlingMs = 15_000;
  private readonly logger = new Logger(ThisNode.name);
  private readonly job = new PeriodicJob(() => this.runHeartbeat(), HEARTBEAT_INTERVAL_MS);
  private readonly listeners: HeartbeatListener[] = [];
  private readonly nodeLostListeners: (() => void)[] = [];
  /** The other nodes that were silent at the last heartbeat; undefined before the first. */
  private silentNodes?: ReadonlySet<string>;
  private registered?: Promise<void>;
  private isRegistered = false;
  /** Whether there may be a row to remove at shutdown. */
  private mayHaveRow = false;
  private isFailing = false;
  /** Whether this node has lapsed and the listeners have yet to handle it. */
  private hasLapsed = false;
  /** Whether every worker of a Citus cluster knows of the last heartbeat. */
  private isComplete = true;
  /**
   * When the last heartbeat succeeded, and since when without a gap. By `Date.now()`, which also runs while the machine
   * is suspended.
   */
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

  /** Resolves once other nodes can see this one. */
  register(): Promise<void> {
    this.registered ??= this.insertRow().catch((error: unknown) => {
      this.registered = undefined;
      throw error;
    });
    return this.registered;
  }

  /**
   * Calls the listener after each heartbeat. While a listener fails, the heartbeat doesn't count for `isSettled`, and a
   * lapse is reported again.
   */
  onHeartbeat(listener: HeartbeatListener): void {
    this.listeners.push(listener);
  }

  /**
   * Calls the listener when another node ended without signing off, as `isSettled` defines it: its last changes may not
   * have been published.
   */
  onNodeLost(listener: () => void): void {
    this.nodeLostListeners.push(listener);
  }

  /**
   * Whether a silent node has really ended: for the last 15 s this process ran and the database responded, so every
   * running node could send heartbeats, to every worker of a Citus cluster. Check it before acting on an agent's
   * absence. Sends a heartbeat first if the last one is old; never rejects.
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

  // Silence of other nodes means nothing right after a silence of this one, so they count only once that was long
  // enough ago.
  private async sendHeartbeat(): Promise<void> {
    const isSteady = this.isSteady();
    const { hasLapsed, silentNodes: silent, isComplete } = await recordHeartbeat(this.pool, this.id);
    this.isComplete = isComplete;
    if (hasLapsed) this.hasLapsed = true;
    const before = this.silentNodes ?? new Set(silent);
    this.silentNodes = new Set(isSteady ? silent : silent.filter((id) => before.has(id)));
    if (isSteady && silent.some((id) => !before.has(id))) for (const listener of this.nodeLostListeners) listener();
  }

  private onSucceeded(now: number): void {
    // A worker that was down has an old heartbeat until the next one.
    if (this.hasLapsed || !this.isComplete || !this.isFresh()) this.steadySince = now;
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
