import pg, { type Pool } from 'pg';

/** The injection token of the connections of searches. */
export const SEARCH_POOL = Symbol('pg pool of searches');

/** A process's connections for searches, besides DATABASE_POOL_SIZE: however many people search, other requests have theirs. */
export const SEARCH_CONNECTIONS = 2;

/** The connections of searches, with the pool's own settings. */
export function searchPoolOf(pool: Pool): Pool {
  // A plan depends on what is searched, and its statement isn't repeated.
  const options = pool.options.options!.replace('force_generic_plan', 'force_custom_plan');
  const own = new pg.Pool({ ...pool.options, max: SEARCH_CONNECTIONS, min: 0, options, idleTimeoutMillis: 60_000 });
  own.on('error', () => undefined);
  return Object.assign(own, { onApplicationShutdown: () => own.end() });
}
