/** A change of a text, with what is selected after it. */
export interface Change {
  from: number;
  to: number;
  words: string;
  select: [number, number];
}

export type Format = 'bold' | 'italic' | 'code' | 'list' | 'link';

const MARKS = { bold: '**', italic: '_', code: '`' } as const;
const FENCE = '```';
const ITEM = '- ';
const ADDRESS = 'https://';

/** Formats the selection of a text as Markdown, or takes the format away. */
export function formatted(format: Format, text: string, start: number, end: number): Change {
  if (format === 'list') return listed(text, start, end);
  if (format === 'link') return linked(text, start, end);
  const [from, to] = withoutSpaces(text, start, end);
  if (format === 'code' && text.slice(from, to).includes('\n')) return fenced(text, from, to);
  return marked(text, from, to, MARKS[format]);
}

/** Marks around spaces are no format. */
function withoutSpaces(text: string, start: number, end: number): [number, number] {
  const words = text.slice(start, end);
  if (words.trim() === '') return [start, end];
  return [start + words.length - words.trimStart().length, end - (words.length - words.trimEnd().length)];
}

function marked(text: string, from: number, to: number, mark: string): Change {
  const { length } = mark;
  const words = text.slice(from, to);
  if (text.slice(from - length, from) === mark && text.slice(to, to + length) === mark && from >= length) {
    const select: [number, number] = [from - length, to - length];
    return { from: from - length, to: to + length, words, select };
  }
  if (words.length > 2 * length && words.startsWith(mark) && words.endsWith(mark)) {
    return { from, to, words: words.slice(length, -length), select: [from, to - 2 * length] };
  }
  return { from, to, words: mark + words + mark, select: [from + length, to + length] };
}

/** Several lines of code are a block of their own. */
function fenced(text: string, from: number, to: number): Change {
  const before = from > 0 && text[from - 1] !== '\n' ? '\n' : '';
  const after = to < text.length && text[to] !== '\n' ? '\n' : '';
  const begin = `${before}${FENCE}\n`;
  const words = `${begin}${text.slice(from, to)}\n${FENCE}${after}`;
  return { from, to, words, select: [from + begin.length, to + begin.length] };
}

function listed(text: string, start: number, end: number): Change {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isList = lines.every((line) => line.startsWith(ITEM));
  const words = lines.map((line) => (isList ? line.slice(ITEM.length) : ITEM + line)).join('\n');
  const caret = from + words.length;
  return { from, to, words, select: start === end ? [caret, caret] : [from, caret] };
}

function linked(text: string, start: number, end: number): Change {
  const [from, to] = withoutSpaces(text, start, end);
  const words = text.slice(from, to);
  if (/^https?:\/\/\S+$/.test(words)) return { from, to, words: `[](${words})`, select: [from + 1, from + 1] };
  const begin = from + words.length + 3;
  return { from, to, words: `[${words}](${ADDRESS})`, select: [begin, begin + ADDRESS.length] };
}
