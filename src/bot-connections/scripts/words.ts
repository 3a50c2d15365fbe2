import { foldChars } from '../../search/tokens/fold.js';

/** A text as scripts compare it. */
interface Words {
  text: string;
  /** Whether it's in a script without spaces between words. */
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
export function isSame(a: string, b: string): boolean {
  return foldWords(a).text === foldWords(b).text;
}

/** Whether a text has these words, whole and in this order. Words of scripts without spaces may be anywhere. */
export function hasWords(text: string, words: string): boolean {
  const [all, wanted] = [foldWords(text), foldWords(words)];
  if (wanted.isPaired) return all.text.includes(wanted.text);
  return ` ${all.text} `.includes(` ${wanted.text} `);
}
