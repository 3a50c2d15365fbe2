/** A line of a text, and which of its words it has. */
export interface Line {
  text: string;
  /** How many quote marks it begins with: `>`, or `|` in mails of Zimbra. */
  depth: number;
  /** The range of its words in `Words.all`. */
  from: number;
  to: number;
  /** The links that stand in it. */
  links: string[];
}

/** The words of a text. Marks, blanks, links, and the place of line breaks differ between a mail and its quote, words don't. */
export interface Words {
  lines: Line[];
  /** In lower case. In scripts without blanks, each character is a word. */
  all: string[];
  /** Where each word ends in its line. */
  ends: number[];
}

const PREFIX = /^(?:[ \t\u00a0]{0,4}[>|])+/;
// What links and pictures are replaced by, then characters of scripts without blanks, then words. Each alternative begins with
// other characters, or is of limited length, so that reading takes linear time.
const TOKEN =
  /(?<link>(?:https?:\/\/|mailto:|tel:)[^\s<>[\]"]+)|(?<picture>\[(?:cid|image|Bild|Imagen?|画像): ?[^\][\n]{0,200}\])|(?<character>[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{Extended_Pictographic}])|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{M}\p{Nd}])+/giu;

/** Reads a text of any length in linear time. */
export function wordsOf(text: string): Words {
  const words: Words = { lines: [], all: [], ends: [] };
  for (const line of text.split('\n')) addLine(words, line);
  return words;
}

function addLine({ lines, all, ends }: Words, text: string): void {
  const prefix = PREFIX.exec(text)?.[0] ?? '';
  const from = all.length;
  const links: string[] = [];
  for (const { 0: token, index, groups } of text.matchAll(TOKEN)) {
    if (groups!.link !== undefined) links.push(linkOf(token));
    else if (groups!.picture === undefined) {
      all.push(token.normalize('NFKC').toLowerCase());
      ends.push(index + token.length);
    }
  }
  const depth = prefix.length - prefix.replaceAll(/[>|]/g, '').length;
  lines.push({ text, depth, from, to: all.length, links });
}

const REWRITTEN = /^https:\/\/[^/]*safelinks\.protection\.outlook\.com\/.*?[?&]url=([^&]*)/i;

/** The link in lower case, or the original one if Outlook replaced it with a link that checks it. */
function linkOf(link: string): string {
  const original = REWRITTEN.exec(link)?.[1];
  return (original === undefined ? link : decoded(original)).toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const SINGLE = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]$/u;

/** How much a word says: a character of a script without blanks is about half a word. */
export function weightOf(word: string): number {
  return SINGLE.test(word) ? 0.5 : 1;
}

/** Whether a line has no character but blanks, marks of quotes, and invisible ones. */
export function isBlank({ text }: Line): boolean {
  return /^[\s>|\p{Cf}]*$/u.test(text);
}
