import { isBlank, type Line } from './words.js';

/** The most lines of an introduction such as "On …, Acme wrote:" and of Outlook's fields above a mail; characters of a label and a line. */
const MOST = { introduction: 4, fields: 14, label: 26, line: 400 };

// A year or a whole date, in any digits and in any language.
const DATE =
  /(?<!\p{Nd})(?:(?:19|20)\p{Nd}{2}|[\u0660-\u0669\u06f0-\u06f9]{4}|\p{Nd}{1,2}[./-]\p{Nd}{1,2}[./-]\p{Nd}{2,4}|25\p{Nd}{2}年?)(?!\p{Nd})/u;
const TIME = /(?<!\p{Nd})\p{Nd}{1,2}[:.h時点]\p{Nd}{2}(?!\p{Nd})/u;
// Zoho has dashes instead of the colon, on both sides.
const END = /[:：﹕]$|[^\s-] ?-{3,20}$/;
const ADDRESS = /[^\s@<>]@[^\s@<>]/;
const SEPARATOR = /^\s*(?:[_*=]{5,200}|-{5,200}|-{2,20} ?[\p{L}\p{M}\p{N} ]{3,60} ?-{2,20})\s*$/u;
const BARE = /[*_\p{Cf}]/gu;

/** A line without marks of quotes and of bold text. */
const bare = ({ text }: Line) =>
  text
    .slice(0, MOST.line)
    .replace(/^[\s>|]+/, '')
    .replaceAll(BARE, '')
    .trim();

/** Whether a line only separates texts, such as "-----Original Message-----". */
export function isSeparator(text: string): boolean {
  return text.length <= MOST.line && SEPARATOR.test(text);
}

/**
 * The first line of the introduction that ends on a line, such as "On Tue, 3 Nov 2026, Acme <support@acme.example> wrote:". It's
 * recognized by its colon or dashes and a date or an address, in any language. -1 if there's none.
 */
export function introductionBefore(lines: readonly Line[], last: number): number {
  if (last < 0 || !END.test(bare(lines[last]!))) return -1;
  let text = '';
  let first = -1;
  for (let at = last; at >= 0 && at > last - MOST.introduction; at--) {
    const line = lines[at]!;
    if (isBlank(line) || line.depth !== lines[last]!.depth) break;
    const shown = bare(line);
    if (at < last && /[.!?。！？:：]$/.test(shown)) break;
    const had = { date: DATE.test(text), address: ADDRESS.test(text) };
    text = `${shown} ${text}`;
    const has = { date: DATE.test(text), address: ADDRESS.test(text) };
    // A line farther up belongs to it only if it adds what's missing.
    if ((has.date && !had.date) || (has.address && !had.address)) first = at;
    if (has.date && has.address) break;
  }
  return first < 0 ? -1 : withRest(lines, first, last);
}

/** The first line, or the one above it if a long name or date begins there. */
function withRest(lines: readonly Line[], first: number, last: number): number {
  const text = lines
    .slice(first, last + 1)
    .map(bare)
    .join(' ');
  const above = lines[first - 1];
  if (above === undefined || isBlank(above) || above.depth !== lines[first]!.depth || DATE.test(text)) return first;
  return TIME.test(bare(above)) ? first - 1 : first;
}

/** Whether the introduction has a date and an address, so that it's one even if nothing below it was sent by us. */
export function isClear(lines: readonly Line[], first: number, last: number): boolean {
  const text = lines
    .slice(first, last + 1)
    .map(bare)
    .join(' ');
  return (DATE.test(text) || TIME.test(text)) && ADDRESS.test(text);
}

/** The fields of a mail that stand above its text, with the separator before them. */
export interface FieldBlock {
  /** The line after them. */
  end: number;
  /** Whether a separator, or an address in angle brackets together with a time, makes them clear without an alignment. */
  isClear: boolean;
}

/** The fields (From, Sent, To, Subject) that begin on a line, in any language; null if there are fewer than three. */
export function fieldsAt(lines: readonly Line[], start: number): FieldBlock | null {
  let at = start;
  while (at < lines.length && at < start + 3 && (isSeparator(lines[at]!.text) || (at > start && isBlank(lines[at]!))))
    at++;
  const hasSeparator = at > start;
  const found = readFields(lines, at);
  if (found === null) return null;
  const { text, end } = found;
  const isOurs = DATE.test(text) || TIME.test(text) || ADDRESS.test(text);
  if (!isOurs) return null;
  const hasMailbox = /<[^<>\s]*@/.test(text) && (TIME.test(text) || DATE.test(text));
  return { end, isClear: (DATE.test(text) || TIME.test(text)) && (hasMailbox || (hasSeparator && ADDRESS.test(text))) };
}

function readFields(lines: readonly Line[], start: number): { text: string; end: number } | null {
  let count = 0;
  let end = start;
  const texts: string[] = [];
  for (let at = start, gap = 0; at < lines.length && at < start + MOST.fields; at++) {
    const line = lines[at]!;
    const isField = isLabeled(bare(line));
    gap = isField ? 0 : gap + 1;
    if (gap > 2 || (gap > 0 && count === 0)) break;
    if (!isField) continue;
    count++;
    texts.push(...lines.slice(end, at + 1).map(bare));
    end = at + 1;
  }
  return count < 3 ? null : { text: texts.join('\n'), end };
}

/** Whether a line has the form `Label: value`; the value may be empty. */
function isLabeled(text: string): boolean {
  const at = text.search(/[:：]/);
  return (
    at > 0 &&
    at <= MOST.label &&
    /^\p{L}[\p{L}\p{M}\p{Zs} .'’-]*$/u.test(text.slice(0, at)) &&
    !text.startsWith('//', at + 1)
  );
}
