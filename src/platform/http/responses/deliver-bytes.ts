import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { restartDeadline } from './deadline.js';
import { hasVersion } from './etag.js';

/** The first and the last byte to send. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Bytes to send, as a whole or in part. */
export interface Deliverable {
  size: number;
  /** A strong tag: the bytes never change. */
  etag: string;
  /** The headers of every answer with bytes. */
  headers: Record<string, string>;
  /** The address of a store that sends them; null: they're streamed. */
  redirect: () => Promise<string | null>;
  open: (range: ByteRange) => Promise<Readable>;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** Answers with a file, or the range of it that the request names (CONTRACT: Delivery of files). */
export async function deliverBytes(request: Request, response: Response, file: Deliverable): Promise<number> {
  const { headers } = request;
  response.removeHeader('Access-Control-Allow-Credentials');
  if (hasVersion(headers['if-none-match'], file.etag)) {
    response.set(file.headers).set('ETag', file.etag).status(304).end();
    return 0;
  }
  // A presigned address works for one method.
  const address = request.method === 'HEAD' ? null : await file.redirect();
  if (address !== null) {
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'Access-Control-Allow-Origin': '*' });
    response.status(302).set('Location', address).end();
    return 0;
  }
  const ifRange = headers['if-range'];
  const range = ifRange === undefined || ifRange === file.etag ? rangeOf(headers.range, file.size) : null;
  if (range === 'beyond') return answerBeyond(response, file);
  return send(request, response, file, range);
}

function answerBeyond(response: Response, file: Deliverable): number {
  response.set({ ...file.headers, 'Cache-Control': 'no-store', 'Content-Range': `bytes */${file.size}` });
  response.removeHeader('Content-Disposition');
  response.removeHeader('Content-Type');
  response.status(416).set('Content-Length', '0').end();
  return 0;
}

async function send(request: Request, response: Response, file: Deliverable, part: ByteRange | null): Promise<number> {
  const range = part ?? { start: 0, end: file.size - 1 };
  const length = range.end - range.start + 1;
  const isHead = request.method === 'HEAD';
  // A file that can't be read is 503, which has none of these headers.
  const body = isHead ? null : await file.open(range);
  restartDeadline(request as Request & { id: string }, response, null);
  response.set(file.headers).set({ ETag: file.etag, 'Content-Length': String(length) });
  if (part) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  if (body === null) {
    response.end();
    return 0;
  }
  try {
    await pipeline(body, response);
    return length;
  } catch (error) {
    response.destroy();
    // The reader has disconnected.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    return 0;
  }
}

/** The range of a file; null for all of it, `beyond` for one that begins after the end. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'beyond' | null {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? [];
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'beyond' : { start: size - length, end: size - 1 };
  }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'beyond' : { start, end };
}
