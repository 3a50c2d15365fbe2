import { describe, expect, it, jest } from '@jest/globals';
import { batch } from './batch.js';

describe('share', () => {
  /** A question that is answered when the test says so. */
  function controlled(max: number) {
    const asked: { questions: readonly number[]; answer: () => void; fail: () => void }[] = [];
    const ask = batch<number, number>(
      (questions) =>
        new Promise((resolve, reject) => {
          const answer = () => resolve(questions.map((question) => question * 10));
          asked.push({ questions, answer, fail: () => reject(new Error('no')) });
        }),
      max,
    );
    return { ask, asked };
  }
  // An answer takes one turn of the event loop to be passed on, the next question is asked at the end of another.
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  it('asks what comes in one turn together, then what came meanwhile, in order', async () => {
    const { ask, asked } = controlled(10);
    const first = [ask(1), ask(4)];
    await settle();
    const rest = [2, 3, 2].map(ask);
    await settle();
    expect(asked.map(({ questions }) => questions)).toEqual([[1, 4]]);
    asked[0]!.answer();
    expect(await Promise.all(first)).toEqual([10, 40]);
    await settle();
    expect(asked.map(({ questions }) => questions)).toEqual([
      [1, 4],
      [2, 3, 2],
    ]);
    asked[1]!.answer();
    expect(await Promise.all(rest)).toEqual([20, 30, 20]);
  });

  it('never asks more than the most at once, and one batch after the other', async () => {
    const { ask, asked } = controlled(2);
    const answers = [1, 2, 3, 4, 5].map(ask);
    for (let batch = 0; batch < 3; batch++) {
      await settle();
      expect(asked).toHaveLength(batch + 1);
      asked[batch]!.answer();
    }
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
    expect(asked.map(({ questions }) => questions)).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('tells a failure to those who asked, and goes on with the others', async () => {
    const { ask, asked } = controlled(10);
    const failing = ask(1);
    await settle();
    const next = ask(2);
    asked[0]!.fail();
    await expect(failing).rejects.toThrow('no');
    await settle();
    asked[1]!.answer();
    expect(await next).toBe(20);
  });

  it('refuses at once what would wait behind too many, and takes more when they have been answered', async () => {
    const answers: (() => void)[] = [];
    const ask = batch<number, number>(
      (questions) => new Promise((resolve) => answers.push(() => resolve([...questions]))),
      1,
      { maxWaiting: 2 },
    );
    const accepted = [1, 2, 3].map(ask);
    await expect(ask(4)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    for (let turn = 0; turn < 3; turn++) {
      await settle();
      answers[turn]!();
    }
    expect(await Promise.all(accepted)).toEqual([1, 2, 3]);
    const next = ask(5);
    await settle();
    answers[3]!();
    expect(await next).toBe(5);
  });

  it('lets more come together while it pauses', async () => {
    const asked: number[][] = [];
    const ask = batch<number, number>(
      async (questions) => {
        asked.push([...questions]);
        return [...questions];
      },
      10,
      { pause: 5 },
    );
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      expect(await ask(1)).toBe(1);
      const rest = [ask(2)];
      await settle();
      rest.push(ask(3));
      expect(asked).toEqual([[1]]);
      jest.advanceTimersByTime(5);
      expect(await Promise.all(rest)).toEqual([2, 3]);
      expect(asked).toEqual([[1], [2, 3]]);
    } finally {
      jest.useRealTimers();
    }
  });
});
