import { nextRetry } from '../../platform/outbound/retry-schedule.js';
import type { LeasedMail } from '../model/mail.js';
import type { TryResult } from './outbox.queries.js';
import type { SmtpOutcome } from './smtp.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Milliseconds after the first try until a mail fails: if the server says `later`, and if it blocks us. */
const LATER_FOR_MS = DAY_MS;
const BLOCKED_FOR_MS = 7 * DAY_MS;

/** What becomes of a mail after a try (CONTRACT: E-mail). @param schedule seconds before each retry; the last one repeats */
export function resultOf(
  outcome: SmtpOutcome,
  { attempts, firstTriedAt }: LeasedMail,
  schedule: readonly number[],
  now: Date,
): Omit<TryResult, 'content' | 'isTried'> {
  if (outcome.type === 'sent') return { status: 'SENT', dueAt: null, error: null };
  const { type, error } = outcome;
  if (type === 'refused') return { status: 'BOUNCED', dueAt: null, error };
  const isBlocked = type === 'blocked';
  const seconds = isBlocked ? 3_600 : nextRetry(schedule, Math.min(attempts, schedule.length - 1), null)!;
  const dueAt = new Date(now.getTime() + seconds * 1000);
  const end = (firstTriedAt ?? now).getTime() + (isBlocked ? BLOCKED_FOR_MS : LATER_FOR_MS);
  return dueAt.getTime() > end ? { status: 'FAILED', dueAt: null, error } : { status: 'WAITING', dueAt, error };
}
