import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../platform/lib/ids.js';
import { type LaneHost, LaneWorker, type Taken, type TakenDelivery } from './lane-worker.js';

describe('a lane whose claims fail while an attempt runs', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const delivery: TakenDelivery = {
    id: newId('dlv'),
    position: '1',
    chatId: newId('cht'),
    payload: '{}',
    attemptCount: 0,
    retryCount: 0,
    traceparent: null,
    isFirst: true,
    target: { url: 'https://example.org', keys: [] } as never,
  };
  const taken = (deliveries: TakenDelivery[]): Taken => ({ fence: '1', isFailing: false, isFull: false, deliveries });

  it('each retry waits twice as long, and after a successful claim, a short time again', async () => {
    const claimedAt: number[] = [];
    let isAvailable = true;
    let next = [delivery];
    const host: LaneHost = {
      claim: () => {
        claimedAt.push(Date.now());
        const result = isAvailable ? taken(next.splice(0)) : null;
        return Promise.resolve(result);
      },
      attempt: () => new Promise(() => undefined),
      finish: () => Promise.resolve(false),
      release: () => Promise.resolve(),
      acquireSlot: () => true,
      releaseSlot: () => undefined,
      removeWorker: () => undefined,
    };
    const worker = new LaneWorker({ organizationId: newId('org'), kind: 'WEBHOOK', id: newId('whk') }, host);
    const claimsWithin = async (milliseconds: number) => {
      const before = claimedAt.length;
      worker.wake();
      await jest.advanceTimersByTimeAsync(milliseconds);
      return claimedAt.length - before;
    };
    await claimsWithin(10);
    isAvailable = false;
    expect(await claimsWithin(1_000)).toBe(4);
    await claimsWithin(9_000);
    expect(await claimsWithin(10_000)).toBe(5);
    isAvailable = true;
    next = [];
    await claimsWithin(2_000);
    isAvailable = false;
    expect(await claimsWithin(1_000)).toBe(4);
  });
});
