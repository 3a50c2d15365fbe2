import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The prefix of a secret that is bound to its row. */
const BOUND = Buffer.from('prl2');
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A sealed secret that can't be decrypted. */
export class SealError extends Error {}

/** The keys of one purpose: the first one signs and seals; what any of them signed or sealed is accepted. */
export type Keys = readonly [Buffer, ...Buffer[]];

/** The secrets of a configuration that keys are derived from. */
export interface SecretKeys {
  readonly SECRET_KEY: string;
  readonly SECRET_KEY_PREVIOUS?: string;
}

/** Derives the keys of one purpose. */
export function deriveKeys({ SECRET_KEY, SECRET_KEY_PREVIOUS }: SecretKeys, purpose: string): Keys {
  const previous = SECRET_KEY_PREVIOUS === undefined ? [] : [deriveKey(SECRET_KEY_PREVIOUS, purpose)];
  return [deriveKey(SECRET_KEY, purpose), ...previous];
}

/** Derives a 32-byte key from SECRET_KEY for one purpose, so that no two purposes share a key. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'parley', purpose, 32));
}

/**
 * Encrypts a secret for one database row: the prefix, then nonce, tag and ciphertext of AES-256-GCM. The row is
 * additional authenticated data, so the secret can't be decrypted in another row.
 */
export function seal([key]: Keys, row: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(row));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([BOUND, nonce, cipher.getAuthTag(), text]);
}

/**
 * Decrypts what `seal` encrypted for this row, and secrets of the old form, which aren't bound to a row: nonce, tag and
 * ciphertext. Removing the prefix doesn't unbind a secret, because the tag covers the row.
 * @throws SealError when it was sealed under another key, or for another row
 */
export function unseal(keys: Keys, row: string, sealed: Buffer): string {
  for (const key of keys) {
    const secret = openBound(key, row, sealed) ?? open(key, sealed, null);
    if (secret !== null) return secret;
  }
  throw new SealError('was sealed under another SECRET_KEY or for another row');
}

/**
 * Seals a secret again under the first key, bound to its row. Null if it already is.
 * @throws SealError when it was sealed under another key, or for another row
 */
export function reseal(keys: Keys, row: string, sealed: Buffer): Buffer | null {
  return openBound(keys[0], row, sealed) === null ? seal(keys, row, unseal(keys, row, sealed)) : null;
}

// The nonce of an old secret, which isn't bound, may start with the prefix by chance.
function openBound(key: Buffer, row: string, sealed: Buffer): string | null {
  const isMarked = sealed.subarray(0, BOUND.length).equals(BOUND);
  return isMarked ? open(key, sealed.subarray(BOUND.length), row) : null;
}

function open(key: Buffer, sealed: Buffer, row: string | null): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), options);
  if (row !== null) decipher.setAAD(Buffer.from(row));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/** Random text of `[0-9A-Za-z]`, about 5.95 bits per character. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: larger bytes would make some characters more frequent.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** A 32-bit integer as 6 base-62 digits. */
export function base62(value: number): string {
  let text = '';
  for (let rest = value; text.length < 6; rest = Math.floor(rest / ALPHABET.length)) {
    text = ALPHABET[rest % ALPHABET.length] + text;
  }
  return text;
}

/** The base-62 digit of a number. */
export function digitOf(value: number): string {
  return ALPHABET[value % ALPHABET.length]!;
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Compares secrets in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
