import { describe, expect, it } from '@jest/globals';
import { DailyAllowance, MAX_KEYS } from './daily-allowance.js';

const DAY = 24 * 60 * 60 * 1000;
const ONE = { messages: 1, bytes: 10 };

describe('DailyAllowance', () => {
  it("a day's amount may be spent immediately, and then recovers evenly", () => {
    const allowance = new DailyAllowance({ messages: 100, bytes: 0 });
    for (let n = 0; n < 100; n++) {
      expect(allowance.findExceeded('a', ONE, 0)).toBeNull();
      allowance.spend('a', ONE, 0);
    }
    expect(allowance.findExceeded('a', ONE, 0)).toEqual({ measure: 'messages', seconds: 864 });
    expect(allowance.findExceeded('a', ONE, 863_000)?.seconds).toBeCloseTo(1);
    expect(allowance.findExceeded('a', ONE, 864_000)).toBeNull();
    expect(allowance.findExceeded('b', ONE, 0)).toBeNull();
    expect(allowance.findExceeded('a', { messages: 100, bytes: 0 }, DAY)).toBeNull();
    expect(allowance.findExceeded('a', { messages: 101, bytes: 0 }, DAY)).not.toBeNull();
  });

  it('counts messages and bytes separately, and subtracts what is given back', () => {
    const allowance = new DailyAllowance({ messages: 10, bytes: 25 });
    allowance.spend('a', ONE, 0);
    allowance.spend('a', ONE, 0);
    expect(allowance.findExceeded('a', ONE, 0)?.measure).toBe('bytes');
    expect(allowance.findExceeded('a', { messages: 1, bytes: 5 }, 0)).toBeNull();
    allowance.spend('a', { messages: -1, bytes: -10 }, 0);
    expect(allowance.findExceeded('a', ONE, 0)).toBeNull();
  });

  it('returns what to publish after each twentieth of a limit, and counts what others published', () => {
    const [here, there] = [0, 1].map(() => new DailyAllowance({ messages: 100, bytes: 0 }));
    const published = Array.from({ length: 100 }, () => here!.spend('a', ONE, 0)).filter((stored) => stored !== null);
    expect(published).toEqual(Array.from({ length: 20 }, () => ({ messages: 5, bytes: 50 })));
    for (const stored of published) there!.receive('a', stored, 0);
    expect(there!.findExceeded('a', ONE, 0)).toEqual({ measure: 'messages', seconds: 864 });
    expect(there!.spend('b', ONE, 0)).toBeNull();
  });

  it('a bounded number of keys is kept, and the keys that spent most stay longest', () => {
    const allowance = new DailyAllowance({ messages: 5, bytes: 0 });
    allowance.spend('greedy', { messages: 5, bytes: 0 }, 0);
    for (let n = 0; n < MAX_KEYS * 2; n++) allowance.spend(`2001:db8:0:${n.toString(16)}::/64`, ONE, 0);
    expect(allowance.size).toBeLessThanOrEqual(MAX_KEYS);
    expect(allowance.findExceeded('greedy', ONE, 0)).not.toBeNull();
  });

  it('counts nothing when it is off', () => {
    const allowance = new DailyAllowance({ messages: 0, bytes: 0 });
    allowance.spend('a', { messages: 1e9, bytes: 1e12 }, 0);
    expect([allowance.findExceeded('a', ONE, 0), allowance.size]).toEqual([null, 0]);
  });
});
