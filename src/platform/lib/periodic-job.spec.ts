import { describe, expect, it } from '@jest/globals';
import { PeriodicJob } from './periodic-job.js';

describe('a periodic job', () => {
  it('runs again and again, and not after its end', async () => {
    let runs = 0;
    let job!: PeriodicJob;
    await new Promise<void>((resolve) => {
      const work = () => Promise.resolve(++runs === 3 ? resolve() : undefined);
      job = new PeriodicJob(work, 1);
      job.start();
    });
    await job.stop();
    const before = runs;
    await new Promise((resolve) => setImmediate(resolve));
    expect([job.isStopped, runs]).toEqual([true, before]);
  });

  it('never runs twice at a time, and stop waits for the run under way', async () => {
    const events: string[] = [];
    const ends: (() => void)[] = [];
    const job = new PeriodicJob(async () => {
      events.push('begin');
      await new Promise<void>((resolve) => ends.push(resolve));
      events.push('end');
    }, 60_000);
    const runs = [job.run(), job.run()];
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual(['begin']);
    ends[0]!();
    await runs[0];
    await new Promise((resolve) => setImmediate(resolve));
    const stopped = job.stop().then(() => events.push('stopped'));
    ends[1]!();
    await stopped;
    expect(events).toEqual(['begin', 'end', 'begin', 'end', 'stopped']);
  });

  it('a thousand calls during a run are one more run', async () => {
    let runs = 0;
    let end!: () => void;
    const job = new PeriodicJob(() => {
      runs++;
      return new Promise<void>((resolve) => (end = resolve));
    }, 60_000);
    const first = job.run();
    await new Promise((resolve) => setImmediate(resolve));
    const others = Array.from({ length: 1_000 }, () => job.run());
    end();
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    end();
    await Promise.all(others);
    expect(runs).toBe(2);
  });
});
