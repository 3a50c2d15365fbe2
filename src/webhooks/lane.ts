import {
  type Claim,
  type DueDelivery,
  type HeldLane,
  type LaneKey,
  LEASE_SECONDS,
  MAX_CONCURRENT,
} from './dispatch.queries.js';
import { type AttemptResult, isSuccess, type Target } from './sender.js';

/** Deliveries a lane takes at a time, and those it holds at most. */
export const MAX_TAKEN = 64;
export const MAX_HELD = 256;
/** Milliseconds that what is known of a webhook, like its URL, is good for when it was not changed here. */
const MAX_AGE = 3_000;
/** Milliseconds between one asking for deliveries and the next: under load each brings more. */
const ASK_INTERVAL = 10;

/** A delivery that was taken, and where it goes. */
export interface TakenDelivery extends DueDelivery {
  target: Target;
}

/** What a claim brought. */
export interface Taken {
  fence: string;
  isFailing: boolean;
  /** Whether as many came as were asked for. */
  isFull: boolean;
  deliveries: TakenDelivery[];
}

/** What a lane needs of the node it is served by. */
export interface LaneHost {
  /** Null when somebody else serves the lane, or it has to rest, or is disabled. */
  claim(claim: Claim): Promise<Taken | null>;
  attempt(delivery: TakenDelivery): Promise<AttemptResult>;
  /** Resolves once it is written down, with whether the webhook fails. */
  finish(lane: HeldLane, delivery: TakenDelivery, result: AttemptResult, isAlive: boolean): Promise<boolean>;
  release(lane: HeldLane): Promise<void>;
  /** Whether one more attempt may be made on this node; when not, the lane is stepped later. */
  takeSlot(lane: Lane, inFlight: number): boolean;
  giveSlot(): void;
  /** The lane is served no longer. */
  leave(lane: Lane): void;
}

/**
 * A webhook being served by this node: takes deliveries, makes up to 16 attempts at a time, and gives the lane back when
 * nothing is left. The first attempt of a message begins when that of the chat's message before has ended.
 */
export class Lane {
  private ready: TakenDelivery[] = [];
  /** First attempts behind the one of their chat that is going on. */
  private readonly behind = new Map<string, TakenDelivery[]>();
  /** Positions of what was taken and is not written down yet. */
  private readonly held = new Set<string>();
  private inFlight = 0;
  private hasSucceeded = false;
  private failures = 0;
  private takenAt = 0;
  private fence: string | null = null;
  private leaseEndsAt = 0;
  private mayHaveMore = true;
  private isAsking = false;
  private isResting = false;
  /** Whether what is being asked for was changed meanwhile. */
  private isOutdated = false;
  private askedAt = Number.NEGATIVE_INFINITY;
  private timer?: NodeJS.Timeout;

  constructor(
    readonly key: LaneKey,
    private readonly host: LaneHost,
  ) {}

  /** The lease, null while there is none. */
  get lease(): HeldLane | null {
    return this.fence === null ? null : { key: this.key, fence: this.fence };
  }

  /** There may be something to take. */
  wake(): void {
    this.mayHaveMore = true;
    this.step();
  }

  /** The lease holds for its whole time from `now` on, in milliseconds of `performance.now()`. */
  renewed(now: number): void {
    this.leaseEndsAt = now + LEASE_SECONDS * 1000;
  }

  /** Takes nothing more and forgets what has not been tried: the receiver fails, or the node shuts down. */
  rest(): void {
    this.isResting = true;
    this.forget();
    this.step();
  }

  /** The webhook has changed: what has not been tried is taken anew, as it is now. */
  refresh(): void {
    this.isOutdated = this.isAsking;
    this.forget();
    this.wake();
  }

  /** Somebody else may serve it by now. */
  lose(): void {
    this.fence = null;
    this.rest();
  }

  /** Goes on with whatever can be gone on with. */
  step(): void {
    while (this.ready.length > 0 && this.inFlight < MAX_CONCURRENT) {
      if (performance.now() > this.leaseEndsAt) return this.lose();
      if (performance.now() > this.takenAt + MAX_AGE) return this.isResting ? this.rest() : this.refresh();
      if (!this.host.takeSlot(this, this.inFlight)) break;
      void this.attempt(this.ready.shift()!);
    }
    if (this.isAsking) return;
    const isShort = this.ready.length < MAX_CONCURRENT / 2 && this.held.size + MAX_TAKEN <= MAX_HELD;
    if (this.mayHaveMore && isShort && !this.isResting) this.askSoon();
    else if (this.held.size === 0) void this.end();
  }

  private askSoon(): void {
    const wait = this.askedAt + ASK_INTERVAL - performance.now();
    if (wait <= 0) return void this.ask();
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.step();
    }, wait);
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    this.mayHaveMore = false;
    const askedAt = (this.askedAt = performance.now());
    const taken = await this.host.claim({
      key: this.key,
      fence: this.fence,
      room: MAX_TAKEN,
      held: [...this.held],
    });
    this.isAsking = false;
    if (taken) this.take(this.isOutdated ? { ...taken, deliveries: [], isFull: true } : taken, askedAt);
    this.isOutdated = false;
    if (!taken || this.isResting) this.rest();
    // A failing webhook gets one round; then it is left alone, and whoever finds it due serves it.
    else if (taken.isFailing) this.isResting = true;
    this.step();
  }

  private take({ fence, isFull, deliveries }: Taken, askedAt: number): void {
    this.fence = fence;
    this.renewed(askedAt);
    const isEmpty = this.ready.length === 0 && [...this.behind.values()].every((line) => line.length === 0);
    if (isEmpty) this.takenAt = askedAt;
    for (const delivery of deliveries) this.add(delivery);
    this.mayHaveMore ||= isFull;
  }

  private add(delivery: TakenDelivery): void {
    this.held.add(delivery.position);
    const line = delivery.isFirst ? this.behind.get(delivery.chatId) : undefined;
    if (line) return void line.push(delivery);
    if (delivery.isFirst) this.behind.set(delivery.chatId, []);
    this.ready.push(delivery);
  }

  private async attempt(delivery: TakenDelivery): Promise<void> {
    const lease = this.lease!;
    this.inFlight++;
    const result = await this.host.attempt(delivery);
    this.inFlight--;
    this.host.giveSlot();
    void this.finish(lease, delivery, result);
    if (delivery.isFirst) this.callNext(delivery.chatId);
    this.step();
  }

  private callNext(chatId: string): void {
    const next = this.behind.get(chatId)?.shift();
    if (next) this.ready.push(next);
    else this.behind.delete(chatId);
  }

  private async finish(lease: HeldLane, delivery: TakenDelivery, result: AttemptResult): Promise<void> {
    // A few failures among successes are the events' own; so many in a row are the receiver's.
    this.failures = isSuccess(result) ? 0 : this.failures + 1;
    const isAlive = this.hasSucceeded && this.failures < MAX_CONCURRENT;
    this.hasSucceeded ||= isSuccess(result);
    const isFailing = await this.host.finish(lease, delivery, result, isAlive);
    this.held.delete(delivery.position);
    // In the one round of a failing webhook what was taken a moment ago gets its attempt.
    if (isFailing && !this.isResting) this.rest();
    else this.step();
  }

  // A chat stays known only while an attempt of its is under way: what comes later goes behind that.
  private forget(): void {
    const lines = [...this.behind.values()];
    for (const { position } of [...this.ready, ...lines.flat()]) this.held.delete(position);
    for (const line of lines) line.length = 0;
    for (const { isFirst, chatId } of this.ready) if (isFirst) this.behind.delete(chatId);
    this.ready.length = 0;
  }

  private async end(): Promise<void> {
    this.isAsking = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    const { lease } = this;
    this.fence = null;
    if (lease) await this.host.release(lease);
    this.isAsking = false;
    const hasWoken = this.mayHaveMore && !this.isResting;
    if (hasWoken) this.step();
    else this.host.leave(this);
  }
}
