import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { overloaded } from '../http/problem.js';

/** The injection token of the raw connection pool: TypeORM's own, so that there is one limit for both. */
export const POOL = Symbol('pg pool');

/** Requests that may wait for a connection, for each one there is; one more is refused at once. */
const MAX_WAITING = 50;

/** Refuses whoever would have to wait for a connection behind too many others. @throws Problem unavailable */
export function boundWaiting(pool: Pool): Pool {
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

/** TypeORM's own pool, for the statements that must be named to be fast: `dataSource.query()` cannot name them. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
