import type { Message } from '../types.js';

const MARKS = /[*_`~#>|[\\]|^ {0,3}(?:[-+]|\d{1,9}[.)]) |^---/m;

/** Whether a text may have marks. The code that reads them is loaded for such texts alone. */
export function hasMarks(text: string): boolean {
  return MARKS.test(text);
}

/** Whether a message is Markdown: what bots and agents write, unless they say otherwise. Visitors' words are as they are. */
export function isMarkdown({ sender, metadata }: Message): boolean {
  return (sender.type === 'BOT' || sender.type === 'AGENT') && metadata?.format !== 'plain';
}

/** A text without most of its marks, for places that show or say a line of it. The labels of links stay. */
export function withoutMarks(text: string): string {
  return text.replace(/\[([^\][]*)\]\([^()\s]*\)/g, '$1').replace(/[*`~]+|^ {0,3}(?:#+|>) /gm, '');
}
