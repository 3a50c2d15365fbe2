import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** The lengths of this process's queues. Each queue's owner adds its own. */
@Injectable()
export class QueueDepths {
  /** @param read the number of unfinished entries, including those in progress */
  readonly add: (queue: string, read: () => number) => void;

  constructor(metrics: Metrics) {
    this.add = metrics.gauges('parley_queue_depth');
  }
}
