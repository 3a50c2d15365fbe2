import type { Message } from '../types.js';

const MARKS = /[*_`~#>|[\\]|^ {0,3}(?:[-+]|\d{1,9}[.)]) |^---/m;

/** Whether a text may have marks. The code that reads them is loaded for such texts alone. */
export function hasMarks(text: string): boolean {
  return MARKS.test(text);
}

/** Whether a message is Markdown: what bots and agents write, unless they say otherwise. Visitors' words aren't. */
export function isMarkdown({ sender, metadata }: Message): boolean {
  return (sender.type === 'BOT' || sender.type === 'AGENT') && metadata?.format !== 'plain';
}

/** A text without most of its marks, for places that show or say a line of it. The labels of links and the cells of tables stay. */
export function withoutMarks(text: string): string {
  return text
    .replace(/\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/^ {0,3}\|(.*)$/gm, cellsOf)
    .replace(/^ {0,3}(?:```|~~~)[^`\n]*$/gm, '')
    .replace(/[*`~]+|^ {0,3}(?:#+|>) /gm, '');
}

/** The cells of a table's row; an empty text for the line below the head. */
function cellsOf(_line: string, row: string): string {
  const cells = row.split('|').flatMap((cell) => cell.trim() || []);
  return cells.every((cell) => /^:?-+:?$/.test(cell)) ? '' : cells.join(', ');
}
