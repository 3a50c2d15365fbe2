import { isLoopback } from './local-address.js';

/** A mail server, as SMTP_URL or IMAP_URL names it (CONTRACT: E-mail). */
export interface MailUrl {
  host: string;
  port: number;
  /** Whether TLS begins with the connection; otherwise, by STARTTLS. */
  isImplicitTls: boolean;
  /** Whether the server needs no TLS: it's on this machine, or in a network of the operator's own, as `?tls=0` says. */
  isLocal: boolean;
  /** Null: the server needs no sign-in. */
  auth: MailAuth | null;
}

/** How to sign in. */
export interface MailAuth {
  user: string;
  /** Null: by OAuth. */
  pass: string | null;
}

interface Scheme {
  name: string;
  port: number;
  tlsPort: number;
}

const SMTP: Scheme = { name: 'smtp', port: 587, tlsPort: 465 };
const IMAP: Scheme = { name: 'imap', port: 143, tlsPort: 993 };

/** Reads SMTP_URL. @throws Error whose message says what's wrong, and never the value */
export function parseSmtpUrl(text: string): MailUrl {
  return parse(text, SMTP);
}

/** Reads IMAP_URL, whose server always needs a sign-in. @throws Error whose message says what's wrong, and never the value */
export function parseImapUrl(text: string): MailUrl & { auth: MailAuth } {
  const { auth, ...url } = parse(text, IMAP);
  if (auth === null) throw new Error(formOf(IMAP));
  return { ...url, auth };
}

/** Describes why a mail server can't be signed in to without OAuth; null if it can. */
export function findPasswordFault({ SMTP_URL, IMAP_URL }: { SMTP_URL?: string; IMAP_URL?: string }): string | null {
  const needs = [
    ['SMTP_URL', SMTP, SMTP_URL && parseSmtpUrl(SMTP_URL)],
    ['IMAP_URL', IMAP, IMAP_URL && parseImapUrl(IMAP_URL)],
  ] as const;
  const found = needs.find(([, , url]) => url && url.auth?.pass === null);
  return found ? `${found[0]} ${formOf(found[1])}; without a password, MAIL_OAUTH_PROVIDER is required` : null;
}

function formOf({ name }: Scheme): string {
  return `must be ${name}://user:password@host:port or ${name}s://user:password@host:port`;
}

function parse(text: string, scheme: Scheme): MailUrl {
  const form = formOf(scheme);
  const given = /^([a-z]{4})s?:\/\//i.exec(text)?.[1]?.toLowerCase();
  if (given !== scheme.name || !URL.canParse(text)) throw new Error(form);
  const url = new URL(text);
  const isImplicitTls = url.protocol === `${scheme.name}s:`;
  const isTrusted = scheme.name === 'smtp' && !isImplicitTls && url.search === '?tls=0';
  const isPlain = /^\/?$/.test(url.pathname) && (url.search === '' || isTrusted) && url.hash === '';
  const hasUser = url.username !== '' || url.password === '';
  if (!isPlain || url.hostname === '' || !hasUser) throw new Error(form);
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const usualPort = isImplicitTls ? scheme.tlsPort : scheme.port;
  return {
    host,
    port: url.port === '' ? usualPort : Number(url.port),
    isImplicitTls,
    isLocal: isTrusted || isLoopback(host),
    auth: authOf(url, form),
  };
}

function authOf({ username, password }: URL, form: string): MailAuth | null {
  if (username === '') return null;
  return { user: decoded(username, form), pass: password === '' ? null : decoded(password, form) };
}

function decoded(text: string, form: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(form);
  }
}
