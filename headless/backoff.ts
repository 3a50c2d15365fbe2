/** Waits between attempts to connect, in milliseconds. */
export const FIRST_DELAY_MS = 500;
export const LAST_DELAY_MS = 15_000;

/** The wait after a number of failures: twice as long each time, up to the last delay. */
export function backoff(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** failures, LAST_DELAY_MS);
}

/** Varies a wait by up to a quarter, so that clients that failed together do not try again together. */
export function jitter(delay: number): number {
  return delay * (0.75 + Math.random() / 2);
}
