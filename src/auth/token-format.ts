import { crc32 } from 'node:zlib';
import { base62, randomText } from '../platform/lib/secrets.js';

const PREFIX = 'prl_pat_';
const FORM = /^prl_pat_[A-Za-z0-9]{38}$/;
const RANDOM_LENGTH = 32;

/** Creates an access token: `prl_pat_`, 32 random characters and the CRC32 of both as 6 digits of base 62. */
export function makeAccessToken(): string {
  const body = PREFIX + randomText(RANDOM_LENGTH);
  return body + base62(crc32(body));
}

/** Whether a text has the form of an access token; finds typing errors without the database. */
export function isAccessToken(text: string): boolean {
  const body = text.slice(0, PREFIX.length + RANDOM_LENGTH);
  return FORM.test(text) && text === body + base62(crc32(body));
}
