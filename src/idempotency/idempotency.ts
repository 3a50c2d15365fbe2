import { Problem } from '../platform/errors/problem.js';
import { canonicalJson } from '../platform/lib/json.js';
import { sha256 } from '../platform/lib/secrets.js';

/** How long the result of a key is kept, in milliseconds. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Identifies a retried request by its endpoint, key, and normalized body. */
export interface Idempotency {
  key: string;
  endpoint: 'messages' | 'transfer' | 'tags';
  /** SHA-256 of the normalized body: with defaults, without unknown fields, and with sorted keys. */
  fingerprint: Buffer;
}

/** A result, and whether it's from an earlier request with the same key. */
export interface Replayable<T> {
  result: T;
  isReplay: boolean;
}

/** Keys that were last used at this time or earlier are free again. */
export function keysExpireBefore(now: Date): Date {
  return new Date(now.getTime() - KEY_LIFETIME_MS);
}

export function idempotency(key: string | null, endpoint: Idempotency['endpoint'], asked: unknown): Idempotency | null {
  return key === null ? null : { key, endpoint, fingerprint: sha256(canonicalJson(asked)) };
}

/** The 422 for a key that was used with another body. */
export function keyReused(): Problem {
  return new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was already used with a different body; send a new key with a new request',
  );
}
