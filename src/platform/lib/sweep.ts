/** What a sweep does, and when. */
export interface SweepTask {
  /** Milliseconds from the end of one run to the start of the next, read before each. */
  interval(): number;
  /** Whether there is something to check. If not, the sweep pauses until `schedule`. */
  isNeeded(): boolean;
  run(): Promise<void>;
  /** Called with each error of `run`. `isFirst`: the previous run succeeded, so a log line is worth it. */
  onError(error: unknown, isFirst: boolean): void;
}

/** Runs a task at intervals while it's needed, never twice at a time. Unlike a `PeriodicJob`, it can pause. */
export class Sweep {
  private timer?: NodeJS.Timeout;
  private isRunning = false;
  private isFailing = false;
  private isTriggered = false;
  private hasStopped = false;

  constructor(private readonly task: SweepTask) {}

  get isStopped(): boolean {
    return this.hasStopped;
  }

  /** Schedules the next run, unless one is scheduled or running. */
  schedule(): void {
    if (this.timer || this.isRunning || this.hasStopped) return;
    this.timer = setTimeout(() => void this.run(), this.isTriggered ? 0 : this.task.interval()).unref();
    this.isTriggered = false;
  }

  /** Runs immediately, or right after the current run. Does nothing while the task isn't needed. */
  trigger(): void {
    if (!this.task.isNeeded()) return;
    this.cancel();
    this.isTriggered = true;
    this.schedule();
  }

  /** Cancels the scheduled run. */
  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Stops scheduling; a current run continues. */
  stop(): void {
    this.hasStopped = true;
    this.cancel();
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    this.isRunning = true;
    try {
      await this.task.run();
      this.isFailing = false;
    } catch (error) {
      this.task.onError(error, !this.isFailing && !this.hasStopped);
      this.isFailing = true;
    }
    this.isRunning = false;
    if (this.task.isNeeded()) this.schedule();
  }
}
