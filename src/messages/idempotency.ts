import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { canonicalJson } from '../platform/lib/json.js';
import { invalid } from '../platform/http/problem.js';
import { sha256 } from '../platform/lib/secrets.js';

/** How long the result of a key is kept, in milliseconds. */
const KEY_LIFETIME = 24 * 60 * 60 * 1000;

const MAX_LENGTH = 255;
const BARE = /^[\x21-\x7e]{1,255}$/;
// A structured-field string: visible characters between quotes, where only \" and \\ are escaped.
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** Identifies a request that is repeated: an endpoint, a key, and the meaning of its body. */
export interface Idempotency {
  key: string;
  endpoint: 'messages' | 'transfer';
  /** SHA-256 of the body's meaning: defaults filled in, unknown fields left out, keys in order. */
  fingerprint: Buffer;
}

/** A result, and whether it is the one of an earlier request with the same key. */
export interface Replayable<T> {
  result: T;
  isReplay: boolean;
}

/** A key that was used at this time or before is free again. */
export function keysExpireBefore(now: Date): Date {
  return new Date(now.getTime() - KEY_LIFETIME);
}

export function idempotency(key: string | null, endpoint: Idempotency['endpoint'], asked: unknown): Idempotency | null {
  return key === null ? null : { key, endpoint, fingerprint: sha256(canonicalJson(asked)) };
}

/** Parses the header. @throws Problem validation_failed for a malformed key (CONTRACT section 2) */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const quoted = /^"|"$/.test(header);
  const key = quoted ? QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1') : BARE.exec(header)?.[0];
  if (key === undefined || key.length > MAX_LENGTH) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters, bare or in quotes');
  }
  return key;
}

/** The `Idempotency-Key` of the request, null when there is none. */
export const IdempotencyKeyHeader = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const header = context.switchToHttp().getRequest<Request>().headers['idempotency-key'];
  return parseIdempotencyKey(Array.isArray(header) ? header.join(', ') : header);
});

/** Answers a result, with `Idempotent-Replayed` when it is a replay. */
export function replayTo<T>(response: Response): (outcome: Replayable<T>) => T {
  return ({ result, isReplay }) => {
    if (isReplay) response.setHeader('Idempotent-Replayed', 'true');
    return result;
  };
}
