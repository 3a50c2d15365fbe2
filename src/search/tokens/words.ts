import type { Char } from './fold.js';

/** The most UTF-16 units of a word. Longer ones are compared by their beginning. */
export const MAX_WORD = 200;

/** A word, or one character of a script without spaces between words, and its place in the text. */
export interface Word {
  text: string;
  isPair: boolean;
  start: number;
  end: number;
}

/** The words of a folded text, in its order. A word ends at each character that is no letter, digit, or mark. */
export function wordsOf(chars: readonly Char[]): Word[] {
  const words: Word[] = [];
  let open: Word | null = null;
  for (const { text, kind, start, end } of chars) {
    if (kind === 'pair') words.push({ text, isPair: true, start, end });
    const continues = kind === 'letter' || (kind === 'mark' && open !== null);
    if (!continues) open = null;
    else if (open) Object.assign(open, { text: open.text.length < MAX_WORD ? open.text + text : open.text, end });
    else words.push((open = { text, isPair: false, start, end }));
  }
  return words;
}

/** Whether two characters stand side by side: both are indexed together. */
export function isPair(word: Word, next: Word): boolean {
  return word.isPair && next.isPair && next.start <= word.end;
}
