import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.js';
import { OtherNodes } from './other-nodes.js';

/** Metrics of the messages between nodes. Registers none without REDIS_URL. */
@Injectable()
export class NodeMetrics {
  constructor(metrics: Metrics, nodes: OtherNodes, { REDIS_URL }: Config) {
    if (REDIS_URL === undefined) return;
    metrics.gauge('parley_redis_up', 'Whether Redis is there: 1, or 0 while it is away', () =>
      Number(!nodes.isDisconnected),
    );
    nodes.countHintsIn({
      published: metrics.counter(
        'parley_redis_hints_published_total',
        'Hints for other nodes that were given to Redis',
      ),
      dropped: metrics.counter(
        'parley_redis_hints_dropped_total',
        'Hints for other nodes that were dropped: Redis was away or slow',
      ),
      refused: metrics.counter(
        'parley_redis_hints_refused_total',
        'Hints that were refused: not of a node of this installation, or of a release before',
      ),
      received: metrics.counter('parley_redis_hints_received_total', 'Hints that came from other nodes'),
    });
  }
}
