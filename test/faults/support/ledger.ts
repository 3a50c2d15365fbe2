/** Maximum milliseconds for a response: the service's limit is 4 s, which leaves a second for both machines. */
const HANG = 5_000;

/** The responses to senders, message by message and attempt by attempt. */
export class Ledger {
  /** The id that was acked for a content, and its `seq` if the ack has it. */
  readonly acked = new Map<string, { id: string; chatId: string; seq?: number }>();
  /** Contents that were rejected for good. */
  readonly refused = new Set<string>();
  /** Invariants that were broken, in words. */
  readonly faults: string[] = [];
  /** When each ack came, in milliseconds of `performance.now()`. */
  readonly ackedAt: number[] = [];
  readonly statuses = new Map<string, number>();
  slowest = 0;
  internalErrors = 0;
  /** Attempts that got no response although they were connected. */
  broken = 0;
  private readonly restless = new Set<string>();
  private calledAt = 0;
  private settledAt = 0;

  constructor(senders: readonly string[]) {
    this.senders = senders;
  }

  private readonly senders: readonly string[];

  /** An answered attempt: `ok`, one of our codes, or a status. */
  attempt(what: string, outcome: string | number, duration: number): void {
    this.statuses.set(String(outcome), (this.statuses.get(String(outcome)) ?? 0) + 1);
    this.slowest = Math.max(this.slowest, duration);
    if (duration > HANG) this.faults.push(`${what}: ${outcome} after ${Math.round(duration)} ms`);
    if (outcome === 500 || outcome === 'internal_error') {
      this.internalErrors++;
      this.faults.push(`${what}: ${outcome}`);
    }
  }

  ack(sender: string, content: string, message: { id: string; chatId: string; seq?: number }, begunAt: number): void {
    const before = this.acked.get(content);
    if (before && before.id !== message.id)
      this.faults.push(`${content}: acked as ${before.id}, then as ${message.id}`);
    this.acked.set(content, message);
    this.ackedAt.push(performance.now());
    if (begunAt >= this.calledAt && this.restless.delete(sender)) this.settledAt = performance.now();
  }

  /** The fault is over: from now on, every sender has to be acked again. */
  call(): void {
    this.calledAt = performance.now();
    this.settledAt = this.calledAt;
    for (const sender of this.senders) this.restless.add(sender);
  }

  get isSettled(): boolean {
    return this.restless.size === 0;
  }

  get waiting(): string {
    return [...this.restless].join(', ');
  }

  /** Milliseconds from the end of the fault until every sender's next message was acked. */
  get recovery(): number {
    return this.settledAt - this.calledAt;
  }
}
