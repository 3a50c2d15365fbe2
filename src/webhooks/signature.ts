import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates a secret in the form of Standard Webhooks 1.0: `whsec_` and 32 bytes in base 64. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The HMAC key in a secret. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** The header `webhook-signature`: one signature per key, over `id.timestamp.payload`. */
export function sign(keys: readonly Buffer[], id: string, timestamp: number, payload: string): string {
  const signed = `${id}.${timestamp}.${payload}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
