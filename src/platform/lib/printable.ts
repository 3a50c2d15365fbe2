// Characters that a terminal interprets as commands, or that change the direction of text.
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes untrusted text to one line without terminal commands or characters that change its direction. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escapeCharacter);
}

/** A character as `\u0000`. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
