import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { findInexactIntegers, findUnstorable, isJsonObject } from '../lib/json.js';
import { invalid, Problem, type ProblemCode } from './problem.js';

/**
 * The most bytes of a body. Every valid body fits, however it is escaped (about 125 kB when every character is
 * `\uXXXX`).
 */
export const MAX_BODY_BYTES = 262_144;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json[ \t]*(?:;|$)/i;
const OTHER_CHARSET = /;[ \t]*charset=(?!"?utf-?8"?[ \t]*(?:;|$))/i;
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

const read = express.raw({ type: () => true, limit: MAX_BODY_BYTES });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads and parses the body. This is a guard, not a middleware, because it must run after the guard that authenticates: a 401
 * comes before any check of the body (CONTRACT section 1, order of checks).
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!BODILESS.has(request.method)) request.body = await readJson(request, http.getResponse<Response>());
    return true;
  }
}

async function readJson(request: Request, response: Response): Promise<unknown> {
  if (isWithoutBody(request)) return {};
  const type = request.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type)) {
    throw new Problem('unsupported_media_type', 'Content-Type must be application/json in UTF-8');
  }
  return parse(readArrived(request) ?? (await readAll(request, response)));
}

// A small body has often arrived before authentication ends: it is read at once, without listeners.
function readArrived(request: Request): Buffer | null {
  const { complete, readableLength, headers } = request;
  const hasArrived = complete && readableLength > 0 && readableLength <= MAX_BODY_BYTES;
  return hasArrived && headers['content-encoding'] === undefined ? (request.read() as Buffer) : null;
}

async function readAll(request: Request, response: Response): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => (error ? reject(toProblem(error)) : resolve()));
  });
  return request.body as Buffer;
}

function isWithoutBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

function parse(bytes: Buffer): unknown {
  let text: string;
  let body: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Problem('malformed_json', 'The body is not UTF-8');
  }
  try {
    body = JSON.parse(text);
  } catch {
    throw new Problem('malformed_json', 'The body is not JSON');
  }
  rejectInexactMetadata(text, body);
  return body;
}

// Only the text of the body shows which integers lose digits when they are parsed.
function rejectInexactMetadata(text: string, body: unknown): void {
  const inexact = findInexactIntegers(text);
  if (!inexact || !isJsonObject(body)) return;
  for (const [pointer, holder] of [
    ['', body],
    ['/visitor', body.visitor],
  ] as const) {
    const fault = isJsonObject(holder) && findUnstorable(holder.metadata ?? {}, inexact);
    if (fault) throw invalid(`${pointer}/metadata`, fault);
  }
}

const READ_ERRORS: Record<string, [ProblemCode, string]> = {
  'entity.too.large': ['body_too_large', `The body has more than ${MAX_BODY_BYTES} bytes`],
  'encoding.unsupported': ['unsupported_media_type', 'Content-Encoding must be gzip, deflate, br or identity'],
};

function toProblem(error: unknown): Problem {
  const type = (error as { type?: string }).type ?? '';
  const [code, detail] = READ_ERRORS[type] ?? ['malformed_json', 'The body could not be read'];
  return new Problem(code, detail);
}
