import { Injectable } from '@nestjs/common';
import { type Counter, type Histogram, type Family, Metrics } from '../../platform/telemetry/metrics.js';

/** The requests of a visitor's socket. */
export const SOCKET_REQUESTS = ['chat:open', 'chat:close', 'message:send', 'sync', 'typing', 'read'] as const;
/** The requests of an agent's socket. */
export const AGENT_REQUESTS = [
  'chat:follow',
  'chat:unfollow',
  'view:watch',
  'message:send',
  'sync',
  'typing',
  'read',
] as const;
const KNOWN = new Set<string>([...SOCKET_REQUESTS, ...AGENT_REQUESTS]);

/** How a message came to the sockets of this node: stored here, published by another node, or found in the database. */
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
    const asked = 'Requests of sockets, by outcome: ok, or the code of the error';
    this.requests = metrics.counters('parley_socket_requests_total', asked, ['request', 'outcome']);
    const turned = 'Connections and sockets that were not let in, by reason';
    this.refused = metrics.counters('parley_socket_refused_total', turned, ['reason']);
    const ended = 'Connections of sockets that were ended because they sent too much, by reason';
    this.ended = metrics.counters('parley_socket_ended_total', ended, ['reason']);
    const delay =
      'Age of a message when it was given to the sockets that listen, by where it came from: here, another node, or the sweep that looks for missing ones';
    const delays = metrics.histograms('parley_live_delivery_delay_seconds', delay, ['source']);
    this.sent = { here: delays('here'), node: delays('node'), sweep: delays('sweep') };
    this.sweepErrors = metrics.counter('parley_live_sweep_errors_total', 'Sweeps for missing messages that failed');
    const unchecked = 'Looks for sockets whose session has ended that failed';
    this.sessionSweepErrors = metrics.counter('parley_session_sweep_errors_total', unchecked);
    const uncompared = 'Comparisons of what agents were sent with the database that failed';
    this.agentSweepErrors = metrics.counter('parley_agent_sweep_errors_total', uncompared);
  }

  /** Reads the numbers of sockets and rooms at each scrape. */
  watch(sockets: () => number, chats: () => number): void {
    this.metrics.gauge('parley_sockets', 'Sockets of visitors that are connected to this process', sockets);
    this.metrics.gauge('parley_live_chats', 'Chats that somebody who is connected here listens to', chats);
  }

  /** Reads the number of agents' sockets at each scrape. */
  watchAgents(sockets: () => number): void {
    this.metrics.gauge('parley_agent_sockets', 'Sockets of agents that are connected to this process', sockets);
  }

  onRefused(reason: string): void {
    this.refused(reason).add();
  }

  onEnded(reason: string): void {
    this.ended(reason).add();
  }

  /** @param outcome `ok` or the code of a problem */
  onRequest(request: string, outcome: string): void {
    this.requests(KNOWN.has(request) ? request : 'other', outcome).add();
  }

  /** To be called when a message is sent to the sockets of its chat. */
  onSent(source: Source, createdAt: Date | string): void {
    this.sent[source].observe(Math.max(0, Date.now() - new Date(createdAt).getTime()) / 1000);
  }
}
