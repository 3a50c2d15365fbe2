import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { overloaded } from '../errors/problem.js';

/** The injection token of the raw connection pool. It's TypeORM's own pool, so that both share one limit. */
export const POOL = Symbol('pg pool');

/** Requests that may wait per connection of the pool; more are rejected immediately. */
const MAX_WAITING = 50;

/** Rejects a request for a connection immediately when too many others wait. @throws Problem unavailable */
export function limitWaiting(pool: Pool): Pool {
  const connect = pool.connect.bind(pool) as (callback?: (error: Error) => void) => unknown;
  const max = MAX_WAITING * pool.options.max;
  const bounded = (callback?: (error: Error) => void): unknown => {
    if (pool.waitingCount < max) return connect(callback);
    if (!callback) return Promise.reject(overloaded());
    process.nextTick(callback, overloaded());
    return undefined;
  };
  return Object.assign(pool, { connect: bounded });
}

/** TypeORM's own pool, for statements that must be named to be fast: `dataSource.query()` can't name them. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
