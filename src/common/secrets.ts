import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A 32-byte key for one purpose, derived from SECRET_KEY, so that no two purposes share one. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'parley', purpose, 32));
}

/** Encrypts a secret for the database: nonce, tag and ciphertext of AES-256-GCM. */
export function seal(key: Buffer, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Decrypts what `seal` made. @throws Error when it was sealed under another key */
export function unseal(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new Error('a secret in the database was sealed under another SECRET_KEY');
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
