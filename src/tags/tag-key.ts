import { findNameFault } from '../platform/validation/validators.js';

/** The most characters of a tag. */
export const MAX_TAG = 50;
/** The most tags of a chat. */
export const MAX_TAGS = 20;
/** The most tags of an organization. Simultaneous calls may exceed it by the tags that they add. */
export const MAX_TAGS_OF_ORGANIZATION = 5_000;

// Upper and lower case turn `ı` into `i`, and `σ` at the end of a word into `ς`. Full case folding keeps `ı`, and has only one sigma.
const fold = (char: string) => (char === 'ı' ? char : char.toLowerCase().toUpperCase().toLowerCase());

/** The key of a name, which is the same for all spellings of a tag: full case folding after NFC (CONTRACT: Tags). */
export function tagKey(name: string): string {
  return Array.from(name.normalize('NFC'), fold).join('').replaceAll('ς', 'σ').normalize('NFC');
}

const CONTROL = /\p{Cc}/u;

/** Describes why a trimmed text isn't a tag; null when it is. */
export function findTagFault(value: unknown): string | null {
  const fault = findNameFault(value, MAX_TAG);
  return fault ?? (CONTROL.test(value as string) ? 'must not contain control characters' : null);
}
