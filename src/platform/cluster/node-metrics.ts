import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.js';
import { OtherNodes } from './other-nodes.js';

/** Metrics of the messages between nodes. Registers none without REDIS_URL. */
@Injectable()
export class NodeMetrics {
  constructor(metrics: Metrics, nodes: OtherNodes, { REDIS_URL }: Config) {
    if (REDIS_URL === undefined) return;
    metrics.gauge('parley_redis_up', () => Number(!nodes.isDisconnected));
    metrics.gauge('parley_redis_round_trip_seconds', () => nodes.roundTripSeconds);
    nodes.countHintsIn({
      published: metrics.counter('parley_redis_hints_published_total'),
      dropped: metrics.counter('parley_redis_hints_dropped_total'),
      refused: metrics.counter('parley_redis_hints_refused_total'),
      received: metrics.counter('parley_redis_hints_received_total'),
    });
  }
}
