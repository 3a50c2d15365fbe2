import { describe, expect, it } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

describe('FairTurns', () => {
  /** Work that is done when it is told to be, and the order in which work began. */
  const stage = (atOnce: number) => {
    const turns = new FairTurns(atOnce);
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

  it('takes turns by key, however much one of them asks for', async () => {
    const { began, ask, endOne, turns } = stage(1);
    for (let n = 1; n <= 5; n++) void ask('greedy', `greedy ${n}`);
    void ask('other');
    expect(turns.depth).toBe(6);
    for (let n = 0; n < 3; n++) await endOne();
    expect(began).toEqual(['greedy 1', 'greedy 2', 'other', 'greedy 3']);
  });

  it('lets several work at the same time, never more', async () => {
    const { began, ask, endOne } = stage(2);
    for (let n = 1; n <= 4; n++) void ask('one', `${n}`);
    expect(began).toEqual(['1', '2']);
    await endOne();
    expect(began).toEqual(['1', '2', '3']);
  });

  it('goes on after work that failed', async () => {
    const turns = new FairTurns(1);
    await expect(turns.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(turns.run('one', () => Promise.resolve('yes'))).resolves.toBe('yes');
  });

  it('refuses what one key has too much of, and nobody else', async () => {
    const { ask, turns } = stage(1);
    const answers = Array.from({ length: 502 }, (_, n) => ask('greedy', `${n}`));
    await expect(answers.at(-1)).rejects.toMatchObject({ code: 'unavailable' });
    void ask('other');
    expect(turns.depth).toBe(502);
  });
});
