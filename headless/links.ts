const LINK = /\b(?:https?:\/\/|mailto:|tel:|www\.)[^\s<>"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gi;
const TRAILING = ".,:;!?'”’»…*]}";

/** A part of a text, with `href` when it is a link. */
export interface Piece {
  text: string;
  href?: string;
}

/** Returns an absolute address with one of the schemes, or undefined. Every address in an attribute comes from here. */
export function safeUrl(value: unknown, schemes: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const { protocol, href } = new URL(value);
    return schemes.split(' ').includes(protocol.slice(0, -1)) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Splits a text at its links. A link leads to exactly the address that it shows. */
export function linkify(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const link = withoutTrailing(found);
    const href = safeUrl(link.replace(/^www\./i, 'https://$&'), 'http https mailto tel');
    if (!href) continue;
    pieces.push({ text: text.slice(end, index) }, { text: link, href });
    end = index + link.length;
  }
  return [...pieces, { text: text.slice(end) }];
}

// Removes what belongs to the sentence and not to the link: punctuation after it, brackets around it.
function withoutTrailing(link: string): string {
  let closing = link.split(')').length - link.split('(').length;
  let end = link.length;
  for (let last; (last = link[end - 1]) && (TRAILING.includes(last) || (last === ')' && closing-- > 0)); end--);
  return link.slice(0, end);
}
