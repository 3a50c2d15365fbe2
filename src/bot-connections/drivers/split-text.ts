/** The most characters of a message. */
const MAX_CHARACTERS = 5_000;
/** Where a long text is split, the best first: after a blank line, a line, a sentence, a word. */
const ENDS = ['\n\n', '\n', '. ', ' '];

// oxlint-disable-next-line no-control-regex -- the control character is what is looked for
const UNSTORABLE = /[\u0000\ud800-\udfff]/gu;

/** A text as it can be stored: without U+0000 and lone surrogates. */
export function storable(text: string): string {
  return text.replaceAll(UNSTORABLE, '');
}

/** Splits a text into messages. */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (lengthOf(rest) > MAX_CHARACTERS) {
    const end = endOfPart(rest);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...parts, rest].filter((part) => part !== '');
}

/** The newest part of a text that live text can show. */
export function newestPart(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return storable(text.slice(-MAX_CHARACTERS));
}

function lengthOf(text: string): number {
  return text.length <= MAX_CHARACTERS ? text.length : Array.from(text).length;
}

function endOfPart(text: string): number {
  const window = Array.from(text).slice(0, MAX_CHARACTERS).join('');
  for (const end of ENDS) {
    const at = window.lastIndexOf(end);
    // A part of less than half the length isn't worth the better place.
    if (at >= window.length / 2) return at + end.length;
  }
  return window.length;
}
