import pg, { type Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { overloaded } from '../errors/problem.js';
import { isDistributed } from './citus/per-organization.js';
import { CLUSTER_PLANNING, PLANNING } from './data-source.js';

/** The injection token of the raw connection pool. It's TypeORM's own pool, so that both share one limit. */
export const POOL = Symbol('pg pool');

/** Requests that may wait per connection of the pool; more are rejected immediately. */
const MAX_WAITING = 50;

/** Rejects a request for a connection immediately when too many others wait. @throws Problem unavailable */
export function limitWaiting(pool: Pool): Pool {
  const connect = pool.connect.bind(pool) as (callback?: (error: Error) => void) => unknown;
  const max = MAX_WAITING * pool.options.max;
  const refuse = () =>
    overloaded(`${max} requests wait for a database connection (${MAX_WAITING} for each of DATABASE_POOL_SIZE)`);
  const bounded = (callback?: (error: Error) => void): unknown => {
    if (pool.waitingCount < max) return connect(callback);
    if (!callback) return Promise.reject(refuse());
    process.nextTick(callback, refuse());
    return undefined;
  };
  return Object.assign(pool, { connect: bounded });
}

/** TypeORM's own pool, for statements that must be named to be fast: `dataSource.query()` can't name them. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** The injection token of the connections that store messages: the pool's own on one PostgreSQL, and a few of their own on a Citus cluster. */
export const APPEND_POOL = Symbol('pg pool of messages');

/** The share of a process's connections that store messages on a cluster. */
const APPEND_SHARE = 0.25;

/**
 * On a Citus cluster, messages have connections of their own. Each one needs tens of milliseconds when it uses a shard for the first time,
 * so few connections store all messages.
 */
export function appendPoolOf(pool: Pool): Pool {
  return isDistributed(pool) ? divide(pool, { max: Math.ceil(pool.options.max * APPEND_SHARE) }) : pool;
}

/** The injection token of the connections that read reference tables (`citus/copies.ts`): the pool's own on one PostgreSQL. */
export const REFERENCE_POOL = Symbol('pg pool of reference tables');

/** On a Citus cluster, reads of reference tables have a connection that keeps their plans, unless the pool would be left without one. */
export function referencePoolOf(pool: Pool): Pool {
  if (!isDistributed(pool) || pool.options.max < 2) return pool;
  return divide(pool, { max: 1, options: pool.options.options!.replace(CLUSTER_PLANNING, PLANNING) });
}

/** Takes connections from a pool for another one. */
function divide(pool: Pool, options: { max: number; options?: string }): Pool {
  pool.options.max -= options.max;
  const own = limitWaiting(new pg.Pool({ ...pool.options, ...options }));
  // The client itself has handled the error of an idle connection.
  own.on('error', () => undefined);
  return Object.assign(own, { onApplicationShutdown: () => own.end() });
}
