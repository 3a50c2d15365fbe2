/**
 * Runs some work at intervals, never twice at a time. The work handles its own errors.
 * @param interval milliseconds from the end of one run to the start of the next
 * @param jitter maximum share of each pause that is added at random, so that nodes that start together spread out
 */
export class PeriodicJob {
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();
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

  /** Runs once; concurrent calls run one after the other. */
  run(now = new Date()): Promise<void> {
    return (this.running = this.running.then(() => this.work(now)));
  }

  /** Stops, and waits for the current run. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
