import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** How much waits in each of the queues in this process; whoever has one adds it. */
@Injectable()
export class QueueDepths {
  /** @param read how many wait for their answer now, those being worked on included */
  readonly add: (queue: string, read: () => number) => void;

  constructor(metrics: Metrics) {
    this.add = metrics.gauges('parley_queue_depth', 'What waits in this process for its turn or its answer', 'queue');
  }
}
