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
  return async () => {
    current ??= query().finally(() => (current = undefined));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new TimeoutError(`no answer within ${QUERY_TIMEOUT} ms`)), QUERY_TIMEOUT);
    });
    try {
      return await Promise.race([current, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
