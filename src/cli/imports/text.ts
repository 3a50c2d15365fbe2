import { basename } from 'node:path';
import { convert, type FormatCallback } from 'html-to-text';

/** A file of the other system, which keeps its bytes. */
export interface ElsewhereFile {
  name?: string | null;
  url?: string | null;
}

/** A file whose bytes aren't imported, as a line. */
function fileLine({ name, url }: ElsewhereFile): string {
  return `[file: ${[name ?? 'without a name', url].filter(Boolean).join(', ')}]`;
}

/** The text of a message and a line for each of its files. */
export function withFiles(text: string, files: readonly ElsewhereFile[]): string {
  return [text.trim(), ...files.map(fileLine)].filter(Boolean).join('\n');
}

// A picture in the text is a line, like a file beside it. Small ones only count readers, or are part of a signature.
const picture: FormatCallback = ({ attribs }, _walk, builder) => {
  const { src = '', alt, width, height } = attribs as Record<string, string | undefined>;
  if (!/^https?:/.test(src) || Number(width ?? 9) < 2 || Number(height ?? 9) < 2 || !URL.canParse(src)) return;
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addInline(fileLine({ name: alt || basename(new URL(src).pathname), url: src }), { noWordTransform: true });
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const OPTIONS = {
  wordwrap: false as const,
  formatters: { picture },
  limits: { maxInputLength: 1_000_000, maxDepth: 100 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'picture' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

/** The text of a message in HTML. */
export function textOfHtml(html: string): string {
  return convert(html, OPTIONS);
}

/** A text as PostgreSQL and browsers accept it: without U+0000 and lone surrogates. */
export function storable(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).toString();
}

/** Cuts a text into parts of at most `most` characters, at the last line break or blank of each if there's one in its second half. */
export function cutText(text: string, most: number): string[] {
  const characters = Array.from(storable(text).trim());
  const parts: string[] = [];
  for (let from = 0; from < characters.length;) {
    const end = Math.min(from + most, characters.length);
    const cut = end === characters.length ? end : lastBreak(characters, from + most / 2, end);
    parts.push(characters.slice(from, cut).join('').trim());
    from = cut;
  }
  return parts.filter(Boolean);
}

function lastBreak(characters: readonly string[], from: number, end: number): number {
  for (const wanted of ['\n', ' ']) {
    const at = characters.lastIndexOf(wanted, end - 1);
    if (at >= from) return at + 1;
  }
  return end;
}

/** The beginning of a text; undefined if nothing is left. */
export function shortened(text: string | null | undefined, most: number): string | undefined {
  const [first] = cutText(text ?? '', most);
  return first;
}
