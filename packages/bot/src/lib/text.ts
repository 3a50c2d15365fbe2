/** Characters (Unicode code points) of one message. */
export const MAX_LENGTH = 5_000;

// oxlint-disable-next-line no-control-regex -- Parley refuses this control character
const UNSTORABLE = /[\u0000\ud800-\udfff]/gu;

/** A text as Parley takes it: without U+0000 and halves of characters. A stream may break off within a character. */
export function storable(text: string): string {
  return text.replaceAll(UNSTORABLE, '');
}

/** The length of a text in characters (Unicode code points). */
export function lengthOf(text: string): number {
  return [...text].length;
}
