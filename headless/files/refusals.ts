import type { FileWords } from '../file-words/en.js';
import { fill } from '../text.js';
import { sizeWords } from './kinds.js';

/** What a page says in its own words. */
export interface RefusalStrings {
  /** Files can't be sent here. */
  noFiles: string;
  /** The chat has ended. */
  ended: string;
}

/** Errors that read the same to a person as another code. */
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
/** Trying again has the same result. */
const FINAL = ['empty', 'unreadable', 'too_large', 'body_too_large', 'type_not_allowed', 'image_too_large', 'infected'];

/**
 * Why a file wasn't taken, in the person's language.
 * @param code of CONTRACT: Files, or of `Tray`
 * @param maxSize bytes
 */
export function refusalOf(
  code: string,
  words: FileWords,
  { noFiles, ended }: RefusalStrings,
  maxSize: number,
  locale = 'en',
): string {
  if (code === 'forbidden') return noFiles;
  if (code === 'conflict') return ended;
  const key = SAME[code] ?? (WORDS.includes(code) ? (code as keyof FileWords) : 'failed');
  return fill(words[key], { size: sizeWords(maxSize, locale) });
}

/** Whether the same file may be accepted later. */
export function mayRetry(code: string): boolean {
  return ![...FINAL, 'forbidden', 'conflict', 'unsent', 'validation_failed'].includes(code);
}
