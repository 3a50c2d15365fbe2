import type { Field } from './parsed-mail.js';

const MOST = { ids: 200, idLength: 998 };
const ID = /<[^<>\s]{1,996}>/g;
const COMMENT = /\((?:[^()\\]|\\[^])*\)/g;
/** Values of Precedence that mark automatic mails. */
const OF_PROGRAMS = new Set(['bulk', 'junk', 'auto_reply']);

/** The fields of a mail's header, from the top. */
export class Fields {
  constructor(private readonly fields: readonly Field[]) {}

  /** The values of every field with this key, from the top. @param key in lower case */
  all(key: string): string[] {
    return this.fields.filter((field) => field.key === key).map(({ value }) => value);
  }

  first(key: string): string | null {
    return this.fields.find((field) => field.key === key)?.value ?? null;
  }

  has(key: string): boolean {
    return this.first(key) !== null;
  }

  /** The first word of each of these fields, in lower case and without comments and parameters. */
  keywords(key: string): string[] {
    return this.all(key).map((value) => value.replaceAll(COMMENT, ' ').split(';', 1)[0]!.trim().toLowerCase());
  }
}

/** The Message-IDs of a text, with angle brackets, each once, at most 200. */
export function messageIdsOf(text: string): string[] {
  return [...new Set(text.match(ID))].slice(0, MOST.ids);
}

/** The mail's own Message-ID, at most 998 characters; null if it has none. Any value identifies it, even one that breaks RFC 5322. */
export function messageIdOf(fields: Fields): string | null {
  const value = fields.first('message-id')?.trim() ?? '';
  const id = messageIdsOf(value)[0] ?? (value === '' ? null : `<${value.replaceAll(/[<>\s]/g, '')}>`);
  return id === null || id === '<>' || id.length > MOST.idLength ? null : id;
}

/** The Message-IDs of References, then of In-Reply-To, each once. */
export function referencesOf(fields: Fields): string[] {
  return messageIdsOf([...fields.all('references'), ...fields.all('in-reply-to')].join(' '));
}

/**
 * Whether a program sent the mail (CONTRACT: E-mail). `X-Auto-Response-Suppress` asks for no automatic answer, and
 * `X-MS-Exchange-Inbox-Rules-Loop` is on mails that a rule forwarded. People's mails may have either, so neither counts. Out-of-office
 * notes of Exchange have `Auto-Submitted` too.
 */
export function isAutomatic(fields: Fields): boolean {
  if (fields.keywords('auto-submitted').some((submitted) => submitted !== 'no')) return true;
  if (fields.keywords('precedence').some((precedence) => OF_PROGRAMS.has(precedence))) return true;
  if (fields.has('x-autoreply') || fields.has('x-autorespond')) return true;
  return fields.all('return-path').some((value) => value.replaceAll(COMMENT, '').trim() === '<>');
}

/** Whether a mailing list distributed the mail. */
export function isOfList(fields: Fields): boolean {
  if (fields.keywords('auto-submitted').some((submitted) => submitted !== 'no')) return false;
  return fields.has('list-id') || fields.keywords('precedence').includes('list');
}
