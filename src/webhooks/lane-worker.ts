import { type Claim, type DueDelivery, type HeldLane, LEASE_SECONDS, MAX_CONCURRENT } from './dispatch.queries.js';
import { type Lane, type LaneKey, laneKeyOf } from '../receivers/lane.js';
import { type AttemptResult, isSuccess } from '../platform/outbound/attempt.js';
import type { Target } from './sender.js';

/** The most deliveries that a lane takes at a time, and the most that it holds. */
export const MAX_TAKEN = 64;
export const MAX_HELD = 256;
/**
 * A chat is full when this many first attempts wait for its running one: no further ones are taken. If the lane is full, only this
 * many are kept per chat, so that MAX_CONCURRENT busy chats leave room for other chats.
 */
const ENOUGH_OF_CHAT = 8;
/**
 * How long a webhook's settings, such as its URL, are used before they're read again, in milliseconds. A change on this node applies
 * immediately.
 */
const MAX_TARGET_AGE_MS = 3_000;
/** The shortest time between two claims, in milliseconds, so that under load each claim takes more deliveries. */
const CLAIM_INTERVAL_MS = 10;
/** Milliseconds until the next claim if one failed while attempts run. It doubles with each further failure, up to a maximum. */
const CLAIM_RETRY_DELAY_MS = 100;
const MAX_CLAIM_RETRY_DELAY_MS = 2_000;
/** After a claim that skipped chats, which may have read many deliveries, the pause is this many times its duration. */
const PAUSE_FACTOR = 4;

/** A delivery that was taken, and its target. */
export interface TakenDelivery extends DueDelivery {
  target: Target;
}

/** The result of a claim. */
export interface Taken {
  fence: string;
  isFailing: boolean;
  /** Whether the claim took as many deliveries as it could. */
  isFull: boolean;
  deliveries: TakenDelivery[];
}

/** The functions that a lane's worker needs from its node. */
export interface LaneHost {
  /** Null if another node holds the lane, its row is locked, it's paused or disabled, or the claim failed. */
  claim(claim: Claim): Promise<Taken | null>;
  attempt(delivery: TakenDelivery): Promise<AttemptResult>;
  /** Resolves once the result is stored, with whether the webhook is failing. */
  finish(held: HeldLane, delivery: TakenDelivery, result: AttemptResult, isAlive: boolean): Promise<boolean>;
  release(held: HeldLane): Promise<void>;
  /** Whether one more attempt may start on this node; if not, `step` is called later. */
  acquireSlot(worker: LaneWorker, inFlight: number): boolean;
  releaseSlot(): void;
  /** Called when the lane has been released. */
  removeWorker(worker: LaneWorker): void;
}

/**
 * Serves a webhook's lane on this node: takes deliveries, makes up to 16 attempts concurrently, and releases the lane when nothing is
 * left. The first attempt of a message starts after the attempt of the chat's previous message has ended.
 */
export class LaneWorker {
  private ready: TakenDelivery[] = [];
  /** First attempts that wait for the running first attempt of their chat. */
  private readonly waitingByChat = new Map<string, TakenDelivery[]>();
  /** The positions of taken deliveries whose results aren't stored yet. */
  private readonly held = new Set<string>();
  private inFlight = 0;
  private hasSucceeded = false;
  private failures = 0;
  private takenAt = 0;
  private fence: string | null = null;
  private leaseEndsAt = 0;
  private mayHaveMore = true;
  private isBusy = false;
  private isDraining = false;
  /** Whether the webhook changed during the current claim. */
  private isOutdated = false;
  private nextClaimAt = Number.NEGATIVE_INFINITY;
  private retryDelay = CLAIM_RETRY_DELAY_MS;
  private timer?: NodeJS.Timeout;

  readonly key: LaneKey;

  constructor(
    private readonly lane: Lane,
    private readonly host: LaneHost,
  ) {
    this.key = laneKeyOf(lane);
  }

  /** The lease; null without one. */
  get lease(): HeldLane | null {
    return this.fence === null ? null : { lane: this.lane, fence: this.fence };
  }

  /** Called when the lane may have deliveries to take. */
  wake(): void {
    this.mayHaveMore = true;
    this.step();
  }

  /** Whether the lease wasn't extended in the last `interval` milliseconds. @param now by `performance.now()` */
  isRenewalDue(now: number, interval: number): boolean {
    return this.fence !== null && now >= this.leaseEndsAt - LEASE_SECONDS * 1000 + interval;
  }

  /** Extends the lease to its full duration. @param now by `performance.now()` */
  extendLease(now: number): void {
    this.leaseEndsAt = now + LEASE_SECONDS * 1000;
  }

  /**
   * Stops taking deliveries and drops the unattempted ones, because the receiver fails, the lease is lost, the lane couldn't be claimed,
   * or the node shuts down.
   */
  drain(): void {
    this.isDraining = true;
    this.dropUnstarted();
    this.step();
  }

  /**
   * Called when the webhook has changed. Drops unattempted deliveries and takes them again with the new settings.
   */
  refresh(): void {
    this.isOutdated = this.isBusy;
    this.dropUnstarted();
    this.wake();
  }

  /** Called when another node may hold the lane. */
  loseLease(): void {
    this.fence = null;
    this.drain();
  }

  /** Starts as many attempts as possible, then claims more deliveries or releases the lane. */
  step(): void {
    while (this.ready.length > 0 && this.inFlight < MAX_CONCURRENT) {
      if (performance.now() > this.leaseEndsAt) return this.loseLease();
      if (performance.now() > this.takenAt + MAX_TARGET_AGE_MS) return this.isDraining ? this.drain() : this.refresh();
      if (!this.host.acquireSlot(this, this.inFlight)) break;
      void this.attempt(this.ready.shift()!);
    }
    if (this.isBusy) return;
    const needsMore = this.ready.length < MAX_CONCURRENT / 2 && this.held.size + MAX_TAKEN <= MAX_HELD;
    if (this.mayHaveMore && needsMore && !this.isDraining) this.scheduleClaim();
    else if (this.held.size === 0) void this.end();
  }

  private scheduleClaim(): void {
    const wait = this.nextClaimAt - performance.now();
    if (wait <= 0) return void this.claim();
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.step();
    }, wait);
  }

  private async claim(): Promise<void> {
    this.isBusy = true;
    this.mayHaveMore = false;
    const claimedAt = performance.now();
    const fullChats = [...this.waitingByChat].flatMap(([id, { length }]) => (length < ENOUGH_OF_CHAT ? [] : [id]));
    const taken = await this.host.claim({
      lane: this.lane,
      fence: this.fence,
      room: MAX_TAKEN,
      held: [...this.held],
      fullChats,
    });
    const endedAt = performance.now();
    const pause = fullChats.length > 0 ? PAUSE_FACTOR * (endedAt - claimedAt) : 0;
    this.nextClaimAt = Math.max(claimedAt + CLAIM_INTERVAL_MS, endedAt + pause);
    this.isBusy = false;
    if (taken) this.take(this.isOutdated ? { ...taken, deliveries: [], isFull: true } : taken, claimedAt);
    else this.retryOrDrain(endedAt);
    this.isOutdated = false;
    if (this.isDraining) this.drain();
    // A failing webhook gets one round of attempts; then it is paused, and the node that next finds it due serves it.
    else if (taken?.isFailing) this.isDraining = true;
    this.step();
  }

  // While attempts run, a claim may fail because the renewal of this lease has locked the lane's row, or because the database is
  // unavailable. Nothing is attempted until a claim succeeds. The renewal notices a lost lease.
  private retryOrDrain(now: number): void {
    if (this.fence === null || this.held.size === 0) this.isDraining = true;
    this.dropUnstarted();
    this.mayHaveMore = true;
    this.nextClaimAt = now + this.retryDelay;
    this.retryDelay = Math.min(2 * this.retryDelay, MAX_CLAIM_RETRY_DELAY_MS);
  }

  private take({ fence, isFull, deliveries }: Taken, claimedAt: number): void {
    this.fence = fence;
    this.retryDelay = CLAIM_RETRY_DELAY_MS;
    this.extendLease(claimedAt);
    const isEmpty = this.ready.length === 0 && [...this.waitingByChat.values()].every((queue) => queue.length === 0);
    if (isEmpty) this.takenAt = claimedAt;
    for (const delivery of deliveries) this.add(delivery);
    if (this.held.size + MAX_TAKEN > MAX_HELD) this.shortenQueues();
    this.mayHaveMore ||= isFull;
  }

  private add(delivery: TakenDelivery): void {
    this.held.add(delivery.position);
    const queue = delivery.isFirst ? this.waitingByChat.get(delivery.chatId) : undefined;
    if (queue) return void queue.push(delivery);
    if (delivery.isFirst) this.waitingByChat.set(delivery.chatId, []);
    this.ready.push(delivery);
  }

  private async attempt(delivery: TakenDelivery): Promise<void> {
    const lease = this.lease!;
    this.inFlight++;
    const result = await this.host.attempt(delivery);
    this.inFlight--;
    this.host.releaseSlot();
    void this.finish(lease, delivery, result);
    if (delivery.isFirst) this.startNext(delivery.chatId);
    this.step();
  }

  // The deliveries at the end of a chat's queue are taken again, in order, when fewer wait.
  private shortenQueues(): void {
    for (const queue of this.waitingByChat.values())
      for (const { position } of queue.splice(ENOUGH_OF_CHAT)) this.held.delete(position);
  }

  private startNext(chatId: string): void {
    const queue = this.waitingByChat.get(chatId);
    const next = queue?.shift();
    // Deliveries of the chat may have been left out while it had more.
    if (queue?.length === ENOUGH_OF_CHAT / 2) this.mayHaveMore = true;
    if (next) this.ready.push(next);
    else this.waitingByChat.delete(chatId);
  }

  private async finish(lease: HeldLane, delivery: TakenDelivery, result: AttemptResult): Promise<void> {
    // If single events fail, successes come in between. MAX_CONCURRENT failures in a row mean that the receiver fails.
    this.failures = isSuccess(result) ? 0 : this.failures + 1;
    const isAlive = this.hasSucceeded && this.failures < MAX_CONCURRENT;
    this.hasSucceeded ||= isSuccess(result);
    const isFailing = await this.host.finish(lease, delivery, result, isAlive);
    this.held.delete(delivery.position);
    // A failing webhook gets one round, so the deliveries that were just taken still get their attempt.
    if (isFailing && !this.isDraining) this.drain();
    else this.step();
  }

  // Keeps a chat's queue only while an attempt of the chat runs, so that later deliveries can join it.
  private dropUnstarted(): void {
    const queues = [...this.waitingByChat.values()];
    for (const { position } of [...this.ready, ...queues.flat()]) this.held.delete(position);
    for (const queue of queues) queue.length = 0;
    for (const { isFirst, chatId } of this.ready) if (isFirst) this.waitingByChat.delete(chatId);
    this.ready.length = 0;
  }

  private async end(): Promise<void> {
    this.isBusy = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    const { lease } = this;
    this.fence = null;
    if (lease) await this.host.release(lease);
    this.isBusy = false;
    const wasWoken = this.mayHaveMore && !this.isDraining;
    if (wasWoken) this.step();
    else this.host.removeWorker(this);
  }
}
