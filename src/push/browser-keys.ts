import { ECDH } from 'node:crypto';

const AUTH_BYTES = 16;
const BASE64URL = /^[A-Za-z0-9_-]{1,200}={0,2}$/;

/** Describes why a text isn't a browser's public key (RFC 8291): a point of P-256; null if it is. */
export function findP256dhFault(text: string): string | null {
  const fault = 'must be a P-256 public key of 65 bytes in base64url';
  if (!BASE64URL.test(text)) return fault;
  try {
    const point = Buffer.from(text, 'base64url');
    // Throws for a point that isn't on the curve.
    return ECDH.convertKey(point, 'prime256v1', undefined, undefined, 'uncompressed').length === point.length
      ? null
      : fault;
  } catch {
    return fault;
  }
}

/** Describes why a text isn't a browser's authentication secret (RFC 8291); null if it is. */
export function findAuthFault(text: string): string | null {
  const isSecret = BASE64URL.test(text) && Buffer.from(text, 'base64url').length === AUTH_BYTES;
  return isSecret ? null : `must be ${AUTH_BYTES} bytes in base64url`;
}
