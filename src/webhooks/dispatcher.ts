import { eventIdOf } from '../receivers/event-type.js';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { type Lane, type LaneKey, laneKeyOf, parseLane } from '../receivers/lane.js';
import { Config } from '../platform/config/config.js';
import { LogSampler } from '../platform/telemetry/log-sampler.js';
import { QueueDepths } from '../platform/telemetry/queue-depths.js';
import { batch } from '../platform/lib/batch.js';
import { POOL } from '../platform/database/pool.js';
import {
  type Claim,
  claimDeliveries,
  type ClaimedRow,
  findDueLanes,
  type HeldLane,
  releaseLanes,
  renewLanes,
  type Verdict,
} from './dispatch.queries.js';
import { type LaneHost, LaneWorker, MAX_TAKEN, type Taken, type TakenDelivery } from './lane-worker.js';
import { ResultWriter } from './result-writer.js';
import { isRedirect } from '../platform/outbound/redirect.js';
import { nextRetry } from '../platform/outbound/retry-schedule.js';
import { type AttemptResult, isSuccess } from '../platform/outbound/attempt.js';
import { type Target, WebhookSender } from './sender.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { EmptySignal } from '../platform/lib/timeout.js';

/**
 * Milliseconds between two polls for deliveries without a wake-up, such as due retries and the lanes of a node that stopped.
 */
const POLL_INTERVAL_MS = 1_000;
/** The most lanes that one poll returns, and that one statement claims. */
const MAX_LANES = 64;
/** Milliseconds between two renewals of leases. A lease that a claim has just extended isn't renewed. */
const RENEW_INTERVAL_MS = 2_500;
/** Milliseconds until a claim is retried if another node held the lane. */
const CLAIM_RETRY_DELAY_MS = 100;
/** The most concurrent attempts on this node, for all webhooks together. */
export const MAX_IN_FLIGHT = 2_000;
/** A webhook with fewer running attempts than this may use all slots. Others may use half of them. */
const RESERVED_SLOTS = 2;
/** The most first attempts, and the most retries, that one claim statement takes. */
const MAX_CLAIMED = 1_024;
/**
 * At shutdown: milliseconds for running attempts, and milliseconds to store results and release lanes.
 */
const SHUTDOWN_TIMEOUT_MS = 3_000;
const RELEASE_TIMEOUT_MS = 2_000;

/**
 * Sends the events of the outbox (CONTRACT: Webhooks). Domain events are only wake-up hints. All state is in the database, so any node
 * can continue where another stopped.
 */
@Injectable()
export class WebhookDispatcher implements LaneHost, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WebhookDispatcher.name);
  private readonly workers = new Map<LaneKey, LaneWorker>();
  private readonly results: ResultWriter;
  private readonly waitingForSlot = new Set<LaneWorker>();
  /** The lanes whose claims will be retried soon. */
  private readonly refused = new Set<LaneKey>();
  private readonly timers: NodeJS.Timeout[] = [];
  private inFlight = 0;
  private isPolling = false;
  private isStopping = false;
  private isAborting = false;
  private readonly emptied = new EmptySignal();
  private readonly redirects = new LogSampler((omitted) =>
    this.logger.log({ omitted }, 'more webhooks were answered with redirects'),
  );

  private readonly claimBatched: (claim: Claim) => Promise<Taken | null>;
  private readonly releaseBatched: (lane: HeldLane) => Promise<void>;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly metrics: WebhookMetrics,
    queues: QueueDepths,
  ) {
    this.results = new ResultWriter(pool);
    queues.add('webhook_result', () => this.results.pending);
    this.claimBatched = batch((claims: readonly Claim[]) => this.claimAll(claims), MAX_LANES);
    this.releaseBatched = batch<HeldLane, undefined>(async (lanes) => {
      const failures = new Map<number, Error>();
      await releaseLanes(pool, lanes, failures);
      return lanes.map((_, place) => failures.get(place) ?? undefined);
    }, MAX_LANES);
  }

  onApplicationBootstrap(): void {
    this.timers.push(setInterval(() => void this.poll(), POLL_INTERVAL_MS));
    this.timers.push(setInterval(() => void this.renew(), RENEW_INTERVAL_MS));
  }

  /** Releases all lanes: idle ones immediately, the others when their attempts end or after 3 s. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    for (const worker of this.workers.values()) worker.drain();
    if (!(await this.isEmptyWithin(SHUTDOWN_TIMEOUT_MS))) {
      this.isAborting = true;
      await this.sender.close();
      if (!(await this.isEmptyWithin(RELEASE_TIMEOUT_MS)))
        this.logger.warn('shut down before all webhook leases were released; other nodes take over when they expire');
    }
    this.results.close();
    await this.sender.close();
  }

  /** Called when lanes may have due deliveries. In a drill, they wait. */
  wake(lanes: readonly Lane[]): void {
    if (this.isStopping || this.config.DRILL) return;
    for (const lane of lanes) {
      const key = laneKeyOf(lane);
      if (this.refused.has(key)) continue;
      let worker = this.workers.get(key);
      if (!worker) this.workers.set(key, (worker = new LaneWorker(lane, this)));
      worker.wake();
    }
  }

  /** Called when a webhook was changed on this node. Later attempts use the new settings. */
  refresh(lane: Lane): void {
    this.workers.get(laneKeyOf(lane))?.refresh();
  }

  /** Called when an organization was deleted. Running attempts end; further ones don't start. */
  stop(organizationId: string): void {
    for (const worker of this.workers.values())
      if (parseLane(worker.key).organizationId === organizationId) worker.drain();
  }

  claim(claim: Claim): Promise<Taken | null> {
    return this.claimBatched(claim).catch((err: unknown) => {
      this.logger.warn({ err }, 'could not claim deliveries');
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
    held: HeldLane,
    { id, target, attemptCount, retryCount }: TakenDelivery,
    result: AttemptResult,
    isAlive: boolean,
  ): Promise<boolean> {
    // An attempt that this node aborted isn't counted.
    if (this.isAborting && result.status === null) return false;
    const retryAfter = isSuccess(result)
      ? null
      : nextRetry(this.config.WEBHOOK_RETRY_SECONDS, retryCount, result.retryAfter);
    const verdict = toVerdict(result, retryAfter);
    if (isRedirect(result.status)) this.logRedirect(held, result);
    const { url } = target;
    const isFailing = await this.results.write({
      ...result,
      held,
      id,
      url,
      attemptCount,
      isAlive,
      verdict,
      retryAfter,
    });
    this.metrics.judged(verdict);
    return isFailing;
  }

  private logRedirect(
    { lane: { organizationId, id: webhookId } }: HeldLane,
    { status, error: reason }: AttemptResult,
  ): void {
    if (this.redirects.admits(webhookId))
      this.logger.log({ organizationId, webhookId, status, reason }, "a webhook redirects, so its event isn't retried");
  }

  async release(held: HeldLane): Promise<void> {
    await this.releaseBatched(held).catch((err: unknown) => this.logger.warn({ err }, 'could not release a lane'));
  }

  // Reserves half of the slots for webhooks with fewer than RESERVED_SLOTS running attempts, so that many slow webhooks don't block the
  // others.
  acquireSlot(worker: LaneWorker, inFlight: number): boolean {
    const isFree = this.inFlight < (inFlight < RESERVED_SLOTS ? MAX_IN_FLIGHT : MAX_IN_FLIGHT / 2);
    if (isFree) this.inFlight++;
    else this.waitingForSlot.add(worker);
    return isFree;
  }

  releaseSlot(): void {
    const before = --this.inFlight;
    for (const worker of Array.from(this.waitingForSlot)) {
      this.waitingForSlot.delete(worker);
      worker.step();
      if (this.inFlight > before) return;
    }
  }

  removeWorker(worker: LaneWorker): void {
    this.workers.delete(worker.key);
    this.waitingForSlot.delete(worker);
    if (this.workers.size === 0) this.emptied.notify();
  }

  /** Wakes the lanes with due deliveries that no node serves. */
  async poll(): Promise<void> {
    if (this.isPolling || this.isStopping || this.config.DRILL) return;
    this.isPolling = true;
    // Other nodes may have queued deliveries in the lanes of this node.
    for (const worker of this.workers.values()) worker.wake();
    try {
      this.wake((await findDueLanes(this.pool, MAX_LANES)).filter((lane) => !this.workers.has(laneKeyOf(lane))));
    } catch (err) {
      this.logger.debug({ err }, 'could not check for due deliveries');
    } finally {
      this.isPolling = false;
    }
  }

  private async renew(): Promise<void> {
    const renewedAt = performance.now();
    // A claim has extended the other leases, so renewing them would only lock their rows.
    const held = [...this.workers.values()].filter((worker) => worker.isRenewalDue(renewedAt, RENEW_INTERVAL_MS));
    if (held.length === 0) return;
    const leases = held.map(({ lease }) => lease!);
    const failures = new Map<number, Error>();
    const kept = await renewLanes(this.pool, leases, failures).catch(() => null);
    if (kept === null) return;
    const keys = new Set(kept);
    held.forEach((worker, index) => {
      if (failures.has(index)) return;
      if (keys.has(worker.key)) worker.extendLease(renewedAt);
      else if (worker.lease?.fence === leases[index]!.fence) worker.loseLease();
    });
  }

  private async claimAll(claims: readonly Claim[]): Promise<(Taken | null)[]> {
    const rows = new Map<LaneKey, ClaimedRow[]>(claims.map(({ lane }) => [laneKeyOf(lane), []]));
    const room = Math.ceil(MAX_CLAIMED / claims.length);
    const bounded = claims.map((claim) => ({ ...claim, room: Math.min(claim.room, room) }));
    const failures = new Map<number, Error>();
    for (const row of await claimDeliveries(this.pool, bounded, failures)) rows.get(row.lane)?.push(row);
    return claims.map(({ lane, fence }, place) => {
      if (failures.has(place)) return null;
      const key = laneKeyOf(lane);
      const taken = rows.get(key)!;
      if (taken.length > 0) return this.toTaken(taken, room);
      if (fence === null) this.retrySoon(key);
      return null;
    });
  }

  // Usually another node holds the lane and takes the new deliveries itself, unless it's just releasing the lane.
  private retrySoon(key: LaneKey): void {
    if (this.refused.size === 0) setTimeout(() => this.pollRefused(), CLAIM_RETRY_DELAY_MS).unref();
    this.refused.add(key);
  }

  private pollRefused(): void {
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
    return this.workers.size === 0 ? Promise.resolve(true) : this.emptied.wait(milliseconds);
  }
}

function toVerdict(result: AttemptResult, retryAfter: number | null): Verdict {
  if (isSuccess(result)) return 'delivered';
  if (result.status === 410) return 'gone';
  if (isRedirect(result.status)) return 'dead';
  return retryAfter === null ? 'dead' : 'retry';
}
