import { overloaded } from '../errors/problem.js';
import { TIME_LIMITS_MS } from './time-limits.js';

interface Waiter {
  start: () => void;
  refuse: (error: Error) => void;
  since: number;
}

/** Runs the work when its turn comes and returns its result. */
export type QueueRunner = <T>(work: () => Promise<T>) => Promise<T>;

/** Maximum waiting work in all; more is rejected. */
const MAX_WAITING = 4_000;
/** Maximum waiting work per key, unless a caller sets another limit. */
const MAX_WAITING_PER_KEY = 500;

/**
 * Limits how much work runs at a time. Waiting work starts round robin by key: a key with much waiting work delays each
 * other key by one turn only.
 */
export class FairQueue {
  private active = 0;
  private readonly waiting = new Map<string, Waiter[]>();
  private count = 0;

  constructor(
    private readonly atOnce: number,
    private readonly maxWaitingPerKey = MAX_WAITING_PER_KEY,
  ) {}

  /** How much work runs or waits. */
  get depth(): number {
    return this.active + this.count;
  }

  /**
   * Runs the work when its turn comes. Must not be called inside another turn.
   * @throws Problem unavailable when too many wait
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.active < this.atOnce) this.active++;
    else await this.wait(key);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private async wait(key: string): Promise<void> {
    const ofKey = this.waiting.get(key) ?? [];
    if (ofKey.length >= this.maxWaitingPerKey)
      throw overloaded(`${this.maxWaitingPerKey} of one owner wait for a turn`);
    if (this.count >= MAX_WAITING) this.evictNewest(ofKey);
    this.count++;
    await new Promise<void>((start, refuse) => {
      ofKey.push({ start, refuse, since: performance.now() });
      this.waiting.set(key, ofKey);
    });
  }

  /**
   * Makes room by rejecting the newest work of the key with the most waiting work.
   * @throws Problem unavailable when the caller's key would have the most itself, or as much
   */
  private evictNewest(asking: readonly Waiter[]): void {
    let longest: Waiter[] = [];
    for (const waiters of this.waiting.values()) if (waiters.length > longest.length) longest = waiters;
    const limit = `${MAX_WAITING} wait for a turn`;
    if (longest.length <= asking.length + 1) throw overloaded(limit);
    this.count--;
    longest.pop()!.refuse(overloaded(limit));
  }

  // Passes the turn to the next work, whose key moves to the end of the queue.
  private next(): void {
    for (const [key, waiters] of this.waiting) {
      const waiter = waiters.shift()!;
      this.waiting.delete(key);
      if (waiters.length > 0) this.waiting.set(key, waiters);
      this.count--;
      // The client of work that waited longer has already received a 503.
      if (performance.now() - waiter.since <= TIME_LIMITS_MS.request) return waiter.start();
      waiter.refuse(overloaded(`${TIME_LIMITS_MS.request} ms of waiting for a turn`));
    }
    this.active--;
  }
}
