import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Config } from '../../src/platform/config/config.js';
import { FileRemovals } from '../../src/files/removals.service.js';
import type { CheckedStore } from '../../src/files/stores/checked-store.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('removes old bodies soon after the start, and then once a day', async () => {
  const removed: string[] = [];
  const store = {
    async *list() {
      yield { key: 'org/incoming/old', size: 1, modifiedAt: new Date(Date.now() - 25 * HOUR_MS) };
      yield { key: 'org/incoming/new', size: 1, modifiedAt: new Date() };
    },
    remove: async (key: string) => removed.push(key),
  };
  const checked = { isIdle: false, isAway: true, get: () => Promise.resolve(store) };
  const removals = new FileRemovals(
    {} as Pool,
    {} as EntityManager,
    checked as unknown as CheckedStore,
    { DRILL: false } as Config,
  );
  // Needs a database.
  jest.spyOn(removals, 'removeUnused').mockResolvedValue();
  removals.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(15 * MINUTE_MS);
  expect(removed).toEqual(['org/incoming/old']);
  await jest.advanceTimersByTimeAsync(23 * HOUR_MS);
  expect(removed).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(4 * HOUR_MS);
  expect(removed).toHaveLength(2);
  await removals.onModuleDestroy();
});
