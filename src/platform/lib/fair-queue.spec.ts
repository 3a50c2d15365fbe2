import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

describe('FairQueue', () => {
  /** Work that the test ends, and the order it started in. */
  const setUp = (atOnce: number) => {
    const turns = new FairQueue(atOnce);
    const began: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (key: string, name = key) =>
      turns.run(key, () => {
        began.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      });
    const endOne = async () => {
      ends.shift()!();
      await new Promise(setImmediate);
    };
    return { turns, began, ask, endOne };
  };

  it('starts work round robin by key, even if one key has much', async () => {
    const { began, ask, endOne, turns } = setUp(1);
    for (let n = 1; n <= 5; n++) void ask('greedy', `greedy ${n}`);
    void ask('other');
    expect(turns.depth).toBe(6);
    for (let n = 0; n < 3; n++) await endOne();
    expect(began).toEqual(['greedy 1', 'greedy 2', 'other', 'greedy 3']);
  });

  it('runs as much at a time as allowed, never more', async () => {
    const { began, ask, endOne } = setUp(2);
    for (let n = 1; n <= 4; n++) void ask('one', `${n}`);
    expect(began).toEqual(['1', '2']);
    await endOne();
    expect(began).toEqual(['1', '2', '3']);
  });

  it('continues after failed work', async () => {
    const turns = new FairQueue(1);
    await expect(turns.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(turns.run('one', () => Promise.resolve('yes'))).resolves.toBe('yes');
  });

  it('refuses the work of a key that has too much, and of no other key', async () => {
    const { ask, turns } = setUp(1);
    const answers = Array.from({ length: 502 }, (_, n) => ask('greedy', `${n}`));
    await expect(answers.at(-1)).rejects.toMatchObject({ code: 'unavailable' });
    void ask('other');
    expect(turns.depth).toBe(502);
  });
});
