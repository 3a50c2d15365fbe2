import { fill } from '../../../headless/text.js';
import type { FileWords } from '../../file-words/en.js';
import type { Strings } from '../../locales/en.js';
import { sizeWords } from '../files/kinds.js';

/** Errors that say the same to a visitor as another word. */
const SAME: Record<string, keyof FileWords> = {
  too_large: 'tooLarge',
  body_too_large: 'tooLarge',
  not_uploaded: 'incomplete',
  size_mismatch: 'incomplete',
  not_found: 'gone',
};
const WORDS: readonly string[] = [
  'empty',
  'unreadable',
  'type_not_allowed',
  'image_too_large',
  'infected',
  'quota_exceeded',
  'rate_limited',
  'unavailable',
  'unreachable',
  'unsent',
];
/** Another try ends the same. */
const FINAL = ['empty', 'unreadable', 'too_large', 'body_too_large', 'type_not_allowed', 'image_too_large', 'infected'];

/** Why a file wasn't taken, in the visitor's language, by a code of CONTRACT section 19.6 or of the widget. */
export function refusalOf(code: string, words: FileWords, strings: Strings, maxSize: number): string {
  if (code === 'forbidden') return strings.noFiles;
  if (code === 'conflict') return strings.ended;
  const key = SAME[code] ?? (WORDS.includes(code) ? (code as keyof FileWords) : 'failed');
  return fill(words[key], { size: sizeWords(maxSize, strings.language) });
}

/** Whether the same file may be accepted later. */
export function mayRetry(code: string): boolean {
  return ![...FINAL, 'forbidden', 'conflict', 'unsent', 'validation_failed'].includes(code);
}
