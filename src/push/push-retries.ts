import { type AttemptResult, isSuccess } from '../platform/outbound/attempt.js';
import { nextRetry } from '../platform/outbound/retry-schedule.js';
import type { PushOutcome } from './push-metrics.js';

/** Seconds before each retry. The last one repeats until the notification expires. */
const RETRY_SECONDS = [10, 30, 60, 300, 900, 3_600];

/** The subscription doesn't exist anymore. */
const GONE = new Set([404, 410]);
/** Temporary refusals: the request timed out, came too early, or too many were sent. */
const PASSING = new Set([408, 425, 429]);

/** Sorts the result of an attempt (CONTRACT: Push). */
export function outcomeOf({ status, ...result }: Pick<AttemptResult, 'status'>): PushOutcome {
  if (isSuccess({ status, ...result })) return 'sent';
  if (status !== null && GONE.has(status)) return 'gone';
  return status !== null && status >= 400 && status < 500 && !PASSING.has(status) ? 'refused' : 'later';
}

/** When a notification is tried again; null: it expires before. @param attempts how many there were before this one */
export function retryAt(attempts: number, retryAfter: string | null, now: Date, expiresAt: Date): Date | null {
  const seconds = nextRetry(RETRY_SECONDS, Math.min(attempts, RETRY_SECONDS.length - 1), retryAfter)!;
  const at = new Date(now.getTime() + seconds * 1000);
  return at < expiresAt ? at : null;
}
