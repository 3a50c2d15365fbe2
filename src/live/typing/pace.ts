import { hasAtMost } from '../../platform/validation/validators.js';
import type { Timings } from '../feeds/timings.js';

/** Texts of more characters than this are sent less often. */
const LONG = 1_000;

/** How many milliseconds pass between two texts of a sender, by the length of the second. */
export function paceOf(text: string, { texts, longTexts }: Timings): number {
  return hasAtMost(LONG, text) ? texts : longTexts;
}

/** Runs a function at most so often, and after the last request always. */
export class Pace {
  private ranAt = Number.NEGATIVE_INFINITY;
  private timer?: NodeJS.Timeout;

  constructor(private readonly run: () => void) {}

  /** @param pause milliseconds that must have passed since the last run; ignored while a run is due */
  request(pause: number): void {
    if (this.timer) return;
    const wait = this.ranAt + pause - performance.now();
    if (wait <= 0) this.go();
    else this.timer = setTimeout(() => this.go(), Math.ceil(wait)).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private go(): void {
    this.timer = undefined;
    this.ranAt = performance.now();
    this.run();
  }
}
