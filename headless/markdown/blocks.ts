import { parseInline } from './inline.js';
import type { Align, Block, Inline } from './tree.js';

/** How deep lists and quotes may be in one another. Deeper ones are text. */
const MAX_DEPTH = 6;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*)$/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,12})([-*+]|\d{1,9}[.)])( {1,4}|$)/;
const DELIMITER = /^ *:?-+:? *$/;
/** A line that may become a heading, an item, a quote, a fence, a rule or a table. */
const UNFINISHED = /^ {0,12}(?:#{1,6}|[-*+]|\d{1,9}[.)]?|>|`{1,2}|~{1,2}|--|\*\*|__|\|.*) *$/;
const DELIMITERS = /^[ |:-]*$/;

/**
 * Reads the blocks of a text. Raw HTML and pictures are not part of it. Takes linear time.
 * @param isPartial whether the end of the text is still to be written: what has no end yet is shown as if it had one
 */
export function parseMarkdown(text: string, isPartial = false): Block[] {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n');
  const shown = isPartial ? lines.slice(0, lines.length - unfinished(lines)) : lines;
  return new BlockParser(shown, 0, isPartial).parse();
}

/** How many lines at the end may become something else with the next characters: they are not shown yet. */
function unfinished(lines: readonly string[]): number {
  const [before = '', head = '', last = ''] = lines.slice(-3);
  if (before.includes('|') || !head.includes('|')) return UNFINISHED.test(last) && !head.includes('|') ? 1 : 0;
  // The head of a table is one only with all its delimiters.
  return DELIMITERS.test(last) && cellsOf(last).length < cellsOf(head).length ? 2 : 0;
}

class BlockParser {
  readonly #lines: readonly string[];
  readonly #depth: number;
  readonly #isPartial: boolean;
  readonly #blocks: Block[] = [];
  #at = 0;
  #paragraph: string[] = [];

  constructor(lines: readonly string[], depth: number, isPartial: boolean) {
    this.#lines = lines;
    this.#depth = depth;
    this.#isPartial = isPartial;
  }

  parse(): Block[] {
    while (this.#at < this.#lines.length) this.#step(this.#lines[this.#at]!);
    this.#endParagraph();
    return this.#blocks;
  }

  #step(line: string): void {
    const block = this.#readBlock(line);
    if (block) {
      this.#endParagraph();
      this.#blocks.push(block);
      return;
    }
    if (line.trim()) this.#paragraph.push(line);
    else this.#endParagraph();
    this.#at++;
  }

  /** Reads a block that begins with this line, and moves past it; undefined for a line of text. */
  #readBlock(line: string): Block | undefined {
    const fence = fenceOf(line);
    if (fence) return this.#readCode(fence);
    const heading = HEADING.exec(line);
    if (heading) return this.#readHeading(heading[1]!);
    if (RULE.test(line)) return this.#readRule();
    const isDeep = this.#depth >= MAX_DEPTH;
    if (!isDeep && QUOTE.test(line)) return this.#readQuote();
    const item = isDeep ? null : ITEM.exec(line);
    // In a paragraph, a line that begins with a year isn't a list.
    if (item && (this.#paragraph.length === 0 || !/^\d/.test(item[2]!) || item[2] === '1.'))
      return this.#readList(item);
    return this.#readTable(line);
  }

  #readCode(fence: string): Block {
    const begin = ++this.#at;
    const isEnd = (line: string) => line.trim().startsWith(fence) && line.trim().replaceAll(fence[0]!, '') === '';
    while (this.#at < this.#lines.length && !isEnd(this.#lines[this.#at]!)) this.#at++;
    const text = this.#lines.slice(begin, this.#at++).join('\n');
    return { type: 'code', text };
  }

  #readHeading(text: string): Block {
    this.#at++;
    return { type: 'heading', children: this.#inline(text.replace(/ #+ *$/, '')) };
  }

  #readRule(): Block {
    this.#at++;
    return { type: 'rule' };
  }

  #readQuote(): Block {
    const inner: string[] = [];
    for (let line; (line = this.#lines[this.#at]) !== undefined && QUOTE.test(line); this.#at++) {
      inner.push(line.replace(QUOTE, ''));
    }
    return { type: 'quote', children: this.#inside(inner) };
  }

  #readList(first: RegExpExecArray): Block {
    const isNumbered = /^\d/.test(first[2]!);
    const items: Block[][] = [];
    const indent = first[1]!.length;
    for (let item: RegExpExecArray | null = first; item; item = this.#nextItem(indent, isNumbered)) {
      items.push(this.#readItem(item));
    }
    return { type: 'list', items, ...(isNumbered && { start: parseInt(first[2]!, 10) }) };
  }

  /** The next item of a list. Blank lines may be before it. */
  #nextItem(indent: number, isNumbered: boolean): RegExpExecArray | null {
    let at = this.#at;
    while (this.#lines[at]?.trim() === '') at++;
    const item = ITEM.exec(this.#lines[at] ?? '');
    const isNext =
      item && item[1]!.length <= indent + 1 && /^\d/.test(item[2]!) === isNumbered && !RULE.test(this.#lines[at]!);
    if (isNext) this.#at = at;
    return isNext ? item : null;
  }

  #readItem(item: RegExpExecArray): Block[] {
    const inner = [this.#lines[this.#at++]!.slice(item[0].length)];
    // Bots indent an item's contents by two spaces, even if its marker is wider.
    const indent = item[1]!.length + 2;
    for (let line; (line = this.#lines[this.#at]) !== undefined && this.#isInside(line, indent); this.#at++) {
      inner.push(withoutIndent(line, item[0].length));
    }
    // Blank lines at the end are not the item's.
    for (; inner.length > 1 && inner.at(-1)!.trim() === ''; this.#at--) inner.pop();
    return this.#inside(inner);
  }

  /** Whether a line continues an item: it's indented, blank, or continues the item's paragraph. */
  #isInside(line: string, indent: number): boolean {
    if (line.trim() === '' || line.startsWith(' '.repeat(indent))) return true;
    const previous = this.#lines[this.#at - 1]!;
    const isOther = fenceOf(line) !== undefined || [ITEM, HEADING, RULE, QUOTE].some((form) => form.test(line));
    return previous.trim() !== '' && !isOther;
  }

  #readTable(line: string): Block | undefined {
    const next = this.#lines[this.#at + 1] ?? '';
    if (!line.includes('|') || !next.includes('-')) return undefined;
    const [head, delimiters] = [cellsOf(line), cellsOf(next)];
    if (delimiters.length !== head.length || !delimiters.every((cell) => DELIMITER.test(cell))) return undefined;
    const rows = [head];
    for (this.#at += 2; this.#lines[this.#at]?.includes('|'); this.#at++) rows.push(cellsOf(this.#lines[this.#at]!));
    const align = delimiters.map(alignOf);
    return {
      type: 'table',
      align,
      rows: rows.map((cells) => cells.slice(0, align.length).map((cell) => this.#inline(cell))),
    };
  }

  #endParagraph(): void {
    const text = this.#paragraph.join('\n').trim();
    this.#paragraph = [];
    if (text) this.#blocks.push({ type: 'paragraph', children: this.#inline(text) });
  }

  // Only the last block can be unfinished, so only there are open marks shown as closed.
  #inline(text: string): Inline[] {
    return parseInline(text.trim(), this.#isPartial && this.#at >= this.#lines.length);
  }

  #inside(lines: readonly string[]): Block[] {
    return new BlockParser(lines, this.#depth + 1, this.#isPartial && this.#at >= this.#lines.length).parse();
  }
}

/** The marks that begin code; undefined for a line that begins none. */
function fenceOf(line: string): string | undefined {
  const [all, fence] = FENCE.exec(line) ?? [];
  return all !== undefined && !line.slice(all.length).includes('`') ? fence : undefined;
}

function withoutIndent(line: string, width: number): string {
  const indent = line.length - line.trimStart().length;
  return line.slice(Math.min(width, indent));
}

/** The cells of a row, without the bars at its ends. A bar after a backslash is text. */
function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replaceAll('\\|', '\u0000')
    .split('|')
    .map((cell) => cell.replaceAll('\u0000', '|').trim());
  if (cells.length > 1 && cells[0] === '') cells.shift();
  if (cells.length > 1 && cells.at(-1) === '') cells.pop();
  return cells;
}

function alignOf(delimiter: string): Align {
  const isRight = delimiter.endsWith(':');
  if (delimiter.startsWith(':')) return isRight ? 'center' : 'left';
  return isRight ? 'right' : undefined;
}
