import { hasCode } from '../../../headless/errors.js';
import { strings } from '../../locales/strings.js';
import { explain } from '../explain.js';

/** Explains why a note wasn't saved or deleted. */
export function explainNote(error: unknown): string {
  if (hasCode(error, 'not_found')) return strings.value.noteGone;
  return hasCode(error, 'validation_failed') ? strings.value.mentionRefused : explain(error);
}
