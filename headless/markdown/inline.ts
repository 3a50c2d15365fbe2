import { linkify, safeUrl } from '../links.js';
import { siteBeside } from './site.js';
import { type Inline, textOfInline } from './tree.js';

/** The most open marks, which bounds the depth of elements. Further marks are text. */
const MAX_OPEN = 16;
/** Longer runs of `*`, `_` and `~` are text. */
const MAX_RUN = 3;
const ESCAPED = '\\`*_{}[]()<>#+-.!|~';

/** A mark that waits for its counterpart. `[` begins a link's label. */
interface Open {
  mark: string;
  size: number;
  children: Inline[];
}

/** Reads the marks within a text. @param isPartial whether its end is still to be written */
export function parseInline(text: string, isPartial = false): Inline[] {
  return new InlineParser(text, isPartial).parse();
}

/**
 * Reads each character once. A mark without a counterpart is text. A search for the counterpart passes only marks that it removes.
 */
class InlineParser {
  readonly #text: string;
  readonly #isPartial: boolean;
  readonly #open: Open[] = [{ mark: '', size: 0, children: [] }];
  #at = 0;
  #plain = '';
  /** The bare addresses, the last one first. */
  readonly #links: { start: number; text: string; href: string }[] = [];
  /** The ends of code: by their length, the places of the runs of backticks. */
  #ticks: Map<number, number[]> | undefined;

  constructor(text: string, isPartial: boolean) {
    this.#text = text;
    this.#isPartial = isPartial;
    let start = 0;
    for (const { text: piece, href } of linkify(text)) {
      if (href) this.#links.push({ start, text: piece, href });
      start += piece.length;
    }
    this.#links.reverse();
  }

  parse(): Inline[] {
    while (this.#at < this.#text.length) this.#step();
    this.#flush();
    while (this.#open.length > 1) this.#giveUp(this.#isPartial);
    return this.#open[0]!.children;
  }

  #step(): void {
    const char = this.#text[this.#at]!;
    if (this.#takeLink()) return;
    if (char === '\\' && ESCAPED.includes(this.#text[this.#at + 1] ?? ' ')) return this.#take(2, 1);
    if (char === '`') return this.#takeCode();
    if (char === '*' || char === '_' || char === '~') return this.#takeMarks(char);
    if (char === '[') return this.#takeLabel(1);
    if (char === '!' && this.#text[this.#at + 1] === '[') return this.#takeLabel(2);
    if (char === ']') return this.#closeLabel();
    if (char === '<') return this.#takeAngle();
    this.#take(1);
  }

  /** Adds characters as text. @param skipped how many of them are left out */
  #take(count: number, skipped = 0): void {
    this.#plain += this.#text.slice(this.#at + skipped, this.#at + count);
    this.#at += count;
  }

  #flush(): void {
    if (this.#plain) this.#add(this.#plain);
    this.#plain = '';
  }

  #add(child: Inline): void {
    this.#open.at(-1)!.children.push(child);
  }

  #takeLink(): boolean {
    const link = this.#nextLink(this.#at);
    if (link?.start !== this.#at) return false;
    this.#flush();
    // In a label the address ends with the label.
    const end = this.#isOpen('[') ? link.text.indexOf(']') : -1;
    const [text, href] = end < 0 ? [link.text, link.href] : [link.text.slice(0, end), ''];
    this.#add(href ? { type: 'link', href, children: [text] } : text);
    this.#at += text.length;
    return true;
  }

  #nextLink(from: number) {
    while ((this.#links.at(-1)?.start ?? Infinity) < from) this.#links.pop();
    return this.#links.at(-1);
  }

  /** The brackets of `<https://…>` are left out. All others are text. */
  #takeAngle(): void {
    const link = this.#nextLink(this.#at);
    if (link?.start !== this.#at + 1 || this.#text[link.start + link.text.length] !== '>') return this.#take(1);
    this.#at = link.start;
    this.#takeLink();
    this.#at += 1;
  }

  #takeCode(): void {
    const size = this.#runOf('`');
    const end = this.#endOfCode(size);
    if (end === undefined && !(this.#isPartial && size === 1)) return this.#take(size);
    this.#flush();
    const text = this.#text.slice(this.#at + size, end).replaceAll('\n', ' ');
    const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
    if (text) this.#add({ type: 'code', text: isPadded ? text.slice(1, -1) : text });
    this.#at = end === undefined ? this.#text.length : end + size;
  }

  #endOfCode(size: number): number | undefined {
    this.#ticks ??= runsOfTicks(this.#text);
    const places = this.#ticks.get(size) ?? [];
    while (places.length > 0 && places.at(-1)! <= this.#at) places.pop();
    return places.at(-1);
  }

  #takeMarks(mark: string): void {
    const run = this.#runOf(mark);
    const [before, after] = [this.#text[this.#at - 1] ?? ' ', this.#text[this.#at + run] ?? ' '];
    // At the end of an unfinished text, it may be part of a mark. Open marks are shown as closed.
    if (this.#isPartial && this.#at + run === this.#text.length) return void (this.#at += run);
    if (run > MAX_RUN || (mark === '~' && run !== 2)) return this.#take(run);
    const isInWord = mark === '_' && isWord(before) && isWord(after);
    let left = run;
    if (!isSpace(before) && !isInWord) left = this.#close(mark, left);
    if (left > 0 && !isSpace(after) && !isInWord) left = this.#begin(mark, left);
    this.#at += run - left;
    this.#take(left);
  }

  #begin(mark: string, run: number): number {
    let left = run;
    this.#flush();
    while (left > 0 && this.#open.length <= MAX_OPEN) {
      const size = Math.min(2, left);
      this.#open.push({ mark, size, children: [] });
      left -= size;
    }
    return left;
  }

  #close(mark: string, run: number): number {
    let left = run;
    while (left > 0 && this.#isOpen(mark)) {
      this.#flush();
      const begin = this.#beginOf(mark, left);
      while (this.#open.at(-1) !== begin) this.#giveUp(false);
      const { size, children } = this.#open.pop()!;
      // `**a*`: one of the two is text.
      const used = Math.min(size, left);
      if (used < size) this.#add(mark);
      this.#add({ type: typeOf(mark, used), children });
      left -= used;
    }
    return left;
  }

  /** The innermost mark that this one closes, preferably one of its size. */
  #beginOf(mark: string, size: number): Open | undefined {
    const isSame = (open: Open) => open.mark === mark;
    return this.#open.findLast((open) => isSame(open) && open.size === size) ?? this.#open.findLast(isSame);
  }

  #takeLabel(size: number): void {
    if (this.#open.length > MAX_OPEN) return this.#take(size);
    this.#flush();
    this.#open.push({ mark: '[', size, children: [] });
    this.#at += size;
  }

  #closeLabel(): void {
    if (!this.#isOpen('[')) return this.#take(1);
    this.#flush();
    while (this.#open.at(-1)!.mark !== '[') this.#giveUp(false);
    const target = this.#readTarget();
    const { children } = this.#open.at(-1)!;
    const href = target && safeUrl(target.url, 'http https mailto tel');
    if (!href) {
      // A label whose address is still written is shown as it will be.
      const isUnfinished = this.#isPartial && !!target?.isUnfinished;
      this.#giveUp(isUnfinished);
      return isUnfinished ? void (this.#at = target.end) : this.#take(1);
    }
    this.#open.pop();
    const label = textOfInline(children) || target.url;
    this.#add({ type: 'link', href, children: withoutLinks(children, label), site: siteBeside(label, href) });
    this.#at = target.end;
  }

  /** Reads the `(address "title")` after a label. It ends with the next bracket, so that no part is read twice. */
  #readTarget(): { url: string; end: number; isUnfinished?: boolean } | undefined {
    const start = this.#at + 2;
    if (start > this.#text.length) return { url: '', end: this.#text.length, isUnfinished: true };
    if (this.#text[start - 1] !== '(') return undefined;
    let depth = 1;
    let end = start;
    for (; end < this.#text.length && depth > 0; end++) {
      const char = this.#text[end]!;
      if (char === '[' || char === ']' || char === '\n') return undefined;
      if (char === '(') depth++;
      if (char === ')') depth--;
    }
    if (depth > 0) return { url: '', end, isUnfinished: true };
    const [url = ''] = this.#text
      .slice(start, end - 1)
      .trim()
      .split(/[\s"]/, 1);
    return { url: url.replace(/^<(.*)>$/, '$1'), end };
  }

  #isOpen(mark: string): boolean {
    return this.#open.some((open) => open.mark === mark);
  }

  /** Turns the innermost mark into text. @param isClosed whether it counts as closed */
  #giveUp(isClosed: boolean): void {
    const { mark, size, children } = this.#open.pop()!;
    if (isClosed && mark !== '[') {
      if (children.length > 0) this.#add({ type: typeOf(mark, size), children });
      return;
    }
    if (!isClosed) this.#add(mark === '[' ? '!['.slice(2 - size) : mark.repeat(size));
    for (const child of children) this.#add(child);
  }

  #runOf(mark: string): number {
    let end = this.#at;
    while (this.#text[end] === mark) end++;
    return end - this.#at;
  }
}

function typeOf(mark: string, size: number): 'del' | 'strong' | 'em' {
  return mark === '~' ? 'del' : size === 2 ? 'strong' : 'em';
}

/** The places of the runs of backticks by their length, the last one first. */
function runsOfTicks(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (let end = text.length; end > 0;) {
    const last = text.lastIndexOf('`', end - 1);
    if (last < 0) break;
    let start = last;
    while (text[start - 1] === '`') start--;
    const size = last - start + 1;
    const places = runs.get(size);
    if (places) places.push(start);
    else runs.set(size, [start]);
    end = start;
  }
  return runs;
}

/** A link in a label would be a link in a link. */
function withoutLinks(children: Inline[], label: string): Inline[] {
  const isLink = (child: Inline): boolean =>
    typeof child !== 'string' && child.type !== 'code' && (child.type === 'link' || child.children.some(isLink));
  return children.length === 0 || children.some(isLink) ? [label] : children;
}

function isSpace(char: string): boolean {
  return char.trim() === '';
}

function isWord(char: string): boolean {
  return char.toLowerCase() !== char.toUpperCase() || (char >= '0' && char <= '9');
}
