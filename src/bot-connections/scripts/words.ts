import { foldChars } from '../../search/tokens/fold.js';

/** A text as scripts compare it. */
export interface Words {
  text: string;
  /** Whether it has words of a script without spaces between them. */
  isPaired: boolean;
}

/** A text without case, accents, punctuation, and blanks around and between its words. A text of symbols alone stays. */
export function foldWords(text: string): Words {
  const chars = foldChars(text);
  const isPaired = chars.some(({ kind }) => kind === 'pair');
  const folded = chars.map(({ text: char, kind }) => (kind === 'other' ? ' ' : char)).join('');
  const words = folded.split(' ').filter(Boolean).join(' ');
  return { text: words || text.trim(), isPaired };
}

/** Whether two texts are the same but for case, accents, punctuation, and blanks. */
export function isSame(a: Words, b: Words): boolean {
  return a.text === b.text;
}

/** Whether a text has these words, whole and in this order. Words of scripts without spaces may be anywhere. */
export function hasWords(all: Words, { text, isPaired }: Words): boolean {
  if (isPaired) return all.text.includes(text);
  return ` ${all.text} `.includes(` ${text} `);
}
