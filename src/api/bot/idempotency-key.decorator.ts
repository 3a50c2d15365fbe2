import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Replayable } from '../../idempotency/idempotency.js';
import { invalid } from '../../platform/errors/problem.js';

const MAX_LENGTH = 255;
const BARE = /^[\x21-\x7e]{1,255}$/;
// A structured-field string: visible characters between quotes, where only \" and \\ are escaped.
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** Parses the header. @throws Problem validation_failed for a malformed key (CONTRACT: Idempotency) */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const quoted = /^"|"$/.test(header);
  const key = quoted ? QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1') : BARE.exec(header)?.[0];
  if (key === undefined || key.length > MAX_LENGTH) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters, with or without quotes');
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
