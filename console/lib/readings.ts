/**
 * The readings of something that events change too. An answer may be older than what came while it was awaited: that is done again
 * over it. The answer of a reading that was overtaken by a later one changes nothing.
 */
export class Readings {
  #meanwhile: (() => void)[] | null = null;

  /** To be called with each change by an event: how to do it again. */
  note(change: () => void): void {
    this.#meanwhile?.push(change);
  }

  /** Reads, and takes the answer. */
  async read<T>(ask: () => Promise<T>, take: (answer: T) => void): Promise<void> {
    const meanwhile: (() => void)[] = [];
    this.#meanwhile = meanwhile;
    const answer = await ask();
    if (this.#meanwhile !== meanwhile) return;
    this.#meanwhile = null;
    take(answer);
    for (const change of meanwhile) change();
  }
}
