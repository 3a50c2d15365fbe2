import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds to pause for each event of the last answer, and at most. */
const PAUSE_PER_EVENT = 10;
const MAX_PAUSE = 50;

/**
 * Lets the calls of a busy bot take several events at a time: each call costs about as much as a message. After an answer of
 * several events, with none left, the bot's next one comes a moment later; a bot with few events does not wait.
 */
export class Pace {
  private readonly pausedUntil = new Map<string, number>();

  /** An answer with so many events was given to a bot. */
  note(bot: string, events: number, hasMore: boolean): void {
    if (events < 2 || hasMore) this.pausedUntil.delete(bot);
    else this.pausedUntil.set(bot, performance.now() + Math.min(events * PAUSE_PER_EVENT, MAX_PAUSE));
  }

  /** Resolves when the bot's next answer may be made. */
  async wait(bot: string): Promise<void> {
    const left = (this.pausedUntil.get(bot) ?? 0) - performance.now();
    if (left > 0) await sleep(left);
  }

  /** Forgets the pauses that are over. */
  tidy(): void {
    const now = performance.now();
    for (const [bot, until] of this.pausedUntil) if (until <= now) this.pausedUntil.delete(bot);
  }
}
