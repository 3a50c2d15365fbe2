import { foldText } from '../../src/platform/locale/fold.js';

/** Shorter texts are found at the beginning of words only. */
const MIN_INSIDE = 3;

/** What may be found by its name, or by further words. */
export interface Findable {
  name: string;
  /** The name without what others have too, such as “Go to”. */
  label?: string;
  /** What it's about, in the words that people may type. */
  words?: string;
}

/** How well a folded text names it: 0 whole, 1 its beginning, 2 a word of it, 3 one of its further words, 4 inside of it; null: not at all. */
export function rankOf(wanted: string, { name, label = name, words = '' }: Findable): number | null {
  const [folded, whole] = [foldText(label), foldText(name)];
  if (folded === wanted) return 0;
  if (folded.startsWith(wanted)) return 1;
  if (hasWord(folded, wanted) || whole.startsWith(wanted)) return 2;
  if (hasWord(foldText(words), wanted)) return 3;
  return wanted.length >= MIN_INSIDE && whole.includes(wanted) ? 4 : null;
}

/** The ones that match, the best first; otherwise in their order. */
export function ranked<T extends Findable>(all: readonly T[], wanted: string): { one: T; rank: number }[] {
  return all
    .flatMap((one) => {
      const rank = rankOf(wanted, one);
      return rank === null ? [] : [{ one, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank);
}

const hasWord = (text: string, wanted: string) =>
  ` ${text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')}`.includes(` ${wanted}`);
