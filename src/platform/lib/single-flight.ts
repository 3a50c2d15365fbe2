import { TIME_LIMITS_MS } from './time-limits.js';
import { withTimeout } from './timeout.js';

export class TimeoutError extends Error {}

/**
 * Shares one run of a query that may hang. Callers during a run share it, and each waits 2 s at most. No second run
 * starts while one hangs, so a hanging query holds one connection only.
 */
export function singleFlight<T>(query: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  return () => {
    current ??= query().finally(() => (current = undefined));
    const limit = TIME_LIMITS_MS.scrape;
    return withTimeout(current, limit, () => new TimeoutError(`no answer within ${limit} ms`));
  };
}
