import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import type { Outcome } from '../api.js';

export function isSuccess({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The response and its duration in words. */
export function outcomeWords({ status, error, durationMs }: Outcome): string {
  const text = adminStrings.value;
  // The error of most statuses only repeats them; that of a redirect says where it points.
  const words = status === null || error?.startsWith(`answered ${status}:`) ? error : fill(text.answered, { status });
  return `${words || text.noAnswer} · ${fill(text.took, { time: durationMs })}`;
}
