import { escapeCharacter } from '../platform/lib/printable.js';

// Characters that JSON.stringify doesn't escape, but that terminals interpret or that change the direction of text.
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const INVISIBLE = /^[\p{Mark}\p{Cf}]+$/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** JSON with terminal commands escaped. Its meaning is unchanged. */
export function toJson(value: unknown, indent = 2): string {
  return printableJson(JSON.stringify(value, null, indent));
}

/** Like `toJson`, for JSON text or a piece of it. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, escapeCharacter);
}

/** The terminal columns that a text takes. */
export function widthOf(text: string): number {
  return split(text).reduce((sum, { width }) => sum + width, 0);
}

/** Cuts a text to at most `width` columns. A cut text ends in `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let left = width - 1;
  const kept = split(text).filter(({ width: own }) => (left = left < own ? -1 : left - own) >= 0);
  return `${kept.map(({ segment }) => segment).join('')}…`;
}

function split(text: string): { segment: string; width: number }[] {
  return Array.from(graphemes.segment(text), ({ segment }) => {
    const width = INVISIBLE.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1;
    return { segment, width };
  });
}
