import { describe, expect, it } from '@jest/globals';
import { explore } from './explore.js';
import { type Rights, routing, type RoutingRules, TODAY } from './routing.js';

const AGENTS = [0, 1];
const CHATS = [0, 1, 2];
/** Every table that says which agent may take which chat. */
const TABLES: Rights[] = Array.from({ length: 2 ** (AGENTS.length * CHATS.length) }, (_, bits) =>
  AGENTS.map((agent) => CHATS.map((chat) => Math.floor(bits / 2 ** (CHATS.length * agent + chat)) % 2 === 1)),
);

const findBroken = (weaker: Partial<RoutingRules>) =>
  TABLES.map((rights) => explore(routing({ ...TODAY, ...weaker }, rights))).filter(({ broken }) => broken !== null);

describe('the model of routing', () => {
  it('without a check after the agent is locked, a younger chat goes to the only agent who could have taken an older one', () => {
    const found = findBroken({ checksNext: false });
    expect(new Set(found.map(({ broken }) => broken))).toEqual(
      new Set(['a younger chat went to an agent who could have taken an older one']),
    );
    expect(found.map(({ trace }) => trace)).toContainEqual([
      'agent 1 gets room',
      'a lane finds chat 1',
      'a lane locks chat 1',
      'agent 0 gets room',
      'a lane picks agent 0 for chat 1',
      'a lane gives chat 1 to agent 0',
    ]);
  });

  it('without a lock of the agent, two nodes take the same room', () => {
    const found = findBroken({ locksAgent: false });
    expect(found.map(({ broken }) => broken)).toContain('an agent has more chats than room');
  });

  it('no younger chat goes to an agent who could have taken an older one', () => {
    expect(findBroken({})).toEqual([]);
  });
});
