/**
 * Runs some work at intervals, never twice at a time. The work handles its own errors.
 * @param interval milliseconds from the end of one run to the start of the next
 * @param jitter maximum share of each pause that is added at random, so that nodes that start together spread out
 */
export class PeriodicJob {
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();
  private unfinished = 0;
  private hasStopped = false;

  constructor(
    private readonly work: (now: Date) => Promise<void>,
    private readonly interval: number,
    private readonly jitter = 0,
  ) {}

  get isStopped(): boolean {
    return this.hasStopped;
  }

  /** @param delay milliseconds before the first run */
  start(delay = this.interval): void {
    const pause = delay * (1 + Math.random() * this.jitter);
    this.timer = setTimeout(() => void this.run().then(() => this.hasStopped || this.start()), pause).unref();
  }

  /**
   * Runs once; concurrent calls run one after the other. Calls without a time share a run that waits for another one, so that at most two
   * runs are left, however often it's called.
   */
  run(now?: Date): Promise<void> {
    if (now === undefined && this.unfinished > 1) return this.running;
    this.unfinished++;
    const run = this.running.then(() => this.work(now ?? new Date())).finally(() => this.unfinished--);
    return (this.running = run);
  }

  /** Stops, and waits for the current run. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
