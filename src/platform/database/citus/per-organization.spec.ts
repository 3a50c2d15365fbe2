import { expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { toDatabaseProblem } from '../database-problem.js';
import { queryEverywhere } from './per-organization.js';

it('a statement about all organizations is 503 if a worker is silent, and the others fail', async () => {
  const pool = {
    options: { isDistributed: true, silentWorkers: { hasAny: true } },
    query: (query: string | object) =>
      typeof query === 'string' ? Promise.resolve({ rows: [{ ids: ['org_1'] }] }) : Promise.reject(new Error('lost')),
  } as unknown as Pool;
  const text = (isOf: (alias: string) => string) => `SELECT FROM chats c WHERE ${isOf('c')}`;
  const error: unknown = await queryEverywhere(pool, { text, values: [] }).catch((rejected: unknown) => rejected);
  expect(toDatabaseProblem(error)?.code).toBe('unavailable');
});
