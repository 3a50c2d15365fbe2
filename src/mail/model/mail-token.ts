import { hkdfSync, randomBytes } from 'node:crypto';
import { tokenWith, type TokenPrefix } from '../../auth/context/token-format.js';
import type { Keys } from '../../platform/lib/secrets.js';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const TOKEN_LENGTH = 26;

/** A random token of 26 characters of lower-case base32: mail servers may change the case of addresses. */
export function newMailToken(): string {
  return Array.from(randomBytes(TOKEN_LENGTH), (byte) => BASE32[byte % BASE32.length]).join('');
}

/**
 * The tokens of a mail's link, one for each key. They follow from the mail's id, so that a repeat of the mail has the same link although
 * only its hash is stored.
 */
export function linkTokens(keys: Keys, prefix: TokenPrefix, mailId: string): [string, ...string[]] {
  const tokenOf = (key: Buffer) =>
    tokenWith(prefix, Buffer.from(hkdfSync('sha256', key, 'parley', `${prefix}${mailId}`, 64)));
  const [first, ...others] = keys;
  return [tokenOf(first), ...others.map(tokenOf)];
}
