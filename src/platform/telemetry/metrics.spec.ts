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
    const sent = metrics.counters('sent_total', 'what was sent', ['by', 'status']);
    const child = sent('bot', '200');
    child.add();
    sent('bot', '200').add(2);
    sent('visitor', '503').add();
    expect(await scrape('sent_total')).toEqual([
      'sent_total{by="bot",status="200"} 3',
      'sent_total{by="visitor",status="503"} 1',
    ]);
  });

  it('show 0 for a counter that was created and never counted', async () => {
    metrics.counter('lost_total', 'what was lost');
    expect(await scrape('lost_total')).toEqual(['lost_total 0']);
    expect(await registry.getSingleMetricAsString('lost_total')).toContain('# TYPE lost_total counter');
  });

  it('count values in cumulative buckets', async () => {
    const size = metrics.histogram('size', 'how much', [1, 2, 4]);
    for (const value of [0.5, 1, 2, 3, 100]) size.observe(value);
    expect(await scrape('size')).toEqual([
      'size_bucket{le="1"} 2',
      'size_bucket{le="2"} 3',
      'size_bucket{le="4"} 4',
      'size_bucket{le="+Inf"} 5',
      'size_sum 106.5',
      'size_count 5',
    ]);
    expect(await registry.getSingleMetricAsString('size')).toContain('# TYPE size histogram');
  });

  it('read gauges at each scrape, and leave out unknown values', async () => {
    let value: number | null = 5;
    metrics.gauge('depth', 'how deep', () => value);
    expect(await scrape('depth')).toEqual(['depth 5']);
    value = null;
    expect(await scrape('depth')).toEqual([]);
  });
});
