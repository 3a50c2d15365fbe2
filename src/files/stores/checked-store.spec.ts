import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { ThisNode } from '../../platform/cluster/this-node.js';
import type { Config } from '../../platform/config/config.js';
import { CheckedStore } from './checked-store.js';
import { type FileStore, StoreUnavailable } from './store.js';

/** Milliseconds between two checks. */
const INTERVAL_MS = 10_000;

describe('CheckedStore', () => {
  let isInTransaction: boolean;
  let calls: string[];
  /** What the store and the database throw now. */
  let faults: { store?: Error; database?: Error };
  let checked: CheckedStore;

  beforeEach(() => {
    jest.useFakeTimers();
    [isInTransaction, calls, faults] = [false, [], {}];
    const readId = () => {
      calls.push(isInTransaction ? 'the store, in a transaction' : 'the store');
      return faults.store ? Promise.reject(faults.store) : Promise.resolve('id');
    };
    const store = { isShared: true, readId, close: () => undefined };
    const manager = {
      query: () => (faults.database ? Promise.reject(faults.database) : Promise.resolve([{ id: 'id' }])),
      transaction: async (work: (tx: unknown) => Promise<unknown>) => {
        isInTransaction = true;
        return work(manager).finally(() => (isInTransaction = false));
      },
    };
    checked = new CheckedStore(
      store as unknown as FileStore,
      manager as unknown as EntityManager,
      { DRILL: false } as Config,
      { id: 'node' } as ThisNode,
    );
  });
  afterEach(async () => {
    await checked.onModuleDestroy();
    jest.useRealTimers();
  });

  it('reads the id of the store outside of transactions', async () => {
    await checked.onModuleInit();
    expect([calls, checked.isIdle]).toEqual([['the store'], false]);
  });

  it('tries again after an outage of the store, even when the database fails before its end', async () => {
    faults = { store: new StoreUnavailable('503') };
    await checked.onModuleInit();
    expect(checked.isAway).toBe(true);
    for (const database of [new Error('terminating connection'), new Error('the pool has no connection')]) {
      faults = { database };
      await jest.advanceTimersByTimeAsync(INTERVAL_MS);
      expect(checked.isAway).toBe(true);
    }
    faults = {};
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect([checked.isAway, checked.isIdle]).toEqual([false, false]);
  });

  it('stops checking once it is destroyed', async () => {
    faults = { store: new StoreUnavailable('503') };
    await checked.onModuleInit();
    await checked.onModuleDestroy();
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(calls).toEqual(['the store']);
  });
});
