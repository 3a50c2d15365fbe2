import { overloaded } from './problem.js';

type Start = () => void;

/** Waiting work of one key that is refused beyond this number, and of all keys together. */
const MAX_WAITING_OF_KEY = 500;
const MAX_WAITING = 4_000;

/**
 * Lets a few do their work at a time. Those who wait take turns by their key: however much one asks for, the next of
 * another waits for one turn of it.
 */
export class FairTurns {
  private active = 0;
  private readonly waiting = new Map<string, Start[]>();
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
    if (ofKey.length >= MAX_WAITING_OF_KEY || this.count >= MAX_WAITING) throw overloaded();
    this.count++;
    await new Promise<void>((resolve) => {
      ofKey.push(resolve);
      this.waiting.set(key, ofKey);
    });
  }

  // Whoever is next takes over the turn; their key goes to the end of the row.
  private next(): void {
    const [first] = this.waiting;
    if (!first) return void this.active--;
    const [key, starts] = first;
    const start = starts.shift()!;
    this.waiting.delete(key);
    if (starts.length > 0) this.waiting.set(key, starts);
    this.count--;
    start();
  }
}
