import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import type { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { RateLimits } from './rate-limit.js';

/** A process without other nodes. */
const ALONE = { on: () => undefined, publish: () => undefined } as unknown as OtherNodes;

describe('RateLimits', () => {
  it('keys beyond 100,000 share counters, and earlier ones keep their own', async () => {
    const limit = new RateLimits(ALONE, new Metrics(new Registry())).make('tested', 2, 600);
    for (let number = 0; number < 100_000; number++) await limit.spend(`known ${number}`);
    let refused = 0;
    for (let number = 0; number < 3_000; number++) await limit.spend(`new ${number}`).catch(() => refused++);
    // 1,024 counters with 2 requests each.
    expect(refused).toBeGreaterThanOrEqual(3_000 - 2_048);
    expect(await limit.spend('known 99999')).toMatchObject({ remaining: 0 });
  });
});
