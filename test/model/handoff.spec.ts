import { describe, expect, it } from '@jest/globals';
import { explore } from './explore.js';
import { handoff, type HandoffRules, TODAY } from './handoff.js';

const WEAKER: [name: string, weaker: Partial<HandoffRules>, broken: string][] = [
  ['an acceptance without a lock', { acceptLocks: false }, "an agent's counters are wrong"],
  ['an offer read before the lock', { readsUnderLock: false }, "an agent's counters are wrong"],
  ['an expiry that trusts its list', { expiryChecks: false }, 'an offer ended before its time'],
  ['a deadline that trusts its list', { deadlineChecks: false }, 'an accepted chat was taken back'],
  ['an absence that trusts its list', { absenceChecks: false }, 'an accepted chat was taken back'],
];

describe('the model of hand-offs', () => {
  it.each(WEAKER)('%s breaks an invariant', (_, weaker, broken) => {
    const found = explore(handoff({ ...TODAY, ...weaker }));
    expect(found.broken).toBe(broken);
    expect(found.trace.at(-1)).toContain('commits');
  });

  it('a chat has one owner, is never lost or given twice, and stays with the agent who accepted it', () => {
    expect(explore(handoff(TODAY))).toMatchObject({ broken: null, trace: [] });
  });
});
