import { createPrivateKey } from 'node:crypto';
import { findPasswordFault } from './mail-url.js';
import { findOAuthFault, type OAuthVariables } from './oauth-variables.js';

const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}$/;
const ADDRESS_FORM = 'must be an e-mail address like support@example.com';

/** Describes why a text isn't an e-mail address; null if it is. */
export function findAddressFault(value: unknown): string | null {
  return ADDRESS.test(String(value)) ? null : ADDRESS_FORM;
}

/** A sender. */
export interface Mailbox {
  /** Null: mails have the name of their organization. */
  name: string | null;
  address: string;
}

const FROM_FORM = 'must be an e-mail address, or a name and an address like Acme <support@example.com>';

/** @throws Error whose message says what's wrong */
export function parseMailbox(text: string): Mailbox {
  const given = text.trim();
  const begin = given.lastIndexOf('<');
  const isNamed = begin >= 0 && given.endsWith('>');
  const address = isNamed ? given.slice(begin + 1, -1) : given;
  const name = isNamed ? given.slice(0, begin).trim().replaceAll('"', '') : '';
  // oxlint-disable-next-line no-control-regex
  if (!ADDRESS.test(address) || /[\u0000-\u001f\u007f]/.test(name) || name.length > 200) throw new Error(FROM_FORM);
  return { name: name === '' ? null : name, address };
}

/** The longest local part of the address that gets replies: a token of 26 characters is added, and 64 are allowed. */
const MAX_REPLY_LOCAL = 30;

/** Describes why replies can't arrive at an address; null if they can. */
export function findReplyFault(value: unknown): string | null {
  const fault = findAddressFault(value);
  if (fault !== null) return fault;
  const isShort = String(value).indexOf('@') <= MAX_REPLY_LOCAL;
  return isShort ? null : `must have at most ${MAX_REPLY_LOCAL} characters before the @`;
}

/** Splits an address at its `@`. */
export function splitAddress(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, at), domain: address.slice(at + 1) };
}

const KEY_FORM = 'must be an RSA private key of at least 1024 bits in PEM; its line breaks may be written as \\n';

/** The key that signs mails, in PEM. @throws Error whose message says what's wrong, and never the value */
export function parseDkimKey(text: string): string {
  const pem = text.replaceAll('\\n', '\n');
  let bits: number | undefined;
  try {
    const key = createPrivateKey(pem);
    bits = key.asymmetricKeyType === 'rsa' ? key.asymmetricKeyDetails?.modulusLength : undefined;
  } catch {
    throw new Error(KEY_FORM);
  }
  if (bits === undefined || bits < 1_024) throw new Error(KEY_FORM);
  return pem;
}

const NAME_OF_DNS = /^[A-Za-z0-9._-]{1,253}$/;

/** Describes why a text isn't a name of the DNS; null if it is. */
export function findDnsNameFault(value: unknown): string | null {
  return NAME_OF_DNS.test(String(value)) ? null : 'must be a name like mail.example.com or parley1';
}

const AUTHSERV_ID = /^[A-Za-z0-9._:-]{1,253}$/;

/** Describes why a text can't be the id of a server in `Authentication-Results`; null if it can. */
export function findAuthservIdFault(value: unknown): string | null {
  return AUTHSERV_ID.test(String(value)) ? null : 'must be a name like mx.example.com, or microsoft';
}

/** The variables that need each other. */
export interface MailVariables extends OAuthVariables {
  readonly SMTP_URL?: string;
  readonly IMAP_URL?: string;
  readonly MAIL_FROM?: string;
  readonly MAIL_REPLY_ADDRESS?: string;
  readonly MAIL_DKIM_DOMAIN?: string;
  readonly MAIL_DKIM_SELECTOR?: string;
  readonly MAIL_DKIM_KEY?: string;
  readonly MAIL_INBOUND_TOKEN?: string;
}

const DKIM = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY'] as const;

/** Describes what's missing beside variables that are set; null if nothing is. The text begins with a variable's name. */
export function findMailFault(given: MailVariables): string | null {
  const { SMTP_URL, IMAP_URL, MAIL_FROM, MAIL_REPLY_ADDRESS } = given;
  if (IMAP_URL !== undefined && SMTP_URL === undefined) return 'SMTP_URL is required with IMAP_URL';
  if (SMTP_URL !== undefined && MAIL_FROM === undefined) return 'MAIL_FROM is required with SMTP_URL';
  if (given.MAIL_INBOUND_TOKEN !== undefined && SMTP_URL === undefined)
    return 'SMTP_URL is required with MAIL_INBOUND_TOKEN: only answers to mails are taken';
  const oauthFault = findOAuthFault(given);
  if (oauthFault !== null) return oauthFault;
  const passwordFault = given.MAIL_OAUTH_PROVIDER === undefined ? findPasswordFault(given) : null;
  if (passwordFault !== null) return passwordFault;
  const missing = DKIM.find((name) => given[name] === undefined);
  const set = DKIM.find((name) => given[name] !== undefined);
  if (missing !== undefined && set !== undefined) return `${missing} is required with ${set}`;
  if (MAIL_FROM === undefined || MAIL_REPLY_ADDRESS !== undefined) return null;
  const isShort = findReplyFault(parseMailbox(MAIL_FROM).address) === null;
  return isShort
    ? null
    : `MAIL_REPLY_ADDRESS is required, because MAIL_FROM has more than ${MAX_REPLY_LOCAL} characters before the @`;
}
