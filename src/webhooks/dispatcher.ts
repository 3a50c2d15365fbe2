import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../platform/config/config.js';
import { QueueDepths } from '../platform/telemetry/queue-depths.js';
import { batch } from '../platform/lib/batch.js';
import { POOL } from '../platform/database/pool.js';
import {
  type Claim,
  claimDeliveries,
  type ClaimedRow,
  findDueLanes,
  type HeldLane,
  type LaneKey,
  releaseLanes,
  renewLanes,
  type Verdict,
} from './dispatch.queries.js';
import { Lane, type LaneHost, MAX_TAKEN, type Taken, type TakenDelivery } from './lane.js';
import { ResultWriter } from './result-writer.js';
import { nextRetry } from './retry-schedule.js';
import { type AttemptResult, isSuccess, type Target, WebhookSender } from './sender.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Milliseconds between looks for what nobody told us of: retries that are due, what another node left. */
const POLL_INTERVAL = 1_000;
/** Lanes that are taken up by one look, and that share a statement. */
const MAX_LANES = 64;
/** Milliseconds between renewals of the leases we hold. */
const RENEW_INTERVAL = 2_500;
/** Milliseconds after which a lane that another node held a moment ago is asked for again. */
const REFUSED_DELAY = 100;
/** Attempts this node makes at a time, to all webhooks together. */
const MAX_IN_FLIGHT = 2_000;
/** A webhook with fewer attempts under way than this gets a slot before those with more. */
const FEW = 2;
/** Deliveries that a claim brings at most, of first attempts and of retries each, however many lanes share it. */
const MAX_CLAIMED = 1_024;
/** When the process ends: milliseconds that attempts under way may still take, and what is left may take to be written. */
const GRACE = 3_000;
const LAST_PATIENCE = 2_000;

/**
 * Sends what waits in the outbox (CONTRACT section 4). Events are only hints that something does: everything it knows is
 * in the database, and any node may go on where another stopped.
 */
@Injectable()
export class WebhookDispatcher implements LaneHost, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WebhookDispatcher.name);
  private readonly lanes = new Map<LaneKey, Lane>();
  private readonly results: ResultWriter;
  private readonly starved = new Set<Lane>();
  /** Lanes that will be asked for again in a moment. */
  private readonly refused = new Set<LaneKey>();
  private readonly timers: NodeJS.Timeout[] = [];
  private inFlight = 0;
  private isPolling = false;
  private isStopping = false;
  private isAborting = false;
  private onEmpty?: () => void;

  private readonly claimShared: (claim: Claim) => Promise<Taken | null>;
  private readonly releaseShared: (lane: HeldLane) => Promise<void>;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly metrics: WebhookMetrics,
    queues: QueueDepths,
  ) {
    this.results = new ResultWriter(pool);
    queues.add('webhook_result', () => this.results.write.pending);
    this.claimShared = batch((claims: readonly Claim[]) => this.claimAll(claims), MAX_LANES);
    this.releaseShared = batch(async (lanes: readonly HeldLane[]) => {
      await releaseLanes(pool, lanes);
      return lanes.map(() => undefined);
    }, MAX_LANES);
  }

  onApplicationBootstrap(): void {
    this.timers.push(setInterval(() => void this.poll(), POLL_INTERVAL));
    this.timers.push(setInterval(() => void this.renew(), RENEW_INTERVAL));
  }

  /** Hands everything back: what has not been tried at once, the rest when its attempt has ended or 3 s are over. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    for (const lane of this.lanes.values()) lane.rest();
    if (!(await this.isEmptyWithin(GRACE))) {
      this.isAborting = true;
      await this.sender.close();
      if (!(await this.isEmptyWithin(LAST_PATIENCE))) this.logger.warn('webhooks were left to the end of their leases');
    }
    this.results.close();
    await this.sender.close();
  }

  /** Something waits in these lanes. */
  wake(keys: readonly LaneKey[]): void {
    if (this.isStopping) return;
    for (const key of keys) {
      if (this.refused.has(key)) continue;
      let lane = this.lanes.get(key);
      if (!lane) this.lanes.set(key, (lane = new Lane(key, this)));
      lane.wake();
    }
  }

  /** A webhook was changed here: nothing more goes where it went before. */
  refresh(key: LaneKey): void {
    this.lanes.get(key)?.refresh();
  }

  claim(claim: Claim): Promise<Taken | null> {
    return this.claimShared(claim).catch((err: unknown) => {
      this.logger.warn({ err }, 'deliveries could not be claimed');
      return null;
    });
  }

  async attempt({ id, target, payload, traceparent }: TakenDelivery): Promise<AttemptResult> {
    this.metrics.started();
    const result = await this.sender.send(target, eventIdOf(id), payload, traceparent);
    this.metrics.ended(result);
    return result;
  }

  async finish(
    lane: HeldLane,
    { id, attemptCount, retryCount }: TakenDelivery,
    result: AttemptResult,
    isAlive: boolean,
  ): Promise<boolean> {
    // What we broke off ourselves is as if it had not been tried.
    if (this.isAborting && result.status === null) return false;
    const retryAfter = isSuccess(result)
      ? null
      : nextRetry(this.config.WEBHOOK_RETRY_SECONDS, retryCount, result.retryAfter);
    const verdict = judge(result, retryAfter);
    const isFailing = await this.results.write({ ...result, lane, id, attemptCount, isAlive, verdict, retryAfter });
    this.metrics.judged(verdict);
    return isFailing;
  }

  async release(lane: HeldLane): Promise<void> {
    await this.releaseShared(lane).catch((err: unknown) => this.logger.warn({ err }, 'a lane was not given back'));
  }

  // Half of the slots are for webhooks that have hardly one: however many are slow, the others get their turn.
  takeSlot(lane: Lane, inFlight: number): boolean {
    const isFree = this.inFlight < (inFlight < FEW ? MAX_IN_FLIGHT : MAX_IN_FLIGHT / 2);
    if (isFree) this.inFlight++;
    else this.starved.add(lane);
    return isFree;
  }

  giveSlot(): void {
    const before = --this.inFlight;
    for (const lane of Array.from(this.starved)) {
      this.starved.delete(lane);
      lane.step();
      if (this.inFlight > before) return;
    }
  }

  leave(lane: Lane): void {
    this.lanes.delete(lane.key);
    this.starved.delete(lane);
    if (this.lanes.size === 0) this.onEmpty?.();
  }

  /** Takes up what is due and served by nobody. */
  async poll(): Promise<void> {
    if (this.isPolling || this.isStopping) return;
    this.isPolling = true;
    // Others may have queued something in the lanes that we serve.
    for (const lane of this.lanes.values()) lane.wake();
    try {
      this.wake((await findDueLanes(this.pool, MAX_LANES)).filter((key) => !this.lanes.has(key)));
    } catch (err) {
      this.logger.debug({ err }, 'could not look for due deliveries');
    } finally {
      this.isPolling = false;
    }
  }

  private async renew(): Promise<void> {
    const held = [...this.lanes.values()].filter(({ lease }) => lease !== null);
    if (held.length === 0) return;
    const askedAt = performance.now();
    const leases = held.map(({ lease }) => lease!);
    const kept = await renewLanes(this.pool, leases).catch(() => null);
    if (kept === null) return;
    const keys = new Set(kept);
    held.forEach((lane, index) => {
      if (keys.has(lane.key)) lane.renewed(askedAt);
      else if (lane.lease?.fence === leases[index]!.fence) lane.lose();
    });
  }

  private async claimAll(claims: readonly Claim[]): Promise<(Taken | null)[]> {
    const rows = new Map<LaneKey, ClaimedRow[]>(claims.map(({ key }) => [key, []]));
    const room = Math.ceil(MAX_CLAIMED / claims.length);
    const bounded = claims.map((claim) => ({ ...claim, room: Math.min(claim.room, room) }));
    for (const row of await claimDeliveries(this.pool, bounded)) rows.get(row.lane)?.push(row);
    return claims.map(({ key, fence }) => {
      const taken = rows.get(key)!;
      if (taken.length > 0) return this.toTaken(taken, room);
      if (fence === null) this.askAgain(key);
      return null;
    });
  }

  // Most often another node serves it, which finds what is new as it goes on, unless it has just finished.
  private askAgain(key: LaneKey): void {
    if (this.refused.size === 0) setTimeout(() => this.wakeRefused(), REFUSED_DELAY).unref();
    this.refused.add(key);
  }

  private wakeRefused(): void {
    this.refused.clear();
    void this.poll();
  }

  private toTaken(rows: ClaimedRow[], room: number): Taken {
    const [{ lane, fence, isFailing, url, secret, previousSecret }] = rows as [ClaimedRow];
    const target: Target = { url, keys: this.secrets.open(lane, secret, previousSecret) };
    const deliveries = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id, target }]));
    return { fence, isFailing, isFull: deliveries.length >= Math.min(room, MAX_TAKEN), deliveries };
  }

  private isEmptyWithin(milliseconds: number): Promise<boolean> {
    if (this.lanes.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      this.onEmpty = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

/** The id of the event that a delivery delivers. */
export function eventIdOf(deliveryId: string): string {
  return deliveryId.replace('dlv', 'evt');
}

function judge(result: AttemptResult, retryAfter: number | null): Verdict {
  if (isSuccess(result)) return 'delivered';
  if (result.status === 410) return 'gone';
  return retryAfter === null ? 'dead' : 'retry';
}
