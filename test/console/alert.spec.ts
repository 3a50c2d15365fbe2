import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../console/api/types.js';
import { alertOf } from '../../console/lib/alert.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000).toISOString();

const said = (type: 'VISITOR' | 'AGENT' | 'SYSTEM', seq: number, secondsAgo = 1) => ({
  lastMessage: {
    id: 'msg',
    seq,
    type: 'TEXT',
    content: '',
    sender: { type, id: null, name: null },
    createdAt: at(secondsAgo),
  },
});
const row = (more: object) =>
  ({ id: 'cht', owner: 'BOT', assignedTo: null, queuedAt: null, offer: null, ...more }) as unknown as Row;
const own = (more: object) => row({ owner: 'AGENT', assignedTo: { id: 'ada', name: 'Ada' }, ...more });
const waiting = (secondsAgo: number, more: object = {}) => row({ owner: 'QUEUE', queuedAt: at(secondsAgo), ...more });

describe('alerts', () => {
  const kindOf = (before: Row | undefined, after: Row) => alertOf(before, after, 'ada', NOW);

  it('a chat assigned to the agent causes an alert', () => {
    expect(kindOf(waiting(60), own(said('SYSTEM', 2)))).toBe('assigned');
    expect(kindOf(undefined, own(said('SYSTEM', 2)))).toBe('assigned');
    expect(kindOf(undefined, own(said('SYSTEM', 2, 3_600)))).toBeNull();
    expect(kindOf(own(said('VISITOR', 1)), own(said('SYSTEM', 2)))).toBeNull();
  });

  it("each visitor's message in the agent's chat causes one alert", () => {
    expect(kindOf(own(said('AGENT', 1)), own(said('VISITOR', 2)))).toBe('messages');
    expect(kindOf(own(said('VISITOR', 2)), own(said('VISITOR', 2)))).toBeNull();
    expect(kindOf(own(said('VISITOR', 1)), own(said('AGENT', 2)))).toBeNull();
    expect(kindOf(row(said('VISITOR', 1)), row(said('VISITOR', 2)))).toBeNull();
    expect(kindOf(undefined, own(said('VISITOR', 2, 3_600)))).toBeNull();
  });

  it("a visitor's message in a colleague's chat causes an alert if the agent follows it", () => {
    const ofBen = (more: object) => row({ owner: 'AGENT', assignedTo: { id: 'ben', name: 'Ben' }, ...more });
    const [before, after] = [ofBen(said('AGENT', 1)), ofBen(said('VISITOR', 2))];
    expect(alertOf(before, after, 'ada', NOW, true)).toBe('followed');
    expect(alertOf(before, after, 'ada', NOW, false)).toBeNull();
    expect(alertOf(after, after, 'ada', NOW, true)).toBeNull();
    expect(alertOf(after, ofBen(said('AGENT', 3)), 'ada', NOW, true)).toBeNull();
  });

  it("a chat that starts to wait causes an alert, unless it's offered", () => {
    expect(kindOf(undefined, waiting(1, said('VISITOR', 1)))).toBe('waiting');
    expect(kindOf(row(said('VISITOR', 1)), waiting(1, said('SYSTEM', 2)))).toBe('waiting');
    expect(kindOf(waiting(1, said('VISITOR', 1)), waiting(1, said('VISITOR', 2)))).toBeNull();
    expect(kindOf(undefined, waiting(3_600, said('VISITOR', 1)))).toBeNull();
    expect(
      kindOf(undefined, waiting(1, { ...said('VISITOR', 1), offer: { agentId: 'bob', expiresAt: at(-20) } })),
    ).toBeNull();
  });

  it('a snoozed chat that is back causes an alert, unless a message woke it', () => {
    const snooze = { until: null };
    expect(kindOf(own({ ...said('AGENT', 2), snooze }), own({ ...said('AGENT', 2), snooze: null }))).toBe('woken');
    expect(kindOf(own({ ...said('VISITOR', 2), snooze }), own({ ...said('VISITOR', 2), snooze: null }))).toBeNull();
    expect(kindOf(own({ ...said('AGENT', 1), snooze }), own({ ...said('VISITOR', 2), snooze }))).toBe('messages');
    expect(kindOf(own({ ...said('AGENT', 1), snooze }), own({ ...said('VISITOR', 2), snooze: null }))).toBe('messages');
    expect(kindOf(undefined, own({ ...said('SYSTEM', 2), snooze }))).toBeNull();
  });
});
