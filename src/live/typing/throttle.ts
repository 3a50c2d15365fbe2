import { hasAtMost } from '../../platform/validation/validators.js';
import type { Timings } from '../feeds/timings.js';

/** Texts of more characters than this are sent less often. */
const LONG_TEXT_CHARACTERS = 1_000;

/** The milliseconds between two texts of a sender, by the length of the second. */
export function textIntervalOf(text: string, { texts, longTexts }: Timings): number {
  return hasAtMost(LONG_TEXT_CHARACTERS, text) ? texts : longTexts;
}

/** Limits how often a function runs. It always runs after the last request. */
export class Throttle {
  private ranAt = Number.NEGATIVE_INFINITY;
  private timer?: NodeJS.Timeout;

  constructor(private readonly run: () => void) {}

  /** @param intervalMs the time since the last run that must have passed; ignored while a run is scheduled */
  request(intervalMs: number): void {
    if (this.timer) return;
    const wait = this.ranAt + intervalMs - performance.now();
    if (wait <= 0) this.runNow();
    else this.timer = setTimeout(() => this.runNow(), Math.ceil(wait)).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private runNow(): void {
    this.timer = undefined;
    this.ranAt = performance.now();
    this.run();
  }
}
