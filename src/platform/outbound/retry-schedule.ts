/** The longest delay that Retry-After may ask for, in seconds. */
const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Each delay varies by this share, so that deliveries that failed together aren't retried together. */
const JITTER = 0.2;

/**
 * Seconds until the next attempt; null at the end of the schedule. `Retry-After` may extend the delay up to 24 h.
 * @param retryCount the number of earlier retries
 */
export function nextRetry(
  schedule: readonly number[],
  retryCount: number,
  retryAfter: string | null,
  random: () => number = Math.random,
): number | null {
  const step = schedule[retryCount];
  if (step === undefined) return null;
  const spread = step * (1 - JITTER + 2 * JITTER * random());
  return Math.max(spread, Math.min(toSeconds(retryAfter), MAX_RETRY_AFTER_SECONDS));
}

// Retry-After is a number of seconds or a date.
function toSeconds(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.max(0, (at - Date.now()) / 1000);
}
