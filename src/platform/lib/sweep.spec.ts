import { describe, expect, it } from '@jest/globals';
import { Sweep, type SweepTask } from './sweep.js';

/** A task whose runs wait for `finish`; `until(n)` resolves when the n-th run has begun. */
function watched(options: Partial<SweepTask> = {}) {
  const ends: (() => void)[] = [];
  const waiting = new Map<number, () => void>();
  const errors: boolean[] = [];
  const task: SweepTask = {
    interval: () => 0,
    isNeeded: () => true,
    run: () => {
      const ended = new Promise<void>((resolve) => ends.push(resolve));
      waiting.get(ends.length)?.();
      return ended;
    },
    onError: (_error, isFirst) => errors.push(isFirst),
    ...options,
  };
  const until = (runs: number) =>
    ends.length >= runs ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(runs, resolve));
  return { sweep: new Sweep(task), ends, until, errors };
}

const HOUR = 3_600_000;

describe('a sweep', () => {
  it('plans the next run when one has ended, so that two never overlap', async () => {
    const { sweep, ends, until } = watched();
    sweep.schedule();
    await until(1);
    sweep.schedule();
    sweep.trigger();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await until(2);
    sweep.stop();
  });

  it('a hurried sweep runs immediately, or right after the current run', async () => {
    const { sweep, ends, until } = watched({ interval: () => HOUR });
    sweep.schedule();
    sweep.trigger();
    await until(1);
    sweep.trigger();
    ends[0]!();
    await until(2);
    sweep.stop();
  });

  it('a sweep pauses while it is not needed, and when it is canceled', async () => {
    let isNeeded = true;
    const { sweep, ends, until } = watched({ isNeeded: () => isNeeded });
    sweep.schedule();
    sweep.cancel();
    sweep.schedule();
    await until(1);
    isNeeded = false;
    ends[0]!();
    await new Promise(setImmediate);
    sweep.trigger();
    expect(ends).toHaveLength(1);
    isNeeded = true;
    sweep.schedule();
    await until(2);
    sweep.stop();
  });

  it('goes on after errors, and says which is the first of a row', async () => {
    let runs = 0;
    const results = [false, false, true, false];
    const done = new Promise<boolean[]>((resolve) => {
      const errors: boolean[] = [];
      const sweep = new Sweep({
        interval: () => 0,
        isNeeded: () => true,
        run: () => (results[runs++] ? Promise.resolve() : Promise.reject(new Error('no'))),
        onError: (_error, isFirst) => {
          errors.push(isFirst);
          if (runs < results.length) return;
          sweep.stop();
          resolve(errors);
        },
      });
      sweep.schedule();
    });
    expect(await done).toEqual([true, false, true]);
  });
});
