import { after, type Timer } from './timer.js';

/** A timer that can be paused. */
export class Clock {
  private timer?: Timer;
  private startedAt = 0;
  private pauses = 1;

  constructor(
    private left: number,
    private readonly ring: () => void,
  ) {}

  /** Starts the timer, or ends one pause. */
  go(): void {
    if (--this.pauses > 0) return;
    this.startedAt = performance.now();
    this.timer = after(this.left, this.ring);
  }

  pause(): void {
    if (this.pauses++ > 0) return;
    clearTimeout(this.timer);
    this.left = Math.max(0, this.left - (performance.now() - this.startedAt));
  }
}
