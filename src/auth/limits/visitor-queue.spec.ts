import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import { QueueDepths } from '../../platform/telemetry/queue-depths.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { VisitorQueue } from './visitor-queue.js';

describe('VisitorQueue', () => {
  it('runs the turns of 1,000 visitors behind one proxy who reconnect together, five at a time', async () => {
    const turns = new VisitorQueue({ options: { max: 10 } } as Pool, new QueueDepths(new Metrics(new Registry())));
    let running = 0;
    let most = 0;
    const turn = async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    const results = await Promise.allSettled(Array.from({ length: 1_000 }, () => turns.run('203.0.113.7', turn)));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(0);
    expect(most).toBe(5);
  });
});
