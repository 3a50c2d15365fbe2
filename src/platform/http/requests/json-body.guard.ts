import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { streamBody } from './body-stream.js';
import type { BodySize } from '../../validation/body-size.js';
import { restartDeadline } from '../responses/deadline.js';
import { findExcess, parseKeepingDigits } from './parsed-body.js';
import { Problem } from '../../errors/problem.js';
import { type Encoding, ENCODINGS, readBody, unpack } from './read-body.js';
import { limitsOf, parametersOf } from './route-limits.js';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json[ \t]*(?:;|$)/i;
const OTHER_CHARSET = /;[ \t]*charset=(?!"?utf-?8"?[ \t]*(?:;|$))/i;
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS']);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Applies the route's limits, and reads and parses the body. A guard instead of a middleware, because it must run after
 * the guard that authenticates: a 401 comes before any check of the body (CONTRACT: Conventions, order of checks).
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  /**
   * Accepted content encodings. None for unauthenticated clients, because a few compressed bytes would cost as much as
   * the longest body.
   */
  protected readonly encodings: readonly Encoding[] = [];

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { id: string }>();
    const response = http.getResponse<Response>();
    const { kind, body, deadlineMs } = limitsOf(context);
    if (deadlineMs !== undefined) restartDeadline(request, response, deadlineMs);
    if (kind === 'stream') request.body = streamBody(request, response, body.bytes);
    else if (takesBody(request, context)) request.body = await readJson(request, body, this.encodings);
    return true;
  }
}

// The body of a DELETE is read only for the routes that take one.
function takesBody({ method }: Request, context: ExecutionContext): boolean {
  return method === 'DELETE' ? parametersOf(context).body !== undefined : !BODILESS.has(method);
}

/** The same behind a guard that requires a valid token: bodies may be compressed. */
@Injectable()
export class TokenBodyGuard extends JsonBodyGuard {
  protected override readonly encodings = ENCODINGS;
}

async function readJson(request: Request, limit: BodySize, encodings: readonly Encoding[]): Promise<unknown> {
  if (isWithoutBody(request)) return {};
  const type = request.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type)) {
    throw new Problem('unsupported_media_type', 'Content-Type must be application/json in UTF-8');
  }
  const encoding = request.headers['content-encoding']?.toLowerCase() || 'identity';
  if (encoding === 'identity') return parse(await readBody(request, limit.bytes), limit);
  const known = encodings.find((one) => one === encoding);
  if (!known) {
    throw new Problem('unsupported_media_type', `Content-Encoding must be ${[...encodings, 'identity'].join(' or ')}`);
  }
  return parse(unpack(await readBody(request, limit.bytes), known, limit.bytes), limit);
}

function isWithoutBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

function parse(bytes: Buffer, limit: BodySize): unknown {
  const text = decode(bytes);
  const excess = findExcess(text, limit);
  if (excess) throw new Problem('body_too_large', excess);
  try {
    return parseKeepingDigits(text);
  } catch {
    throw new Problem('malformed_json', 'The body is not valid JSON');
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('malformed_json', 'The body is not valid UTF-8');
  }
}
