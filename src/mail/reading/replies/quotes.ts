import type { Alignment } from './alignment.js';
import { fieldsAt, introductionBefore, isClear, isSeparator } from './introductions.js';
import { isBlank, type Line, type Words, weightOf } from './words.js';

/** The share of a line's words that have to be ours. */
const SHARE = 0.8;
/** The least weight of an unmarked quote that nothing introduces. */
const LEAST_UNMARKED = 12;
/** How many lines may stand between the fields of a mail and its text: warnings of the visitor's own company, for example. */
const MOST_BETWEEN = 8;

/** What a line of a reply has in common with the mails that were sent. */
interface Coverage {
  /** Whether (nearly) all words are ours. */
  isOurs: boolean;
  /** Whether they're ours beyond doubt, and not only equal to a short line. */
  isStrong: boolean;
  /** The places of the first and the last of these words in what was sent; -1 without any. */
  first: number;
  last: number;
}

/** Finds the quoted lines of a reply. */
export class Quotes {
  /** For each line, whether it's quoted. */
  readonly isQuoted: boolean[];
  private readonly coverages: Coverage[];
  private readonly isAligned: boolean;

  constructor(
    private readonly words: Words,
    private readonly alignment: Alignment,
  ) {
    this.isQuoted = words.lines.map(() => false);
    this.coverages = words.lines.map((line) => this.coverageOf(line));
    this.isAligned = this.coverages.some(({ isStrong }) => isStrong);
    this.findMarked();
    this.findUnmarked();
  }

  private get lines(): readonly Line[] {
    return this.words.lines;
  }

  private coverageOf({ from, to }: Line): Coverage {
    const { places, strong } = this.alignment;
    let [count, sure, first, last] = [0, 0, -1, -1];
    for (let at = from; at < to; at++) {
      if (places[at]! < 0) continue;
      count++;
      sure += strong[at]!;
      last = places[at]!;
      if (first < 0) first = last;
    }
    const total = to - from;
    return { isOurs: total > 0 && count >= total * SHARE, isStrong: total > 0 && sure >= total * SHARE, first, last };
  }

  /** Quotes whose lines begin with `>` or `|`. */
  private findMarked(): void {
    let wasQuote = false;
    for (let start = 0; start < this.lines.length;) {
      const end = this.endOfMarked(start);
      if (end === start) {
        start++;
        continue;
      }
      const introduction = this.introductionOf(start);
      const isIntroduced = introduction >= 0 || (wasQuote && !this.isAligned) || this.hasIntroduction(start, end);
      // Lines of a visitor's own table begin with `|` too.
      if ((isIntroduced && !this.hasBar(start)) || this.isOurBlock(start, end)) {
        this.quote(introduction < 0 ? start : introduction, end);
        this.quoteOverflow(end);
        wasQuote = true;
      }
      start = end;
    }
  }

  private hasBar(at: number): boolean {
    return this.lines[at]!.text.trimStart().startsWith('|');
  }

  private endOfMarked(start: number): number {
    let end = start;
    while (end < this.lines.length && this.lines[end]!.depth > 0) end++;
    return end;
  }

  /** Whether the visitor's mail program quoted the block from a mail of ours: all its words are ours, or some beyond doubt. */
  private isOurBlock(start: number, end: number): boolean {
    const blocks = this.coverages.slice(start, end);
    if (blocks.some(({ isStrong }) => isStrong)) return true;
    return this.lines.slice(start, end).every((line, at) => line.to === line.from || blocks[at]!.isOurs);
  }

  /** Whether an introduction stands in the block itself, as iOS writes it. */
  private hasIntroduction(start: number, end: number): boolean {
    for (let at = start; at < Math.min(end, start + 4); at++) {
      const first = introductionBefore(this.lines, at);
      if (first >= start && isClear(this.lines, first, at)) return true;
    }
    return false;
  }

  /** Also quotes the lines after a marked quote that continue it: a long line may have been broken, so that its rest has no mark. */
  private quoteOverflow(end: number): void {
    for (let at = end; at < this.lines.length; at++) {
      const coverage = this.coverages[at]!;
      const before = this.coverages[at - 1]!;
      const isRest =
        coverage.isOurs && coverage.first === before.last + 1 && !this.alignment.sent.starts.has(coverage.first);
      if (!isRest) return;
      this.isQuoted[at] = true;
    }
  }

  /** The first line of the introduction before a quote; -1 if there's none. */
  private introductionOf(start: number): number {
    let last = start - 1;
    while (last >= 0 && last >= start - 3 && isBlank(this.lines[last]!)) last--;
    return last < 0 || this.isQuoted[last] ? -1 : introductionBefore(this.lines, last);
  }

  private quote(start: number, end: number): void {
    this.isQuoted.fill(true, start, end);
  }

  /** Quotes without `>`, as Outlook writes them. Lines in them that aren't ours are answers. */
  private findUnmarked(): void {
    for (let at = 0; at < this.lines.length; at++) {
      if (this.isQuoted[at]) continue;
      const text = this.startOfText(at);
      if (text === null) continue;
      this.quote(at, text);
      if (!this.isAligned) {
        this.quote(text, this.lines.length);
        return;
      }
      at = this.quoteRegion(text) - 1;
    }
  }

  /** If an unmarked quote begins on this line with fields, an introduction, or text: the line where its text begins. Otherwise null. */
  private startOfText(at: number): number | null {
    const fields = fieldsAt(this.lines, at);
    if (fields !== null) {
      const ours = this.nextOurs(fields.end);
      if (ours !== null) return ours;
      if (!this.isAligned && fields.isClear && this.hasOwnBefore(at)) return fields.end;
    }
    return this.startAfterIntroduction(at) ?? (this.isUnmarkedQuote(at) ? at : null);
  }

  private startAfterIntroduction(at: number): number | null {
    for (let last = at; last < Math.min(at + 4, this.lines.length); last++) {
      if (isBlank(this.lines[last]!)) return null;
      if (introductionBefore(this.lines, last) !== at) continue;
      const next = this.nextFilled(last + 1);
      if (next === null) return null;
      if (this.coverages[next]!.isStrong || (this.coverages[next]!.isOurs && this.nextOurs(next + 1) !== null))
        return next;
      return !this.isAligned && isClear(this.lines, at, last) && this.hasOwnBefore(at) ? next : null;
    }
    return null;
  }

  private hasOwnBefore(at: number): boolean {
    return this.lines.slice(0, at).some((line, before) => !this.isQuoted[before] && !isBlank(line));
  }

  private nextFilled(from: number): number | null {
    for (let at = from; at < Math.min(from + 4, this.lines.length); at++) if (!isBlank(this.lines[at]!)) return at;
    return null;
  }

  /** The next line that's surely ours, after at most `MOST_BETWEEN` others. Null if there's none. */
  private nextOurs(from: number): number | null {
    for (let at = from, filled = 0; at < this.lines.length && filled <= MOST_BETWEEN; at++) {
      // The quote has its own introduction, so what's above it is the visitor's.
      if (this.isQuoted[at] && this.lines[at]!.depth === 0) return null;
      if (this.coverages[at]!.isStrong) return this.firstOurs(from, at);
      if (!isBlank(this.lines[at]!)) filled++;
    }
    return null;
  }

  /** The first of our lines that lead up to a line: short ones directly above it belong to it. */
  private firstOurs(from: number, at: number): number {
    let first = at;
    while (first > from && (this.coverages[first - 1]!.isOurs || isBlank(this.lines[first - 1]!))) first--;
    return first;
  }

  /** Whether lines of ours begin here, from at least two paragraphs of a mail: a visitor who repeats a sentence repeats only one. */
  private isUnmarkedQuote(start: number): boolean {
    if (
      !this.coverages[start]!.isStrong ||
      (start > 0 && !isBlank(this.lines[start - 1]!) && !this.isQuoted[start - 1])
    )
      return false;
    const { sent } = this.alignment;
    const paragraphs = new Set<number>();
    let weight = 0;
    for (let at = start; at < this.lines.length; at++) {
      const { isOurs, last } = this.coverages[at]!;
      const line = this.lines[at]!;
      if (line.to === line.from) continue;
      if (!isOurs) break;
      paragraphs.add(sent.paragraphs[last]!);
      for (let word = line.from; word < line.to; word++) weight += weightOf(this.words.all[word]!);
      if (weight >= LEAST_UNMARKED && paragraphs.size > 1) return true;
    }
    return false;
  }

  /** Marks the lines of an unmarked quote, and returns the line after it. */
  private quoteRegion(start: number): number {
    let place = this.coverages[start]!.first - 1;
    let end = start;
    for (let at = start; at < this.lines.length; at++) {
      const { isOurs, isStrong, first, last } = this.coverages[at]!;
      const fields = this.isQuoted[at] ? null : fieldsAt(this.lines, at);
      if (this.isQuoted[at]) end = at + 1;
      else if (fields !== null && this.nextOurs(fields.end) !== null) return at;
      else if (isOurs && (first > place || (isStrong && this.startsParagraph(at)))) {
        this.isQuoted[at] = true;
        place = last;
        end = at + 1;
      } else if (this.isOurLink(at, place)) this.isQuoted[at] = true;
    }
    return end;
  }

  private startsParagraph(at: number): boolean {
    return at === 0 || isBlank(this.lines[at - 1]!) || this.isQuoted[at - 1]!;
  }

  /** Whether a line is a separator, or has only links: ones that were sent, or that replace one that was sent in this place. */
  private isOurLink(at: number, place: number): boolean {
    const { text, from, to, links } = this.lines[at]!;
    if (to > from || links.length === 0) return isSeparator(text);
    const { sent } = this.alignment;
    return (
      links.every((link) => sent.links.has(link)) || (sent.beforeLinks.has(place) && this.nextOurs(at + 1) !== null)
    );
  }

  /** What a visitor wrote after our words on a quoted line; null if nothing. */
  ownTailOf(at: number): string | null {
    const { text, from, to } = this.lines[at]!;
    const { places, strong, sent } = this.alignment;
    let first = to;
    while (first > from && places[first - 1]! < 0) first--;
    if (first === to || first - from < 3 || !strong[first - 1]) return null;
    const next = places[first - 1]! + 1;
    const isInserted = (to < places.length && places[to] === next) || sent.starts.has(next);
    if (!isInserted) return null;
    const tail = text
      .slice(this.words.ends[first - 1])
      .replace(/^[\s\p{P}\p{S}]+/u, '')
      .trim();
    return tail === '' ? null : tail;
  }
}
