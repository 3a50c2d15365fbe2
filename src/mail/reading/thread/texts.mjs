import { convert } from 'html-to-text';

/** The most characters of HTML that are read, and the deepest element. The converter's time is quadratic in unclosed elements. */
const HTML = { length: 300_000, depth: 60 };
const EMBEDDED = /"data:[^"]*"/g;
/** The most characters of a text. */
const MAX_TEXT = 200_000;
/** Control characters other than tab and line feed, and the mark of the byte order. */
const UNSTORABLE = /(?![\t\n])[\p{Cc}\ufeff]/gu;

const OPTIONS = {
  wordwrap: false,
  limits: { maxDepth: HTML.depth },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'hr', format: 'skip' },
    { selector: 'table', format: 'block' },
    // Outlook writes a paragraph for each line, and an empty one between.
    { selector: 'p.MsoNormal', format: 'paragraph', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

/** A text as the database takes it, with line feeds only. */
function storable(text) {
  return text.replace(/\r\n?/g, '\n').replace(UNSTORABLE, '').toWellFormed();
}

/** The lines of `format=flowed` as the sender typed them (RFC 3676). Lines of different quotes aren't joined. */
function unflowed(text, deletesSpaces) {
  const result = [];
  let isOpen = false;
  let depth = 0;
  for (const raw of text.split('\n')) {
    const { length } = /^>*/.exec(raw)[0];
    const line = raw.slice(length).replace(/^ /, '');
    const isSoft = line.endsWith(' ') && line !== '-- ';
    const shown = isSoft && deletesSpaces ? line.slice(0, -1) : line;
    if (isOpen && length === depth && line !== '-- ') result.push(shown);
    else result.push(result.length > 0 ? '\n' : '', length > 0 ? `${'>'.repeat(length)} ` : '', shown);
    isOpen = isSoft;
    depth = length;
  }
  return result.join('');
}

function textOfHtml(html) {
  const short = html.replaceAll('\0', '').replace(EMBEDDED, '""').slice(0, HTML.length);
  return storable(convert(short, OPTIONS));
}

/** The text of a mail: its plain text or, if that's blank, the text of its HTML. At most 200,000 characters. */
export function textOf({ text, html }, { isFlowed, deletesSpaces }) {
  const plain = storable(text ?? '');
  const chosen = plain.trim() === '' && html ? textOfHtml(html) : plain;
  const typed = isFlowed && chosen === plain ? unflowed(plain, deletesSpaces) : chosen;
  return typed.slice(0, MAX_TEXT).toWellFormed().trimEnd();
}
