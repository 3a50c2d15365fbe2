/** A part of a mail's body. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'message'; sender: string; text: string; isEarlier: boolean };

/** A mail before it's set as text and HTML. */
export interface Letter {
  /** One of the languages of `words`. */
  language: string;
  /** The sender's name. */
  fromName: string;
  subject: string;
  blocks: Block[];
  button: { label: string; url: string } | null;
  /** Small print. */
  footer: string[];
  /** The color of the button, and of text on it. */
  color: string;
  colorText: string;
  logoUrl: string | null;
  /** Whether it delivers no agent's message (RFC 3834). */
  isAutomatic: boolean;
  /** Where the recipient unsubscribes from such mails; null if that isn't possible. */
  unsubscribe: { label: string; url: string } | null;
  /** The Message-ID of the thread's first mail; null: it begins a thread. */
  references: string | null;
}

// What a name could add to a header: line breaks, other control characters, and marks that change the direction of text.
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const MAX_NAME = 100;

/** A name for a header: one line, and short. */
export function headerText(text: string): string {
  const line = text.replaceAll(UNSAFE, ' ').trim();
  return [...line].slice(0, MAX_NAME).join('');
}

/** Fills in the places of a text: `{name}`. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w{1,20})\}/g, (place, name: string) => values[name] ?? place);
}
