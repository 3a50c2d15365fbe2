/**
 * Reads of data that events change too. A response may be older than the events that arrived while it was awaited, so these are
 * replayed over it. Outdated responses are ignored.
 */
export class Readings {
  #meanwhile: (() => void)[] | null = null;
  #latest: Promise<void> = Promise.resolve();

  /** Call this with each change that an event makes, so that it can be replayed. */
  note(change: () => void): void {
    this.#meanwhile?.push(change);
  }

  /** Reads, and applies the response. An outdated read ends as the later one does. @throws what `ask` throws */
  read<T>(ask: () => Promise<T>, take: (answer: T) => void): Promise<void> {
    this.#latest = this.#read(ask, take);
    return this.#latest;
  }

  async #read<T>(ask: () => Promise<T>, take: (answer: T) => void): Promise<void> {
    const meanwhile: (() => void)[] = [];
    this.#meanwhile = meanwhile;
    const answer = await ask().catch((error: unknown) => {
      if (this.#meanwhile === meanwhile) this.#meanwhile = null;
      throw error;
    });
    if (this.#meanwhile !== meanwhile) return this.#latest;
    // Replayed changes aren't recorded again.
    this.#meanwhile = null;
    take(answer);
    for (const change of meanwhile) change();
  }
}
