import { overloaded } from '../../platform/errors/problem.js';
import { TIME_LIMITS_MS } from '../../platform/lib/time-limits.js';

interface Waiter {
  keys: readonly string[];
  start: () => void;
  refuse: (error: Error) => void;
  since: number;
}

/** Maximum waiting work in all, and per key. */
const MAX_WAITING = 4_000;
const MAX_WAITING_PER_KEY = 500;
/** The most keys whose last turn is remembered. */
const MAX_KEYS = 10_000;

/**
 * Limits how much work runs at a time, and starts the work whose keys had a turn the longest ago. If work has several keys, such as
 * an organization and a network, its latest turn counts. So an organization that uses many networks waits like one that uses one,
 * and a client that asks rarely waits for one turn only, however many others ask all the time. For slow work: each turn compares
 * everything that waits.
 */
export class RecencyQueue {
  private active = 0;
  private turn = 0;
  private readonly turnOf = new Map<string, number>();
  private waiting: Waiter[] = [];

  constructor(private readonly atOnce: number) {}

  /** How much work runs or waits. */
  get depth(): number {
    return this.active + this.waiting.length;
  }

  /** The key that had a turn the longest ago; undefined for none. */
  leastRecent(keys: readonly string[]): string | undefined {
    return keys.toSorted((a, b) => this.lastTurn(a) - this.lastTurn(b))[0];
  }

  /**
   * Runs the work when its turn comes. Must not be called inside another turn.
   * @throws Problem unavailable when too many wait, or after the time of a request
   */
  async run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    if (this.active < this.atOnce) this.active++;
    else await this.wait(keys);
    this.turn++;
    for (const key of keys) this.remember(key);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private wait(keys: readonly string[]): Promise<void> {
    const isOver = (key: string) => this.waiting.filter((one) => one.keys.includes(key)).length >= MAX_WAITING_PER_KEY;
    if (keys.some(isOver)) throw overloaded(`${MAX_WAITING_PER_KEY} sign-ins of one key wait`);
    return new Promise<void>((start, refuse) => {
      this.waiting.push({ keys, start, refuse, since: performance.now() });
      // The work whose keys had a turn last is refused.
      if (this.waiting.length > MAX_WAITING)
        this.take(this.waiting.reduce((a, b) => (this.isBefore(b, a) ? a : b))).refuse(
          overloaded(`${MAX_WAITING} sign-ins wait`),
        );
    });
  }

  private next(): void {
    this.refuseLate();
    if (this.waiting.length === 0) this.active--;
    else this.take(this.waiting.reduce((a, b) => (this.isBefore(b, a) ? b : a))).start();
  }

  // The client of work that waited longer has already received a 503.
  private refuseLate(): void {
    const since = performance.now() - TIME_LIMITS_MS.request;
    const late = this.waiting.filter((waiter) => waiter.since < since);
    if (late.length > 0) this.waiting = this.waiting.filter((waiter) => waiter.since >= since);
    for (const { refuse } of late) refuse(overloaded(`${TIME_LIMITS_MS.request} ms of waiting for a sign-in`));
  }

  // Among work of one organization, the other key decides. Equal work starts in its order.
  private isBefore(a: Waiter, b: Waiter): boolean {
    const [ofA, ofB] = [a, b].map(({ keys }) => keys.map((key) => this.lastTurn(key))) as [number[], number[]];
    const latest = Math.max(...ofA) - Math.max(...ofB);
    return latest === 0 ? Math.min(...ofA) < Math.min(...ofB) : latest < 0;
  }

  private take(waiter: Waiter): Waiter {
    this.waiting.splice(this.waiting.indexOf(waiter), 1);
    return waiter;
  }

  private lastTurn(key: string): number {
    return this.turnOf.get(key) ?? 0;
  }

  private remember(key: string): void {
    this.turnOf.delete(key);
    this.turnOf.set(key, this.turn);
    if (this.turnOf.size > MAX_KEYS) this.turnOf.delete(this.turnOf.keys().next().value!);
  }
}
