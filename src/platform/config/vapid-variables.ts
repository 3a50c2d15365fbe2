import { createECDH } from 'node:crypto';

const KEY = /^[A-Za-z0-9_-]{43}$/;
const MAX_KEYS = 10;

/** The form of VAPID_KEYS. */
export const VAPID_KEYS_FORM = `must be 1 to ${MAX_KEYS} private keys of P-256, of 43 characters in base64url, separated by commas`;

/** The private keys in a list, newest first. A list that's not valid is returned as it is. */
export function parseVapidKeys(text: string | undefined): readonly string[] | string {
  if (text === undefined) return [];
  const keys = text.split(',').map((key) => key.trim());
  return keys.length <= MAX_KEYS && keys.every(isKey) ? keys : text;
}

/** The public key of a private key, both in base64url. */
export function publicKeyOf(privateKey: string): string {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey, 'base64url');
  return ecdh.getPublicKey('base64url');
}

function isKey(text: string): boolean {
  if (!KEY.test(text)) return false;
  try {
    publicKeyOf(text);
    return true;
  } catch {
    return false;
  }
}
