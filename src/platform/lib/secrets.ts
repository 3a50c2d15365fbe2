import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What a secret that is bound to its row begins with. */
const BOUND = Buffer.from('prl2');
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A sealed secret that cannot be opened. */
class SealError extends Error {}

/** A 32-byte key for one purpose, derived from SECRET_KEY, so that no two purposes share one. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'parley', purpose, 32));
}

/**
 * Encrypts a secret for a row of the database: the mark of this form, nonce, tag and ciphertext of AES-256-GCM. The row is
 * additional data: in another row it cannot be opened.
 */
export function seal(key: Buffer, row: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(row));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([BOUND, nonce, cipher.getAuthTag(), text]);
}

/**
 * Decrypts what `seal` made for this row, and what it made before secrets were bound to their rows: nonce, tag and ciphertext.
 * Taking the mark off does not free a secret from its row: the tag covers the row.
 * @throws SealError when it was sealed under another key, or for another row
 */
export function unseal(key: Buffer, row: string, sealed: Buffer): string {
  // A nonce of the old form may begin as the mark does.
  const isMarked = sealed.subarray(0, BOUND.length).equals(BOUND);
  const secret = (isMarked ? open(key, sealed.subarray(BOUND.length), row) : null) ?? open(key, sealed, null);
  if (secret === null) throw new SealError('was sealed under another SECRET_KEY or for another row');
  return secret;
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

/** Random text of `[0-9A-Za-z]`, about 5.95 bits a character. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: beyond it some characters would come more often.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** An integer of 32 bits as 6 digits of base 62. */
export function base62(value: number): string {
  let text = '';
  for (let rest = value; text.length < 6; rest = Math.floor(rest / ALPHABET.length)) {
    text = ALPHABET[rest % ALPHABET.length] + text;
  }
  return text;
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Compares secrets in a time that tells nothing about either. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
