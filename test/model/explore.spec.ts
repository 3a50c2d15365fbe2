import { describe, expect, it } from '@jest/globals';
import { after, explore, type Model } from './explore.js';

interface Counter {
  read: number | null;
  value: number;
}

/** Two clients that each add one to a counter, by reading it first. */
const counting = (isAtomic: boolean): Model<Counter & { added: number; other: number | null }> => ({
  initial: { read: null, other: null, value: 0, added: 0 },
  *steps(state) {
    for (const who of ['read', 'other'] as const) {
      const read = state[who];
      if (read === null) yield [`${who}: reads`, after(state, (next) => void (next[who] = state.value))];
      if (read === null || read < 0) continue;
      const value = (isAtomic ? state.value : read) + 1;
      yield [
        `${who}: writes`,
        after(state, (next) => Object.assign(next, { value, [who]: -1, added: state.added + 1 })),
      ];
    }
  },
  findBroken: ({ value, added }) => (value === added ? null : 'an addition is lost'),
});

describe('the explorer', () => {
  it('the shortest trace to a broken invariant is returned', () => {
    expect(explore(counting(false))).toMatchObject({
      broken: 'an addition is lost',
      trace: ['read: reads', 'other: reads', 'read: writes', 'other: writes'],
    });
  });

  it('a model without a fault is explored completely', () => {
    expect(explore(counting(true))).toMatchObject({ broken: null, trace: [] });
  });

  it('a model without an end fails', () => {
    const endless: Model<number> = {
      initial: 0,
      steps: (state) => [['add one', state + 1]],
      findBroken: () => null,
    };
    expect(() => explore(endless)).toThrow('more than');
  });
});
