/**
 * The readings of something that events change too. An answer may be older than what came while it was awaited: that is done again
 * over it. The answer of a reading that was overtaken by a later one changes nothing.
 */
export class Readings {
  #meanwhile: (() => void)[] | null = null;
  #latest: Promise<void> = Promise.resolve();

  /** To be called with each change by an event: how to do it again. */
  note(change: () => void): void {
    this.#meanwhile?.push(change);
  }

  /** Reads, and takes the answer. A reading that is overtaken ends as the later one does. @throws what `ask` throws */
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
    // What is done again is not noted again.
    this.#meanwhile = null;
    take(answer);
    for (const change of meanwhile) change();
  }
}
