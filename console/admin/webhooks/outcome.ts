import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import type { Outcome } from '../api.js';

export function isSuccess({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The response and its duration in words. */
export function outcomeWords({ status, error, durationMs }: Outcome): string {
  const text = adminStrings.value;
  // If there is a status, the error only repeats it.
  const words = status === null ? error : fill(text.answered, { status });
  return `${words || text.noAnswer} · ${fill(text.took, { time: durationMs })}`;
}
