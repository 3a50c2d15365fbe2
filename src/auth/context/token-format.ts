import { crc32 } from 'node:zlib';
import { base62, digitOf, randomText, sha256 } from '../../platform/lib/secrets.js';

/** The prefixes of a bot's access token, an agent's session token, a sign-in link, a visitor's link, and an operator's token. */
export type TokenPrefix = 'prl_pat_' | 'prl_ags_' | 'prl_lnk_' | 'prl_vln_' | 'prl_opr_';

const TOKEN_REST = /^[A-Za-z0-9]{38}$/;
const RANDOM_LENGTH = 32;

/** Creates a token: the prefix, 32 random characters, and the CRC32 of both as 6 base-62 digits. */
export function makeToken(prefix: TokenPrefix): string {
  const body = prefix + randomText(RANDOM_LENGTH);
  return body + base62(crc32(body));
}

/** The token of these 64 random bytes: the prefix, 32 characters, and the CRC32 of both. */
export function tokenWith(prefix: TokenPrefix, bytes: Buffer): string {
  const digits = Array.from({ length: RANDOM_LENGTH }, (_, at) => digitOf(bytes.readUInt16BE(2 * at)));
  const body = prefix + digits.join('');
  return body + base62(crc32(body));
}

/** A new token that's shown once, and what is stored of it. */
export function newToken(prefix: TokenPrefix): { token: string; tokenHash: Buffer; lastFour: string } {
  const token = makeToken(prefix);
  return { token, tokenHash: sha256(token), lastFour: token.slice(-4) };
}

/** A token whose form is valid. */
export interface PresentedToken {
  hash: Buffer;
  /** The key of its rate limit: its hash as text. */
  key: string;
}

/** Reads a token without the database; null when its form is invalid. */
export function readToken(prefix: TokenPrefix, text: string): PresentedToken | null {
  if (!isToken(prefix, text)) return null;
  const hash = sha256(text);
  return { hash, key: hash.toString('base64url') };
}

/** Whether a text has the form of such a token. Detects typos without the database. */
export function isToken(prefix: TokenPrefix, text: string): boolean {
  if (!text.startsWith(prefix) || !TOKEN_REST.test(text.slice(prefix.length))) return false;
  const body = text.slice(0, prefix.length + RANDOM_LENGTH);
  return text === body + base62(crc32(body));
}
