import { TimeIsOver } from './time-limit.js';

/** How long after its last search an organization counts as searching, in milliseconds. */
const SEARCHES_FOR_MS = 60_000;

/**
 * Gives a node's searches their turns, round robin by organization. While several organizations search, none has all turns, so a large one
 * whose searches take their whole time doesn't keep the others from searching.
 */
export class SearchTurns {
  private readonly active = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();
  /** When each organization last searched, the earliest first. */
  private readonly searchedAt = new Map<string, number>();
  private count = 0;

  /** @param atOnce how many searches run at a time, at least 2 */
  constructor(private readonly atOnce: number) {}

  /** Waits for a turn, for some milliseconds. Returns what ends the turn. @throws TimeIsOver */
  async begin(organizationId: string, milliseconds: number): Promise<() => void> {
    this.note(organizationId);
    if (this.mayBegin(organizationId)) this.take(organizationId);
    else await this.wait(organizationId, milliseconds);
    return () => this.end(organizationId);
  }

  private note(organizationId: string): void {
    const now = performance.now();
    this.searchedAt.delete(organizationId);
    this.searchedAt.set(organizationId, now);
    for (const [id, at] of this.searchedAt) {
      if (now - at < SEARCHES_FOR_MS) break;
      this.searchedAt.delete(id);
    }
  }

  private mayBegin(organizationId: string): boolean {
    if (this.count >= this.atOnce) return false;
    const own = this.active.get(organizationId) ?? 0;
    return own < this.atOnce - 1 || this.searchedAt.size === 1;
  }

  private take(organizationId: string): void {
    this.count++;
    this.active.set(organizationId, (this.active.get(organizationId) ?? 0) + 1);
  }

  private wait(organizationId: string, milliseconds: number): Promise<void> {
    const ofOne = this.waiting.get(organizationId) ?? [];
    this.waiting.set(organizationId, ofOne);
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.take(organizationId);
        resolve();
      };
      const timer = setTimeout(() => {
        ofOne.splice(ofOne.indexOf(start), 1);
        if (ofOne.length === 0 && this.waiting.get(organizationId) === ofOne) this.waiting.delete(organizationId);
        reject(new TimeIsOver());
      }, milliseconds).unref();
      ofOne.push(start);
    });
  }

  private end(organizationId: string): void {
    this.count--;
    const own = this.active.get(organizationId)! - 1;
    if (own === 0) this.active.delete(organizationId);
    else this.active.set(organizationId, own);
    for (const [id, ofOne] of this.waiting) {
      if (!this.mayBegin(id)) continue;
      const start = ofOne.shift()!;
      // Its next search comes after the next ones of the others.
      this.waiting.delete(id);
      if (ofOne.length > 0) this.waiting.set(id, ofOne);
      start();
    }
  }
}
