/** The most characters of a message (CONTRACT: Messages). */
const MAX_CONTENT = 5_000;
/** The most characters of a mail's text that agents can read beside its message. */
const MAX_FULL_TEXT = 10_000;
const CUT = ' …';

const LINK_TOKEN = /prl_vln_\w+/g;
// Programs that check links write `%2F` before a token. Its `2F` could be read as a part of the token.
const UNSUBSCRIBING = /(unsubscribe(?:\/|%2F))[a-z2-7]{26}/gi;
const LIKE_TOKENS = /[a-z2-7]{26,}/gi;

/**
 * A text without tokens that sign in or answer as the visitor. Quotes of our mails have them, and agents and bots read the quotes.
 * @param tokens of the mail that it answers, and of others that it quotes
 */
export function withoutTokens(text: string, tokens: readonly string[]): string {
  const cutOut = (word: string, token: string) => {
    const at = word.toLowerCase().indexOf(token);
    return at < 0 ? word : `${word.slice(0, at)}…${word.slice(at + token.length)}`;
  };
  return text
    .replaceAll(LINK_TOKEN, '…')
    .replaceAll(UNSUBSCRIBING, '$1…')
    .replaceAll(LIKE_TOKENS, (word) => tokens.reduce(cutOut, word));
}

/** The text of a message from a mail. @param named the names of the mail's files that weren't stored */
export function contentOf(text: string, named: readonly string[]): string {
  const names = named.map((name) => `📎 ${name}`).join('\n');
  const room = MAX_CONTENT - (names === '' ? 0 : Math.min(names.length, MAX_CONTENT / 2) + 2);
  return [cut(text, room), cut(names, MAX_CONTENT / 2)].filter((part) => part !== '').join('\n\n');
}

/** The beginning of the whole text; null if the message has all of it. */
export function fullTextOf(whole: string, content: string): string | null {
  const text = whole.trim();
  return text === content || text === '' ? null : cut(text, MAX_FULL_TEXT);
}

// Never between the two halves of a character.
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most - CUT.length).replace(/[\ud800-\udbff]$/, '') + CUT;
}
