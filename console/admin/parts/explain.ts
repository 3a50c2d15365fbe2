import { fill } from '../../../headless/text.js';
import { Refusal } from '../../api/request.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { explain } from '../../state/explain.js';
import { notify } from '../../state/notices.js';

/** Explains an error of the admin API. */
export function explainHere(error: unknown): string {
  const text = adminStrings.value;
  if (!(error instanceof Refusal)) return explain(error);
  if (error.code === 'not_found') return text.gone;
  if (error.code === 'precondition_failed') return fill(text.conflictTitle, { name: text.someoneElse });
  const isOfService = error.code === 'conflict' || error.code === 'validation_failed';
  return isOfService ? fill(text.refused, { detail: error.detail }) : explain(error);
}

/** Shows an error as a notice. */
export function notifyFailure(error: unknown): void {
  notify(explainHere(error), 'trouble');
}
