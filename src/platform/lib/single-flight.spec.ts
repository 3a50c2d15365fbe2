import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { singleFlight, TimeoutError } from './single-flight.js';
import { TIME_LIMITS_MS } from './time-limits.js';

describe('singleFlight', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('shares a running query, and never returns an older result', async () => {
    let asked = 0;
    const count = singleFlight(() => Promise.resolve(++asked));
    expect(await Promise.all([count(), count()])).toEqual([1, 1]);
    expect(await count()).toBe(2);
  });

  it('waits 2 s at most, and runs one query while it hangs', async () => {
    const answers: ((value: string) => void)[] = [];
    const load = singleFlight(() => new Promise<string>((resolve) => answers.push(resolve)));
    for (let round = 0; round < 2; round++) {
      const failed = expect(load()).rejects.toBeInstanceOf(TimeoutError);
      await jest.advanceTimersByTimeAsync(TIME_LIMITS_MS.scrape);
      await failed;
    }
    expect(answers).toHaveLength(1);
    const answered = load();
    answers[0]!('there');
    expect(await answered).toBe('there');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('passes errors on', async () => {
    await expect(singleFlight(() => Promise.reject(new Error('gone')))()).rejects.toThrow('gone');
  });
});
