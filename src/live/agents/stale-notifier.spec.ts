import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AgentSocket } from '../agent-state/agent-feed.js';
import { StaleNotifier } from './stale-notifier.js';

describe('the stale notifier', () => {
  const notified: AgentSocket[][] = [];
  const notifier = new StaleNotifier((sockets) => void notified.push(sockets));
  const sockets = (count: number) => Array.from({ length: count }, () => ({ connected: true }) as AgentSocket);

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    notifier.stop();
    notified.length = 0;
    jest.useRealTimers();
  });

  it('notifies one socket immediately, and a thousand within 5 s, few at a time', () => {
    const [one] = sockets(1);
    notifier.add([one!]);
    expect(notified).toEqual([[one]]);
    notified.length = 0;
    const many = sockets(1_000);
    notifier.add(many);
    jest.advanceTimersByTime(5_000);
    expect(notified.flat()).toHaveLength(1_000);
    expect(new Set(notified.flat()).size).toBe(1_000);
    expect(Math.max(...notified.map(({ length }) => length))).toBe(20);
  });

  it('sockets are notified again, and sockets that still wait are not delayed', () => {
    const all = sockets(50);
    notifier.add(all);
    jest.advanceTimersByTime(2_400);
    expect(notified.flat()).toEqual(all.slice(0, 25));
    notifier.add(all);
    jest.advanceTimersByTime(2_500);
    expect(notified.flat().slice(0, 50)).toEqual(all);
    jest.advanceTimersByTime(2_500);
    expect(notified.flat().slice(50)).toEqual(all.slice(0, 25));
  });

  it('leaves out disconnected sockets', () => {
    const [first, second, third] = sockets(3) as [AgentSocket, AgentSocket, AgentSocket];
    notifier.add([first, second, third]);
    second.connected = false;
    jest.advanceTimersByTime(5_000);
    expect(notified.flat()).toEqual([first, third]);
    jest.advanceTimersByTime(5_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});
