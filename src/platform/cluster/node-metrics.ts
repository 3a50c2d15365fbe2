import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.js';
import { OtherNodes } from './other-nodes.js';

/** Metrics of the messages between nodes. Registers none without REDIS_URL. */
@Injectable()
export class NodeMetrics {
  constructor(metrics: Metrics, nodes: OtherNodes, { REDIS_URL }: Config) {
    if (REDIS_URL === undefined) return;
    metrics.gauge('parley_redis_up', '1 while Redis is connected, 0 while it is not', () =>
      Number(!nodes.isDisconnected),
    );
    nodes.countHintsIn({
      published: metrics.counter('parley_redis_hints_published_total', 'Hints for other nodes that were sent to Redis'),
      dropped: metrics.counter(
        'parley_redis_hints_dropped_total',
        'Hints for other nodes that were dropped because Redis was disconnected or slow',
      ),
      refused: metrics.counter(
        'parley_redis_hints_refused_total',
        'Hints that were rejected because they came from another installation or an older release',
      ),
      received: metrics.counter('parley_redis_hints_received_total', 'Hints received from other nodes'),
    });
  }
}
