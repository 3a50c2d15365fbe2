import { describe, expect, it } from '@jest/globals';
import { LogSampler } from './log-sampler.js';

function sample(causes: Iterable<string>) {
  const reports: Record<string, number>[] = [];
  const sampler = new LogSampler((omitted) => reports.push(omitted));
  const written = [...causes].filter((cause) => sampler.admits(cause)).length;
  sampler.flush();
  return { sampler, reports, written };
}

function* repeat(count: number, causeOf: (n: number) => string) {
  for (let n = 0; n < count; n++) yield causeOf(n);
}

describe('the sampler of log lines', () => {
  it('admits 5 lines of a cause, counts the others, and starts again after a minute', () => {
    const { sampler, reports, written } = sample(repeat(1_000, () => '404 unmatched'));
    expect(written).toBe(5);
    expect(reports).toEqual([{ '404 unmatched': 995 }]);
    expect(sampler.admits('404 unmatched')).toBe(true);
    sampler.flush();
    expect(reports).toHaveLength(1);
  });

  it('admits 200 lines of all causes, and names up to 100 causes', () => {
    const { reports, written } = sample(repeat(10_000, (n) => `cause ${n % 1_000}`));
    expect(written).toBe(200);
    const [omitted] = reports as [Record<string, number>];
    expect(Object.keys(omitted).length).toBeLessThanOrEqual(101);
    expect(Object.values(omitted).reduce((sum, count) => sum + count, 0)).toBe(9_800);
  });
});
