import { describe, expect, it } from '@jest/globals';
import { RecencyQueue } from './recency-queue.js';

describe('RecencyQueue', () => {
  /** Work that the test ends, and the order it started in. */
  const setUp = () => {
    const queue = new RecencyQueue(1);
    const began: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (...keys: string[]) =>
      queue.run(keys, () => {
        began.push(keys.join(' '));
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const endOne = async () => {
      ends.shift()!();
      await new Promise(setImmediate);
    };
    return { queue, began, ask, endOne };
  };

  it('an organization that waits on 24 networks delays another one by the turn in progress', async () => {
    const { began, ask, endOne } = setUp();
    for (let network = 0; network < 24; network++) void ask(`network ${network}`, 'greedy');
    void ask('elsewhere', 'other');
    await endOne();
    expect(began.at(-1)).toBe('elsewhere other');
  });

  it('a network that waits for 400 organizations delays another one by the turn in progress', async () => {
    const { began, ask, endOne, queue } = setUp();
    for (let number = 0; number < 400; number++) void ask('network', `organization ${number}`);
    void ask('elsewhere', 'other');
    expect(queue.depth).toBe(401);
    await endOne();
    expect(began.at(-1)).toBe('elsewhere other');
  });

  it('within an organization, the network whose turn was the longest ago comes first', async () => {
    const { began, ask, endOne } = setUp();
    for (let time = 0; time < 3; time++) void ask('greedy', 'one');
    void ask('modest', 'one');
    await endOne();
    expect(began).toEqual(['greedy one', 'modest one']);
  });

  it('refuses the work of a key that has too much, and of no other key', async () => {
    const { ask, queue } = setUp();
    const answers = Array.from({ length: 502 }, () => ask('greedy'));
    await expect(answers.at(-1)).rejects.toMatchObject({ code: 'unavailable' });
    void ask('other');
    expect(queue.depth).toBe(502);
  });

  it('continues after failed work', async () => {
    const { queue } = setUp();
    await expect(queue.run(['one'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(queue.run(['one'], () => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});
