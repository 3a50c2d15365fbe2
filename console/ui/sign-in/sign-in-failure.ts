import { fill } from '../../../headless/text.js';
import { Refusal } from '../../api/request.js';
import { waitTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';

export function signInFailure(error: unknown): string {
  const text = strings.value;
  if (!(error instanceof Refusal)) return text.serviceAway;
  if (error.status === 401) return text.wrongPassword;
  if (error.status === 429) return fill(text.throttled, { time: waitTime(error.retryAfter ?? 60) });
  if (error.code === 'validation_failed') return error.members.errors?.[0]?.detail ?? text.passwordTooShort;
  return explain(error);
}
