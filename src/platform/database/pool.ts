import pg, { type Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { overloaded } from '../errors/problem.js';
import { isDistributed } from './citus/per-organization.js';

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

/** The injection token of the connections that store messages: the pool's own on one PostgreSQL, and a few of their own on a Citus cluster. */
export const APPEND_POOL = Symbol('pg pool of messages');

/** The share of a process's connections that store messages on a cluster. */
const APPEND_SHARE = 0.25;

/**
 * On a Citus cluster, messages have connections of their own. Each one needs tens of milliseconds when it uses a shard for the first time,
 * so few connections store all messages.
 */
export function appendPoolOf(pool: Pool): Pool {
  if (!isDistributed(pool)) return pool;
  const max = Math.ceil(pool.options.max * APPEND_SHARE);
  pool.options.max = Math.max(pool.options.max - max, 1);
  const own = limitWaiting(new pg.Pool({ ...pool.options, max }));
  // The client itself has handled the error of an idle connection.
  own.on('error', () => undefined);
  return Object.assign(own, { onApplicationShutdown: () => own.end() });
}
