import { isEmail } from 'class-validator';

/** The most characters of a visitor's name and address (CONTRACT: Visitors). */
const MAX_NAME = 200;
const MAX_ADDRESS = 320;
/** What may stand around an address in a sentence. */
const PUNCTUATION = '.,;:!?()<>[]"\'';

/** The name that a visitor typed; null if it's blank or too long. */
export function nameIn(words: string): string | null {
  const name = words.split(/\s/u).filter(Boolean).join(' ');
  return name !== '' && name.length <= MAX_NAME ? name : null;
}

/** The e-mail address in a visitor's words; null without one, or with several. */
export function addressIn(words: string): string | null {
  const found = words.split(/\s/u).filter((word) => word.includes('@'));
  const address = found.length === 1 ? withoutPunctuation(found[0]!) : '';
  return address.length <= MAX_ADDRESS && isEmail(address) ? address : null;
}

function withoutPunctuation(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && PUNCTUATION.includes(word[start]!)) start++;
  while (end > start && PUNCTUATION.includes(word[end - 1]!)) end--;
  return word.slice(start, end);
}
