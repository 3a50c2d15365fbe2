import { withTimeout } from './timeout.js';

/** The longest time that a health check or a scrape waits for the database, in milliseconds. */
export const QUERY_TIMEOUT = 2_000;

/** The query took too long. */
export class TimeoutError extends Error {}

/**
 * Shares one run of a query that may hang: callers during a run share it, and each waits 2 s at most. No second run
 * starts while one hangs, so a hanging query holds one connection only.
 */
export function singleFlight<T>(query: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  return () => {
    current ??= query().finally(() => (current = undefined));
    return withTimeout(current, QUERY_TIMEOUT, () => new TimeoutError(`no answer within ${QUERY_TIMEOUT} ms`));
  };
}
