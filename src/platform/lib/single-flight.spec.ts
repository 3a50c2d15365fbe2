import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { singleFlight, QUERY_TIMEOUT, TimeoutError } from './single-flight.js';

describe('a look', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is shared by those who ask while it goes on, and is never older than its question', async () => {
    let asked = 0;
    const count = singleFlight(() => Promise.resolve(++asked));
    expect(await Promise.all([count(), count()])).toEqual([1, 1]);
    expect(await count()).toBe(2);
  });

  it('is waited for 2 s at most, and made once while it hangs', async () => {
    const answers: ((value: string) => void)[] = [];
    const hang = singleFlight(() => new Promise<string>((resolve) => answers.push(resolve)));
    for (let round = 0; round < 2; round++) {
      const failed = expect(hang()).rejects.toBeInstanceOf(TimeoutError);
      await jest.advanceTimersByTimeAsync(QUERY_TIMEOUT);
      await failed;
    }
    expect(answers).toHaveLength(1);
    const answered = hang();
    answers[0]!('there');
    expect(await answered).toBe('there');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells what went wrong', async () => {
    await expect(singleFlight(() => Promise.reject(new Error('gone')))()).rejects.toThrow('gone');
  });
});
