import { cardGroups } from './cards.js';
import { foldChars, foldWhole } from './fold.js';
import { shortened } from './edits.js';
import { numbersOf, runsOf } from './numbers.js';
import { isPair, MAX_WORD, type Word, wordsOf } from './words.js';

// A lexeme that isn't a word begins with a character that no word contains.

/** A number of several groups. */
export const numberLexeme = (digits: string) => `#${digits}`;
/** The end of a phone number. */
export const phoneLexeme = (tail: string) => `+${tail}`;
/** A whole name, address, or id. */
export const wholeLexeme = (text: string) => `=${foldWhole(text).slice(0, MAX_WORD)}`;
/** A word of a name, or what's left of it without a letter. */
export const editLexeme = (text: string) => `!${text}`;
/** The lexemes of an organization, and of its rows in a segment of time. */
export const organizationLexeme = (organizationId: string) => `~${organizationId.slice(-10)}`;
export const segmentLexeme = (organizationId: string, segment: number) =>
  `${organizationLexeme(organizationId)}.${segment}`;

/** A segment of time is 8 days. */
const SEGMENT_MS = 8 * 86_400_000;
export const segmentOf = (at: Date) => Math.floor(at.getTime() / SEGMENT_MS);
export const startOfSegment = (segment: number) => new Date(segment * SEGMENT_MS);

/** PostgreSQL's limit of positions. Words after it are found, but not as a part of a phrase. */
const MAX_POSITION = 16_383;
/** The most bytes of a row's lexemes, so that no text can make a row that PostgreSQL refuses. */
const MAX_BYTES = 800_000;
/** The most positions of a lexeme. */
const MAX_PLACES = 255;

interface AddOptions {
  /** Whether the words are of a visitor's name. */
  isName?: boolean;
  /** Whether the numbers of payment cards are left out. Default: true. */
  hidesCards?: boolean;
}

/** A row's lexemes, as the text of a `tsvector`. */
export class Lexemes {
  private readonly places = new Map<string, Set<string>>();
  private position = 1;
  private bytes = 0;

  /** Adds the words and numbers of a text. A phrase never matches across two texts. */
  addText(text: string, { isName = false, hidesCards = true }: AddOptions = {}): this {
    const chars = foldChars(text);
    const runs = runsOf(chars);
    const hidden = new Set(hidesCards ? runs.flatMap((run) => [...cardGroups(run)]) : []);
    const isHidden = ({ start, end }: Word) => [...hidden].some((group) => group.start < end && group.end > start);
    this.addWords(wordsOf(chars), isName ? 'A' : '', hidden.size > 0 ? isHidden : () => false);
    for (const run of runs)
      for (const { digits, tail, groups } of numbersOf(run, (group) => hidden.has(group))) {
        if (groups > 1) this.add(numberLexeme(digits));
        if (tail !== null) this.add(phoneLexeme(tail));
      }
    return this;
  }

  /** Adds a name as a whole, its words, and each word without one of its letters. */
  addName(name: string): this {
    this.addText(name, { isName: true }).addWhole(name);
    for (const { text, isPair } of wordsOf(foldChars(name)))
      if (!isPair) for (const left of shortened(text)) this.add(editLexeme(left));
    return this;
  }

  addWhole(text: string): this {
    return this.add(wholeLexeme(text));
  }

  /** Adds the organization and the time, which limit what a search reads. */
  addPlace(organizationId: string, at: Date): this {
    return this.add(organizationLexeme(organizationId)).add(segmentLexeme(organizationId, segmentOf(at)));
  }

  toString(): string {
    return Array.from(
      this.places,
      ([lexeme, at]) => quoted(lexeme) + (at.size > 0 ? `:${[...at].join(',')}` : ''),
    ).join(' ');
  }

  private addWords(words: readonly Word[], weight: string, isHidden: (word: Word) => boolean): void {
    for (const [index, word] of words.entries()) {
      if (!isHidden(word)) {
        const at = `${Math.min(this.position, MAX_POSITION)}${weight}`;
        this.add(word.text, at);
        const next = words[index + 1];
        if (next && isPair(word, next)) this.add(word.text + next.text, at);
      }
      this.position++;
    }
    this.position++;
  }

  private add(lexeme: string, at?: string): this {
    let places = this.places.get(lexeme);
    if (!places) {
      this.bytes += Buffer.byteLength(lexeme) + 8;
      if (this.bytes > MAX_BYTES) return this;
      this.places.set(lexeme, (places = new Set()));
    }
    if (at !== undefined && places.size < MAX_PLACES) places.add(at);
    return this;
  }
}

/** A lexeme in the text of a `tsvector` or a `tsquery`. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
