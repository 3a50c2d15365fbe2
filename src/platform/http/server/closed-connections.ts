import { Injectable, Logger } from '@nestjs/common';
import { type Counter, type Family, Metrics } from '../../telemetry/metrics.js';
import type { PipelineLimit } from './waiting-requests.js';

const LOG_INTERVAL_MS = 60_000;

export type ConnectionLimit = PipelineLimit | 'connections_of_address';

/** Counts the connections that exceeded a limit and were closed, and logs them once a minute at most. */
@Injectable()
export class ClosedConnections {
  private readonly logger = new Logger('Connections');
  private readonly closed: Family<Counter>;
  private unlogged: Partial<Record<ConnectionLimit, number>> = {};
  private loggedAt = Number.NEGATIVE_INFINITY;

  constructor(metrics: Metrics) {
    this.closed = metrics.counters('parley_http_connections_closed_total');
  }

  add(limit: ConnectionLimit): void {
    this.closed(limit).add();
    this.unlogged[limit] = (this.unlogged[limit] ?? 0) + 1;
    if (performance.now() - this.loggedAt < LOG_INTERVAL_MS) return;
    this.logger.log({ closed: this.unlogged }, 'closed connections beyond a limit');
    this.unlogged = {};
    this.loggedAt = performance.now();
  }
}
