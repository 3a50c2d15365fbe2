import { foldChars } from '../tokens/fold.js';
import { numbersOf, runsOf } from '../tokens/numbers.js';
import { isPair, type Word, wordsOf } from '../tokens/words.js';
import type { Phrase, Query } from './parse.js';

/** A piece of a text, and the places in it that match: UTF-16 units, the end exclusive. */
export interface Snippet {
  snippet: string;
  ranges: [number, number][];
}

/** The most UTF-16 units of a snippet, and how many come before its first match. */
const MAX_SNIPPET = 300;
const BEFORE = 60;
/** The most places that are marked. */
const MAX_RANGES = 50;

/** The part of the content that matches. If none does: of the first file name that matches, or the beginning of the content. */
export function snippetOf(query: Query, content: string, fileNames: readonly string[] = []): Snippet {
  const ranges = findRanges(query, content);
  if (ranges.length > 0) return cut(content, ranges);
  for (const name of fileNames) {
    const ofName = findRanges(query, name);
    if (ofName.length > 0) return cut(name, ofName);
  }
  return cut(content, []);
}

function findRanges({ groups }: Query, text: string): [number, number][] {
  const chars = foldChars(text);
  const words = wordsOf(chars);
  const phrases = groups.flatMap((group) => [...group.phrases, ...(group.number?.rest ?? [])]);
  const found = phrases.flatMap((phrase) => rangesOfPhrase(phrase, words));
  const numbers = groups.flatMap(({ number }) => number?.number ?? []);
  if (numbers.length > 0)
    for (const run of runsOf(chars))
      for (const { digits, tail, start, end } of numbersOf(run))
        if (numbers.some((one) => one.digits === digits || (tail !== null && one.tail === tail)))
          found.push([start, end]);
  return merge(found);
}

function rangesOfPhrase({ words: wanted, isPrefix }: Phrase, words: readonly Word[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const at of words.keys()) {
    const last = words[at + wanted.length - 1];
    if (last && wanted.every((_, index) => matches(index, at))) ranges.push([words[at]!.start, last.end]);
  }
  return ranges;

  function matches(index: number, at: number): boolean {
    const word = words[at + index]!;
    const { text, isPair: isOfPair } = wanted[index]!;
    const isBroken = index > 0 && isPair(wanted[index - 1]!, wanted[index]!) && !isPair(words[at + index - 1]!, word);
    if (isBroken) return false;
    return isPrefix && index === wanted.length - 1 && !isOfPair ? word.text.startsWith(text) : word.text === text;
  }
}

function merge(ranges: readonly [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function cut(text: string, ranges: readonly [number, number][]): Snippet {
  const first = ranges[0]?.[0] ?? 0;
  const room = text.length - MAX_SNIPPET;
  const start = alignedTo(text, room <= 0 ? 0 : Math.max(0, Math.min(first - BEFORE, room)));
  const end = alignedTo(text, Math.min(text.length, start + MAX_SNIPPET));
  const inside = ranges.flatMap(([from, to]): [number, number][] =>
    from < end && to > start ? [[Math.max(from, start) - start, Math.min(to, end) - start]] : [],
  );
  return { snippet: text.slice(start, end), ranges: inside.slice(0, MAX_RANGES) };
}

/** The place, or the one before it if it's inside of a surrogate pair. */
function alignedTo(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
