import { Injectable, Logger } from '@nestjs/common';
import type { Cause } from '../../../platform/errors/cause.js';
import { causeOf, isGeneral, isOfDatabase, textOf } from '../../../platform/database/faults/cause.js';
import { FaultLog } from '../../../platform/database/faults/fault-log.js';
import { TimeoutError } from '../../../platform/lib/single-flight.js';
import { Sweep } from '../../../platform/lib/sweep.js';
import { withTimeout } from '../../../platform/lib/timeout.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { MainPath } from './main-path.js';

/** How long a write that worked counts, while no request reports a fault, in milliseconds. */
const INTERVAL_MS = 5 * 60_000;
/** How long a health check waits for a write. One that takes longer is judged by the next check. */
const PATIENCE_MS = 1_000;
/** Milliseconds between two checks while writes may fail. */
const CHECK_PAUSE_MS = 1_000;
/** So many checks in a row decide that writes fail, and that they work again: one lost connection is no fault. */
const BAD_CHECKS = 2;
const GOOD_CHECKS = 3;

/** What keeps writes from working. */
export interface WriteFault {
  cause: Cause;
  since: Date;
}

/**
 * Whether writes fail. Once a request or a task reports a fault of the database, a write is tried every second, until it worked three times in
 * a row. The begin and the end are a line of the log each.
 */
@Injectable()
export class WriteFaults {
  private readonly logger = new Logger('Database');
  private fault: WriteFault | null = null;
  private badSince: Date | null = null;
  private bad = 0;
  private good = 0;
  private isWatching = false;
  /** Whether the begin of the fault is in the log, so that its end has to be. */
  private isLogged = false;
  /** A fault of the whole database that a request reported since the last check. */
  private reported: Cause | null = null;
  private workedAt = Number.NEGATIVE_INFINITY;
  private readonly sweep = new Sweep({
    interval: () => CHECK_PAUSE_MS,
    isNeeded: () => this.isWatching,
    run: () => this.check(),
    onError: () => undefined,
  });

  constructor(
    private readonly faults: FaultLog,
    private readonly mainPath: MainPath,
    metrics: Metrics,
  ) {
    faults.onCause((cause) => this.onCause(cause));
    metrics.gauge('parley_writes_failing', () => Number(this.fault !== null));
  }

  /** What keeps writes from working, as far as it's known; null while they work. */
  get current(): WriteFault | null {
    return this.fault;
  }

  /** Finds what keeps writes from working. Tries a write itself if none was tried for 5 minutes; takes 1 s at most. */
  async find(): Promise<WriteFault | null> {
    if (this.fault || performance.now() - this.workedAt < INTERVAL_MS) return this.fault;
    const slow = () => new TimeoutError(`a write takes more than ${PATIENCE_MS} ms`);
    const error = await withTimeout(this.mainPath.attempt(), PATIENCE_MS, slow).catch((reason: Error) => reason);
    const cause = error && toCause(error);
    if (!cause) this.workedAt = performance.now();
    // A refusal doesn't end by itself. The next checks decide about everything else.
    else if (isRefusal(cause)) this.begin(cause);
    if (cause) this.watch();
    return this.fault;
  }

  onModuleDestroy(): void {
    this.sweep.stop();
  }

  private onCause(cause: Cause): void {
    if (!isOfDatabase(cause)) return;
    if (isGeneral(cause)) this.reported = cause;
    this.watch();
  }

  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    this.badSince ??= new Date();
    this.reported = null;
    this.sweep.trigger();
  }

  private async check(): Promise<void> {
    const { reported } = this;
    this.reported = null;
    const error = await this.mainPath.attempt().catch((reason: Error) => reason);
    const cause = error ? toCause(error) : reported;
    if (cause) this.onBad(cause);
    else this.onGood();
  }

  private onBad(cause: Cause): void {
    this.good = 0;
    this.badSince ??= new Date();
    if (++this.bad >= BAD_CHECKS || this.fault) this.begin(cause);
  }

  private onGood(): void {
    this.bad = 0;
    if (++this.good < GOOD_CHECKS) return;
    this.good = 0;
    this.isWatching = false;
    this.badSince = null;
    this.workedAt = performance.now();
    this.end();
  }

  private begin(given: Cause): void {
    const cause = this.faults.explain(given);
    const isNew = this.fault === null;
    this.fault = { cause, since: this.fault?.since ?? this.badSince ?? new Date() };
    const { name, ...said } = cause;
    if (!isNew) return;
    this.isLogged = this.faults.admitsChange(cause);
    if (this.isLogged) this.logger.error({ ...said, name }, `writes fail: ${textOf(cause)}`);
  }

  private end(): void {
    if (!this.fault) return;
    const { since } = this.fault;
    const seconds = Math.round((Date.now() - since.getTime()) / 1000);
    this.fault = null;
    if (this.isLogged) this.logger.log({ seconds }, `the database is back, after ${seconds} s`);
  }
}

/** Null for a conflict with another transaction, and for a silent standby, which is reported by itself. */
function toCause(error: Error): Cause | null {
  const cause = causeOf(error) ?? { name: 'database_refuses', message: error.message };
  return isOfDatabase(cause) ? cause : null;
}

function isRefusal({ name }: Cause): boolean {
  return name === 'database_refuses' || name === 'database_right';
}
