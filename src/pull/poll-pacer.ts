import { setTimeout as sleep } from 'node:timers/promises';

/** The pause after a response, for each of its events and at most. Only a bot with 100 events a second and more reaches the most. */
const PAUSE_PER_EVENT_MS = 10;
const MAX_PAUSE_MS = 100;

/**
 * Lets the polls of a busy bot return several events each, because a poll costs about as much as a message. After a response
 * with several events and none left, the bot's next response comes a moment later. A bot with few events never waits.
 */
export class PollPacer {
  private readonly pausedUntil = new Map<string, number>();

  /** Records how many events a response to the bot has. */
  record(bot: string, events: number, hasMore: boolean): void {
    if (events < 2 || hasMore) this.pausedUntil.delete(bot);
    else this.pausedUntil.set(bot, performance.now() + Math.min(events * PAUSE_PER_EVENT_MS, MAX_PAUSE_MS));
  }

  /** Resolves when the bot's next response is due. */
  async wait(bot: string): Promise<void> {
    const left = (this.pausedUntil.get(bot) ?? 0) - performance.now();
    if (left > 0) await sleep(left);
  }

  removeExpired(): void {
    const now = performance.now();
    for (const [bot, until] of this.pausedUntil) if (until <= now) this.pausedUntil.delete(bot);
  }
}
