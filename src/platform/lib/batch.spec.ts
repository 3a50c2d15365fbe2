import { describe, expect, it, jest } from '@jest/globals';
import pLimit, { type LimitFunction } from 'p-limit';
import { batch } from './batch.js';

describe('batch', () => {
  /** A batch whose queries the test answers or fails. */
  function controlled(max: number, options: { limit?: LimitFunction; overlaps?: boolean } = {}) {
    const queries: { requests: readonly number[]; answer: () => void; fail: () => void }[] = [];
    const load = batch<number, number>(
      (requests) =>
        new Promise((resolve, reject) => {
          const answer = () => resolve(requests.map((request) => request * 10));
          queries.push({ requests, answer, fail: () => reject(new Error('no')) });
        }),
      max,
      options,
    );
    return { load, queries };
  }
  // An answer is passed on after one turn of the event loop; the next query is sent at the end of another.
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  it('requests of one turn share a batch, and requests during its query share the next, in order', async () => {
    const { load, queries } = controlled(10);
    const first = [load(1), load(4)];
    await settle();
    const rest = [2, 3, 2].map(load);
    await settle();
    expect(queries.map(({ requests }) => requests)).toEqual([[1, 4]]);
    queries[0]!.answer();
    expect(await Promise.all(first)).toEqual([10, 40]);
    await settle();
    expect(queries.map(({ requests }) => requests)).toEqual([
      [1, 4],
      [2, 3, 2],
    ]);
    queries[1]!.answer();
    expect(await Promise.all(rest)).toEqual([20, 30, 20]);
  });

  it('requests that arrive while a batch waits for its turn under a shared limit join it', async () => {
    const limit = pLimit(1);
    const [one, other] = [controlled(10, { limit }), controlled(10, { limit })];
    const first = one.load(1);
    await settle();
    const second = [other.load(2)];
    await settle();
    second.push(other.load(3));
    await settle();
    expect(other.queries).toEqual([]);
    one.queries[0]!.answer();
    expect(await first).toBe(10);
    await settle();
    expect(other.queries.map(({ requests }) => requests)).toEqual([[2, 3]]);
    other.queries[0]!.fail();
    for (const answer of second) await expect(answer).rejects.toThrow('no');
    const last = one.load(4);
    await settle();
    one.queries[1]!.answer();
    expect(await last).toBe(40);
  });

  it('with overlaps, sends the next query before it passes on the answers, if as many requests wait', async () => {
    const { load, queries } = controlled(100, { overlaps: true });
    let answered = 0;
    const ask = (count: number) => {
      for (let nth = 0; nth < count; nth++) void load(nth).then(() => answered++);
    };
    const answerOne = async (query: number) => {
      queries[query]!.answer();
      // After all promises, before the next turn.
      await new Promise((resolve) => process.nextTick(resolve));
      return { sizes: queries.map(({ requests }) => requests.length), answered };
    };
    ask(20);
    await settle();
    ask(60);
    await settle();
    expect(await answerOne(0)).toEqual({ sizes: [20, 40], answered: 0 });
    await settle();
    expect(answered).toBe(20);
    // Of 40 requests, 20 wait: not as many.
    expect(await answerOne(1)).toEqual({ sizes: [20, 40], answered: 60 });
    await settle();
    expect(await answerOne(2)).toEqual({ sizes: [20, 40, 20], answered: 80 });
  });

  it('with overlaps, divides no small batch', async () => {
    const { load, queries } = controlled(100, { overlaps: true });
    const first = load(1);
    await settle();
    const rest = [2, 3, 4, 5].map(load);
    queries[0]!.answer();
    expect(await first).toBe(10);
    expect(queries.map(({ requests }) => requests)).toEqual([[1], [2, 3, 4, 5]]);
    queries[1]!.answer();
    expect(await Promise.all(rest)).toEqual([20, 30, 40, 50]);
  });

  it('limits the size of a batch, and runs one batch after the other', async () => {
    const { load, queries } = controlled(2);
    const answers = [1, 2, 3, 4, 5].map(load);
    for (let batch = 0; batch < 3; batch++) {
      await settle();
      expect(queries).toHaveLength(batch + 1);
      queries[batch]!.answer();
    }
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
    expect(queries.map(({ requests }) => requests)).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('rejects the requests of a failed batch only, and continues', async () => {
    const { load, queries } = controlled(10);
    const failing = load(1);
    await settle();
    const next = load(2);
    queries[0]!.fail();
    await expect(failing).rejects.toThrow('no');
    await settle();
    queries[1]!.answer();
    expect(await next).toBe(20);
  });

  it('requests are refused immediately when too many wait, and accepted again once the batch has run', async () => {
    const answers: (() => void)[] = [];
    const load = batch<number, number>(
      (requests) => new Promise((resolve) => answers.push(() => resolve([...requests]))),
      1,
      { maxWaiting: 2 },
    );
    const accepted = [1, 2, 3].map(load);
    await expect(load(4)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    for (let turn = 0; turn < 3; turn++) {
      await settle();
      answers[turn]!();
    }
    expect(await Promise.all(accepted)).toEqual([1, 2, 3]);
    const next = load(5);
    await settle();
    answers[3]!();
    expect(await next).toBe(5);
  });

  it('collects more requests during the pause', async () => {
    const queries: number[][] = [];
    const load = batch<number, number>(
      async (requests) => {
        queries.push([...requests]);
        return [...requests];
      },
      10,
      { pause: 5 },
    );
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      expect(await load(1)).toBe(1);
      const rest = [load(2)];
      await settle();
      rest.push(load(3));
      expect(queries).toEqual([[1]]);
      jest.advanceTimersByTime(5);
      expect(await Promise.all(rest)).toEqual([2, 3]);
      expect(queries).toEqual([[1], [2, 3]]);
    } finally {
      jest.useRealTimers();
    }
  });
});
