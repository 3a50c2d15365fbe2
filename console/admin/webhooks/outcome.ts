import { fill } from '../../../headless/text.js';
import { adminStrings } from '../../locales/admin-strings.js';
import type { Outcome } from '../api.js';

/** Whether a receiver has taken an event. */
export function isSuccess({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** What came back, and after how long. */
export function outcomeWords({ status, error, durationMs }: Outcome): string {
  const text = adminStrings.value;
  // With an answer the error says nothing but the status once more.
  const words = status === null ? error : fill(text.answered, { status });
  return `${words || text.noAnswer} · ${fill(text.took, { time: durationMs })}`;
}
