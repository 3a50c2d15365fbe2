import { type Attempts, attemptEach } from '../platform/database/due-rows.js';

/** How long the work for an organization goes on before it's the others' turn, in milliseconds. */
export const SLICE_MS = 10_000;

/** Long work for several organizations. Each has its turn, so the data of a large one doesn't keep the others waiting. */
export class Turns<T> {
  /** What had a turn and hasn't ended. */
  private readonly begun = new Map<T, AsyncGenerator<void>>();
  readonly failed: T[] = [];

  constructor(private readonly attempts: Attempts<T>) {}

  /** Gives each of these a first turn. @param begin begins the work for one, which may pause at each `yield` */
  async add(items: readonly T[], begin: (item: T) => AsyncGenerator<void>): Promise<void> {
    for (const item of items) this.begun.set(item, begin(item));
    await this.take(items);
  }

  /** Gives turns until all have ended. */
  async finish(): Promise<void> {
    while (this.begun.size > 0) await this.take([...this.begun.keys()]);
  }

  /** Ends what hasn't ended, where it pauses. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.begun.values(), (steps) => steps.return(undefined)));
  }

  private async take(items: readonly T[]): Promise<void> {
    const failed = await attemptEach(this.attempts, items, async (item) => {
      const steps = this.begun.get(item)!;
      const end = performance.now() + SLICE_MS;
      let hasEnded = false;
      while (!hasEnded && performance.now() < end) hasEnded = (await steps.next()).done === true;
      if (hasEnded) this.begun.delete(item);
    });
    for (const item of failed) this.begun.delete(item);
    this.failed.push(...failed);
  }
}
