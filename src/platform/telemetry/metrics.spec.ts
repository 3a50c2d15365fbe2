import { beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { Metrics } from './metrics.js';

describe('metrics', () => {
  let registry: Registry;
  let metrics: Metrics;

  beforeEach(() => {
    registry = new Registry();
    metrics = new Metrics(registry);
  });

  const scrape = async (name: string) =>
    (await registry.getSingleMetricAsString(name)).split('\n').filter((line) => !line.startsWith('#'));

  it('count per combination of labels', async () => {
    const name = 'parley_socket_requests_total';
    const requests = metrics.counters(name);
    const child = requests('sync', 'ok');
    child.add();
    requests('sync', 'ok').add(2);
    requests('read', 'unavailable').add();
    expect(await scrape(name)).toEqual([
      `${name}{request="sync",outcome="ok"} 3`,
      `${name}{request="read",outcome="unavailable"} 1`,
    ]);
  });

  it('show 0 for a counter that was created and never counted', async () => {
    const name = 'parley_live_sweep_errors_total';
    metrics.counter(name);
    expect(await scrape(name)).toEqual([`${name} 0`]);
    expect(await registry.getSingleMetricAsString(name)).toContain(`# TYPE ${name} counter`);
  });

  it('count values in cumulative buckets', async () => {
    const name = 'parley_append_batch_size';
    const size = metrics.histogram(name, [1, 2, 4]);
    for (const value of [0.5, 1, 2, 3, 100]) size.observe(value);
    expect(await scrape(name)).toEqual([
      `${name}_bucket{le="1"} 2`,
      `${name}_bucket{le="2"} 3`,
      `${name}_bucket{le="4"} 4`,
      `${name}_bucket{le="+Inf"} 5`,
      `${name}_sum 106.5`,
      `${name}_count 5`,
    ]);
    expect(await registry.getSingleMetricAsString(name)).toContain(`# TYPE ${name} histogram`);
  });

  it('read gauges at each scrape, and leave out unknown values', async () => {
    let value: number | null = 5;
    metrics.gauge('parley_sockets', () => value);
    expect(await scrape('parley_sockets')).toEqual(['parley_sockets 5']);
    value = null;
    expect(await scrape('parley_sockets')).toEqual([]);
  });
});
