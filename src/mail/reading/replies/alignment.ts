import { type Line, type Words, weightOf, wordsOf } from './words.js';

/** Words in a row that are looked up in what was sent. */
const SEED = 4;
/** The least weight of a run of words that's taken for a quote. */
const LEAST = 4;
/** The most places of the same words that are compared. */
const MOST_PLACES = 8;
/** The most characters of sent mails that are compared. */
const MAX_SENT = 100_000;
/** Ends a sent mail, so that no run continues in the next one. */
const END = '\n';

/** Which words of a reply stand in the mails that were sent, in the same order. */
export interface Alignment {
  /** For each word of the reply: its place in what was sent, or -1. */
  places: Int32Array;
  /** For each word of the reply: 1 if it's in a run that's long enough for a quote, and not only equal to a short line. */
  strong: Uint8Array;
  sent: SentWords;
}

/** The mails that were sent, one after the other. */
export interface SentWords {
  all: string[];
  /** The places of first words of lines. */
  starts: Set<number>;
  /** For each word, the number of its paragraph. */
  paragraphs: number[];
  /** The places of words that a link follows. */
  beforeLinks: Set<number>;
  links: Set<string>;
}

/** Aligns a reply with the mails that were sent, the newest first. Takes linear time. */
export function align(reply: Words, mails: readonly string[]): Alignment {
  const sent = sentWordsOf(mails);
  const places = new Int32Array(reply.all.length).fill(-1);
  const strong = new Uint8Array(reply.all.length);
  const seeds = seedsOf(sent.all);
  const lines = linesOf(sent);
  const lineAt = new Map(reply.lines.filter(({ from, to }) => to > from).map((line) => [line.from, line]));
  let expected = -1;
  for (let at = 0; at < places.length;) {
    const line = lineAt.get(at);
    const found = line === undefined ? [] : (lines.get(keyOf(reply.all, line)) ?? []);
    const run = longestRun(reply.all, at, sent.all, [
      ...(expected < 0 ? [] : [expected]),
      ...(seeds.get(seedAt(reply.all, at)) ?? []),
      ...found,
    ]);
    const isWhole = line !== undefined && at + run.length >= line.to;
    const isStrong = isHeavy(reply.all, at, run.length);
    if (run.length > 0 && (isWhole || isStrong)) {
      strong.fill(isStrong ? 1 : 0, at, at + run.length);
      for (let offset = 0; offset < run.length; offset++) places[at + offset] = run.place + offset;
      expected = run.place + run.length;
      at += run.length;
    } else at++;
  }
  return { places, strong, sent };
}

function sentWordsOf(mails: readonly string[]): SentWords {
  const sent: SentWords = { all: [], starts: new Set(), paragraphs: [], beforeLinks: new Set(), links: new Set() };
  let left = MAX_SENT;
  let paragraph = 0;
  for (const mail of mails) {
    const { lines, all } = wordsOf(mail.slice(0, Math.max(left, 0)));
    left -= mail.length;
    for (const { from, to, links } of lines) {
      if (to === from && links.length === 0) paragraph++;
      else sent.starts.add(sent.all.length);
      for (let at = from; at < to; at++) {
        sent.all.push(all[at]!);
        sent.paragraphs.push(paragraph);
      }
      for (const link of links) sent.links.add(link);
      if (links.length > 0) sent.beforeLinks.add(sent.all.length - 1);
    }
    sent.all.push(END);
    sent.paragraphs.push(paragraph++);
  }
  return sent;
}

const seedAt = (words: readonly string[], at: number) => words.slice(at, at + SEED).join(' ');
const keyOf = (words: readonly string[], { from, to }: Pick<Line, 'from' | 'to'>) => words.slice(from, to).join(' ');

function seedsOf(words: readonly string[]): Map<string, number[]> {
  const seeds = new Map<string, number[]>();
  for (let at = 0; at + SEED <= words.length; at++) addPlace(seeds, seedAt(words, at), at);
  return seeds;
}

/** The places of whole lines, which may be shorter than a seed. */
function linesOf({ all, starts }: SentWords): Map<string, number[]> {
  const lines = new Map<string, number[]>();
  const sorted = [...starts, all.length];
  for (const [index, from] of sorted.slice(0, -1).entries()) {
    const to = sorted[index + 1]!;
    addPlace(lines, keyOf(all, { from, to: all[to - 1] === END ? to - 1 : to }), from);
  }
  return lines;
}

function addPlace(places: Map<string, number[]>, key: string, place: number): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, [place]);
  else if (known.length < MOST_PLACES) known.push(place);
}

/** The longest run of equal words from one of the places. If several are equally long, the first that isn't before the expected place. */
function longestRun(words: readonly string[], at: number, sent: readonly string[], candidates: readonly number[]) {
  let best = { place: -1, length: 0 };
  const expected = candidates[0] ?? 0;
  for (const place of candidates) {
    let length = 0;
    while (at + length < words.length && sent[place + length] === words[at + length]) length++;
    if (length > best.length || (length === best.length && best.place < expected && place >= expected))
      best = { place, length };
  }
  return best;
}

function isHeavy(words: readonly string[], at: number, length: number): boolean {
  let weight = 0;
  for (let offset = 0; offset < length && weight < LEAST; offset++) weight += weightOf(words[at + offset]!);
  return weight >= LEAST;
}
