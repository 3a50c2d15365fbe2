import { Injectable } from '@nestjs/common';
import type { DisconnectReason, RefusalReason } from './disconnects.js';
import { type Counter, type Histogram, type Family, Metrics } from '../../platform/telemetry/metrics.js';

/** The requests of visitors' sockets. */
export const SOCKET_REQUESTS = ['chat:open', 'chat:close', 'message:send', 'sync', 'typing', 'read'] as const;
/** The requests of agents' sockets. */
export const AGENT_REQUESTS = [
  'chat:follow',
  'chat:unfollow',
  'view:watch',
  'message:send',
  'sync',
  'typing',
  'read',
  'input',
  'visible',
] as const;
const KNOWN = new Set<string>([...SOCKET_REQUESTS, ...AGENT_REQUESTS]);

/** How a message reached this node's sockets: stored here, published by another node, or found in the database. */
export type Source = 'here' | 'node' | 'sweep';

/** The metrics of sockets and of live delivery. */
@Injectable()
export class LiveMetrics {
  readonly sweepErrors: Counter;
  readonly sessionSweepErrors: Counter;
  readonly agentSweepErrors: Counter;
  private readonly requests: Family<Counter>;
  private readonly refused: Family<Counter>;
  private readonly ended: Family<Counter>;
  private readonly sent: Record<Source, Histogram>;

  constructor(private readonly metrics: Metrics) {
    this.requests = metrics.counters('parley_socket_requests_total');
    this.refused = metrics.counters('parley_socket_refused_total');
    this.ended = metrics.counters('parley_socket_ended_total');
    const delays = metrics.histograms('parley_live_delivery_delay_seconds');
    this.sent = { here: delays('here'), node: delays('node'), sweep: delays('sweep') };
    this.sweepErrors = metrics.counter('parley_live_sweep_errors_total');
    this.sessionSweepErrors = metrics.counter('parley_session_sweep_errors_total');
    this.agentSweepErrors = metrics.counter('parley_agent_sweep_errors_total');
  }

  /** Reads the numbers of visitors' sockets and chats at each scrape. */
  watch(sockets: () => number, chats: () => number): void {
    this.metrics.gauge('parley_sockets', sockets);
    this.metrics.gauge('parley_live_chats', chats);
  }

  /** Reads the number of agents' sockets at each scrape. */
  watchAgents(sockets: () => number): void {
    this.metrics.gauge('parley_agent_sockets', sockets);
  }

  onRefused(reason: RefusalReason): void {
    this.refused(reason).add();
  }

  /** Call this when Parley closes a connection. */
  onEnded(reason: DisconnectReason): void {
    this.ended(reason).add();
  }

  /** @param outcome `ok` or the code of a problem */
  onRequest(request: string, outcome: string): void {
    this.requests(KNOWN.has(request) ? request : 'other', outcome).add();
  }

  /** Call this when a message is sent to its chat's sockets. */
  onSent(source: Source, createdAt: Date | string): void {
    this.sent[source].observe(Math.max(0, Date.now() - new Date(createdAt).getTime()) / 1000);
  }
}
