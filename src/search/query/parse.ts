import { foldChars } from '../tokens/fold.js';
import { type NumberAt, runsOf, wholeNumber } from '../tokens/numbers.js';
import { type Word, wordsOf } from '../tokens/words.js';

/** Words that match in a row. */
export interface Phrase {
  words: Word[];
  isPrefix: boolean;
  isQuoted: boolean;
}

/** Phrases that must all match. Instead, the number in them and the remaining phrases may. */
export interface Group {
  phrases: Phrase[];
  number?: { number: NumberAt; rest: Phrase[] };
}

/** The words of a search. Without groups, it finds nothing. */
export interface Query {
  text: string;
  groups: Group[];
  /** Whether it's one Latin letter, which searches names only. */
  isLetter: boolean;
}

interface Term {
  start: number;
  end: number;
  isQuoted: boolean;
}

/** Reads `q` (CONTRACT: Search). */
export function parseQuery(text: string): Query {
  const chars = foldChars(text);
  const words = wordsOf(chars);
  const terms = splitTerms(text);
  const inside = ({ start, end }: Term) => words.filter((word) => word.start >= start && word.start < end);
  const phrases = terms
    .map((term) => ({ ...term, words: inside(term), isPrefix: false }))
    .filter((phrase) => phrase.words.length > 0);
  const last = phrases.at(-1);
  if (last) last.isPrefix = !last.isQuoted;
  const numbers = runsOf(chars).flatMap((run) => wholeNumber(run) ?? []);
  const [only] = words;
  return {
    text: text.trim(),
    groups: toGroups(phrases, numbers),
    isLetter: words.length === 1 && only !== undefined && /^[a-z]$/.test(only.text),
  };
}

/** Splits `q` at white space, except within quotes. A quote without an end is ignored. */
function splitTerms(text: string): Term[] {
  const terms: Term[] = [];
  let open: Term | null = null;
  for (let at = 0; at < text.length; at++) {
    const close = text[at] === '"' ? text.indexOf('"', at + 1) : -1;
    if (close > at) {
      terms.push({ start: at + 1, end: close, isQuoted: true });
      at = close;
    }
    if (close > at || text[at] === '"' || text[at]!.trim() === '') open = null;
    else if (open) open.end = at + 1;
    else terms.push((open = { start: at, end: at + 1, isQuoted: false }));
  }
  return terms;
}

type Placed = Phrase & Term;

// The phrases that share a number form one group, because a text may group the digits of the number differently.
function toGroups(phrases: readonly Placed[], numbers: readonly NumberAt[]): Group[] {
  const groups: Group[] = [];
  const done = new Set<Placed>();
  for (const phrase of phrases) {
    if (done.has(phrase)) continue;
    const number = numbers.find(({ start, end }) => start < phrase.end && end > phrase.start);
    const touched = number ? phrases.filter(({ start, end }) => start < number.end && end > number.start) : [phrase];
    for (const one of touched) done.add(one);
    groups.push({ phrases: touched, ...(number && { number: { number, rest: withoutNumber(touched, number) } }) });
  }
  return groups;
}

function withoutNumber(phrases: readonly Phrase[], { start, end }: NumberAt): Phrase[] {
  return phrases.flatMap((phrase) => {
    const words = phrase.words.filter((word) => word.end <= start || word.start >= end);
    const isPrefix = phrase.isPrefix && words.at(-1) === phrase.words.at(-1);
    return words.length > 0 ? [{ ...phrase, words, isPrefix }] : [];
  });
}
