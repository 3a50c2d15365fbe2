/** What a folded character is for words. `pair`: of a script without spaces between words. */
export type CharKind = 'letter' | 'pair' | 'mark' | 'other';

/** A folded code point, and the place of its original in the text, in UTF-16 units. */
export interface Char {
  text: string;
  kind: CharKind;
  start: number;
  end: number;
}

const LETTER = /^[\p{L}\p{N}]$/u;
const MARK = /^\p{M}$/u;
/** The scripts whose letters lose their marks. */
const STRIPPED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]$/u;
/** Chinese, Japanese, Korean, and Thai. */
const PAIRED = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{Script=Thai}]$/u;
const BASE_LETTERS: Record<string, string> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ς: 'σ' };

/** The most UTF-16 units of a letter with its marks; further marks are ignored. */
const MAX_CLUSTER = 32;
/** The most letters whose folded form is remembered. */
const MAX_KNOWN = 5_000;

type Folded = Pick<Char, 'text' | 'kind'>[];
const known = new Map<string, Folded>();

/**
 * The characters of a text as search compares them: without case, width, and, in Latin, Greek, Cyrillic, Arabic, and Hebrew, without
 * marks (CONTRACT: Search). Each letter is folded with its marks, so the result doesn't depend on the text around it.
 */
export function foldChars(text: string): Char[] {
  const chars: Char[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOfCluster(text, start);
    for (const { text: folded, kind } of foldCluster(text.slice(start, Math.min(end, start + MAX_CLUSTER))))
      chars.push({ text: folded, kind, start, end });
    start = end;
  }
  return chars;
}

/** The folded text, with one space for each run of white space. Texts with the same result are the same for search. */
export function foldWhole(text: string): string {
  return foldChars(text.trim().replaceAll(/\s+/gu, ' '))
    .map(({ text: char }) => char)
    .join('');
}

/** The end of the character at a place, with the marks that belong to it. */
function endOfCluster(text: string, start: number): number {
  let end = start + charAt(text, start).length;
  while (end < text.length && text.codePointAt(end)! > 0x7f) {
    const next = charAt(text, end);
    if (!MARK.test(next) && !isJamo(next)) break;
    end += next.length;
  }
  return end;
}

const charAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at)!);

/** A vowel or final consonant of a Korean syllable that's written in parts. */
const isJamo = (char: string) => char >= '\u1160' && char <= '\u11ff';

function foldCluster(cluster: string): Folded {
  const found = known.get(cluster);
  if (found) return found;
  const folded = Array.from(foldText(cluster), (text) => ({ text, kind: kindOf(text) }));
  if (known.size < MAX_KNOWN && cluster.length <= 4) known.set(cluster, folded);
  return folded;
}

function foldText(cluster: string): string {
  const bare = withoutMarks(cluster.normalize('NFKD'));
  const cased = withoutMarks(bare.toLowerCase().toUpperCase().toLowerCase().normalize('NFKD'));
  return Array.from(cased, (char) => BASE_LETTERS[char] ?? char)
    .join('')
    .normalize('NFC');
}

function withoutMarks(text: string): string {
  let isStripped = false;
  let kept = '';
  for (const char of text) {
    if (!MARK.test(char)) isStripped = STRIPPED.test(char);
    else if (isStripped) continue;
    kept += char;
  }
  return kept;
}

function kindOf(char: string): CharKind {
  if (PAIRED.test(char) && (LETTER.test(char) || MARK.test(char))) return 'pair';
  if (LETTER.test(char)) return 'letter';
  return MARK.test(char) ? 'mark' : 'other';
}
