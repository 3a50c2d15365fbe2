import { domainToASCII, domainToUnicode } from 'node:url';

/** The longest address of RFC 5321, in characters, and the most addresses of a header field that are read. */
const MOST = { address: 320, addresses: 200 };
// A part of an address list: quoted text, a comment, an address in angle brackets, a mark, or a word. Each begins with another
// character, so that reading takes linear time.
const TOKEN = /"(?:[^"\\]|\\[^])*"?|\((?:[^()\\]|\\[^])*\)?|<[^<>]*>?|[,;:)>]|[^\s"(<,;:)>]+/g;
const DOT_ATOM = /^[^\s\p{Cc}"(),.:;<>@[\\\]]+(?:\.[^\s\p{Cc}"(),.:;<>@[\\\]]+)*$/u;

/** An entry of an address list. `null`: it has no valid address. */
type Entry = string | null;

/**
 * The address with its domain in lower case and in the ASCII form of RFC 5891. Null if it isn't one, has a quoted local part, or
 * has more than 320 characters.
 */
function normalAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (text.length > MOST.address || !DOT_ATOM.test(local)) return null;
  const domain = asciiDomain(text.slice(at + 1));
  return domain === null ? null : `${local}@${domain}`;
}

/**
 * A domain in lower case and in its ASCII form. Null if it isn't the name of a host, or has
 * characters that IDNA replaces, such as fullwidth letters: they'd make it look like another domain.
 */
export function asciiDomain(text: string): string | null {
  if (!DOT_ATOM.test(text) || /[/?#%]/.test(text)) return null;
  const domain = domainToASCII(text).toLowerCase();
  const isExact = [domain, domainToUnicode(domain)].includes(text.normalize('NFC').toLowerCase());
  return isExact && /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(domain) ? domain : null;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** The addresses of a header field, without those in names and comments, at most 200. */
export function addressesOf(value: string): string[] {
  return entriesOf(value).filter((entry) => entry !== null);
}

/**
 * The address of a From field. Null unless every reader finds exactly this one: the field has no groups, no comments, and no second
 * address. Otherwise, SPF, DKIM, and DMARC may have checked another one.
 */
export function onlyAddressOf(value: string): string | null {
  const [entry, ...others] = entriesOf(value);
  if (entry === undefined || entry === null || others.length > 0) return null;
  const tokens = value.match(TOKEN) ?? [];
  const isUnclear = (token: string) =>
    /^[():;>]/.test(token) || (token.startsWith('"') ? !/^".*[^\\]"$|^""$/s.test(token) : isOther(token, entry));
  return tokens.some(isUnclear) ? null : entry;
}

/** Whether a word is an address that isn't the entry's. */
function isOther(token: string, entry: string): boolean {
  return token.includes('@') && normalAddress(token.replaceAll(/[<>]/g, '').trim()) !== entry;
}

function entriesOf(value: string): Entry[] {
  const entries: Entry[] = [];
  let words: string[] = [];
  let brackets: string[] = [];
  const finish = () => {
    if (words.length > 0 || brackets.length > 0) entries.push(entryOf(words, brackets));
    [words, brackets] = [[], []];
  };
  for (const token of value.match(TOKEN) ?? []) {
    if (token === ':') words = [];
    else if (token === ',' || token === ';') finish();
    else if (token.startsWith('<')) brackets.push(token);
    else if (!token.startsWith('(')) words.push(token);
    if (entries.length >= MOST.addresses) return entries;
  }
  finish();
  return entries;
}

function entryOf(words: readonly string[], brackets: readonly string[]): Entry {
  if (brackets.length > 1) return null;
  const [bracket] = brackets;
  if (bracket === undefined) return words.length === 1 ? normalAddress(words[0]!) : null;
  return bracket.endsWith('>') ? normalAddress(bracket.slice(1, -1).trim()) : null;
}
