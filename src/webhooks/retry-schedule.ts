/** The most seconds that Retry-After may put off an attempt. */
const MAX_RETRY_AFTER = 86_400;
/** Retries of many deliveries that failed together are spread by this share of their step. */
const JITTER = 0.2;

/**
 * Seconds until the next attempt; null when the schedule is at its end. `Retry-After` counts between the step and 24 h.
 * @param retryCount how many retries there were
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
  return Math.max(spread, Math.min(toSeconds(retryAfter), MAX_RETRY_AFTER));
}

// Seconds, or a date.
function toSeconds(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.max(0, (at - Date.now()) / 1000);
}
