/** What a sweep does, and when. */
export interface SweepTask {
  /** Milliseconds from the end of one run to the beginning of the next; asked before each. */
  interval(): number;
  /** Whether there is something to look after. If not, the sweep pauses until `schedule`. */
  isNeeded(): boolean;
  run(): Promise<void>;
  /** Called with each error of `run`. `isFirst`: the run before succeeded, so that a log line is worth it. */
  onError(error: unknown, isFirst: boolean): void;
}

/** Runs a task at intervals while it is needed, never twice at a time. Unlike a `PeriodicJob` it can pause. */
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

  /** Plans the next run, unless one is planned or running. */
  schedule(): void {
    if (this.timer || this.isRunning || this.hasStopped) return;
    this.timer = setTimeout(() => void this.run(), this.isTriggered ? 0 : this.task.interval()).unref();
    this.isTriggered = false;
  }

  /** Runs at once, or right after the run under way. Does nothing while the task is not needed. */
  trigger(): void {
    if (!this.task.isNeeded()) return;
    this.cancel();
    this.isTriggered = true;
    this.schedule();
  }

  /** Drops the planned run. */
  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Plans no more runs; one under way goes on. */
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
