import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AgentSocket } from '../agent-state/agent-feed.js';
import { StaleTurns } from './stale-turns.js';

describe('turns in which sockets are told that they are stale', () => {
  const told: AgentSocket[][] = [];
  const turns = new StaleTurns((sockets) => void told.push(sockets));
  const sockets = (count: number) => Array.from({ length: count }, () => ({ connected: true }) as AgentSocket);

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    turns.stop();
    told.length = 0;
    jest.useRealTimers();
  });

  it('come at once for one socket, and for a thousand within 5 s, few at a time', () => {
    const [one] = sockets(1);
    turns.add([one!]);
    expect(told).toEqual([[one]]);
    told.length = 0;
    const many = sockets(1_000);
    turns.add(many);
    jest.advanceTimersByTime(5_000);
    expect(told.flat()).toHaveLength(1_000);
    expect(new Set(told.flat()).size).toBe(1_000);
    expect(Math.max(...told.map(({ length }) => length))).toBe(20);
  });

  it('come again for who had one, and who waits is not pushed back', () => {
    const all = sockets(50);
    turns.add(all);
    jest.advanceTimersByTime(2_400);
    expect(told.flat()).toEqual(all.slice(0, 25));
    turns.add(all);
    jest.advanceTimersByTime(2_500);
    expect(told.flat().slice(0, 50)).toEqual(all);
    jest.advanceTimersByTime(2_500);
    expect(told.flat().slice(50)).toEqual(all.slice(0, 25));
  });

  it('leave out who has gone', () => {
    const [first, second, third] = sockets(3) as [AgentSocket, AgentSocket, AgentSocket];
    turns.add([first, second, third]);
    second.connected = false;
    jest.advanceTimersByTime(5_000);
    expect(told.flat()).toEqual([first, third]);
    jest.advanceTimersByTime(5_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});
