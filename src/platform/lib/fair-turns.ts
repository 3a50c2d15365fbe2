import { overloaded } from '../http/problem.js';

interface Waiter {
  start: () => void;
  refuse: (error: Error) => void;
  since: number;
}

/** Runs some work in its turn, and answers what it answers. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** Who has waited for longer is refused instead of started, in milliseconds: their client was told so by now. */
const MAX_WAIT = 4_000;
/** Waiting work of one key that is refused beyond this number, and of all keys together. */
const MAX_WAITING_OF_KEY = 500;
const MAX_WAITING = 4_000;

/**
 * Lets a few do their work at a time. Those who wait take turns by their key: however much one asks for, the next of
 * another waits for one turn of it.
 */
export class FairTurns {
  private active = 0;
  private readonly waiting = new Map<string, Waiter[]>();
  private count = 0;

  constructor(private readonly atOnce: number) {}

  /** How many are at work or wait. */
  get depth(): number {
    return this.active + this.count;
  }

  /** Does the work in its turn; not inside of another turn. @throws Problem unavailable when too many wait */
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
    if (ofKey.length >= MAX_WAITING_OF_KEY) throw overloaded();
    if (this.count >= MAX_WAITING) this.makeRoom(ofKey);
    this.count++;
    await new Promise<void>((start, refuse) => {
      ofKey.push({ start, refuse, since: performance.now() });
      this.waiting.set(key, ofKey);
    });
  }

  /** The key that has most waiting gives up its newest, unless it is the one that asks. */
  private makeRoom(asking: readonly Waiter[]): void {
    let longest: Waiter[] = [];
    for (const waiters of this.waiting.values()) if (waiters.length > longest.length) longest = waiters;
    if (longest.length <= asking.length + 1) throw overloaded();
    this.count--;
    longest.pop()!.refuse(overloaded());
  }

  // Whoever is next takes over the turn; their key goes to the end of the row.
  private next(): void {
    for (const [key, waiters] of this.waiting) {
      const waiter = waiters.shift()!;
      this.waiting.delete(key);
      if (waiters.length > 0) this.waiting.set(key, waiters);
      this.count--;
      if (performance.now() - waiter.since <= MAX_WAIT) return waiter.start();
      waiter.refuse(overloaded());
    }
    this.active--;
  }
}
