import type { Request, Response } from 'express';
import type { Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { Problem, unavailable } from '../../errors/problem.js';
import { TIME_LIMITS_MS } from '../../lib/time-limits.js';
import { tooManyBytes } from './parsed-body.js';

/** Minimum bytes that must arrive in each `TIME_LIMITS_MS.bodyProgress` of waiting for them: about 1 kB a second. */
const MIN_PROGRESS_BYTES = 30_000;
/**
 * How long a connection stays open after a response that was sent before the whole body arrived, so that the client can
 * read it.
 */
const LINGER_MS = 1_000;

/**
 * The body of a request as it arrives. Reading it fails with a `Problem` when it has too many bytes or arrives too
 * slowly. A handler may read slowly, or stop reading at any time: the connection ends after the response.
 */
export class BodyStream extends Transform {
  private received = 0;
  private openMs = 0;
  /** When the handler last made room; undefined while it leaves the buffer full. */
  private openSince: number | undefined = performance.now();

  constructor(private readonly maxBytes: number) {
    super();
  }

  /** Bytes received so far. */
  get bytes(): number {
    return this.received;
  }

  /** Milliseconds spent so far waiting for the client, not for the handler to read. */
  get waitedMs(): number {
    return this.openMs + (this.openSince === undefined ? 0 : performance.now() - this.openSince);
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.received += chunk.length;
    if (this.received > this.maxBytes) return done(new Problem('body_too_large', tooManyBytes(this.maxBytes)));
    done(null, chunk);
    if (this.readableLength < this.readableHighWaterMark) return;
    this.openMs = this.waitedMs;
    this.openSince = undefined;
  }

  override _read(size: number): void {
    this.openSince ??= performance.now();
    super._read(size);
  }
}

/** Streams a body to the handler. @throws Problem body_too_large, unsupported_media_type, malformed_json */
export function streamBody(request: Request, response: Response, maxBytes: number): BodyStream {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    throw new Problem('body_too_large', tooManyBytes(maxBytes));
  }
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', 'Content-Encoding must be identity: send the bytes as they are');
  }
  if (isCutOff(request)) throw cutOff();
  const body = new BodyStream(maxBytes);
  liftArrivalLimit(request.socket);
  response.once('finish', () => endUnread(request));
  response.once('close', () => body.destroy());
  request.once('close', () => isCutOff(request) && body.destroy(cutOff()));
  body.once('close', () => {
    request.unpipe(body);
    // The connection ends after the answer, so the client must not send its next request on it.
    if (!request.complete && !response.headersSent) response.setHeader('Connection', 'close');
  });
  requireProgress(body);
  return request.pipe(body);
}

// A client may be gone before the handler asks for the body. No event says so then.
function isCutOff(request: Request): boolean {
  return request.destroyed && !request.complete;
}

function cutOff(): Problem {
  return new Problem('malformed_json', 'The connection closed before the whole body arrived');
}

/**
 * Exempts the current request of a connection from the server's `requestTimeout`, which can't be set by route. The
 * parser leaves the list that Node checks, and returns to it with the next request.
 */
function liftArrivalLimit(socket: Socket): void {
  (socket as Socket & { parser?: { remove?(): void } }).parser?.remove?.();
}

// Node would wait for the rest of the body, without a limit once `requestTimeout` is lifted.
function endUnread(request: Request): void {
  if (!request.complete) setTimeout(() => request.complete || request.socket.destroy(), LINGER_MS).unref();
}

function requireProgress(body: BodyStream): void {
  const periodMs = TIME_LIMITS_MS.bodyProgress;
  let before = { bytes: 0, waitedMs: 0 };
  const check = () => {
    const { bytes, waitedMs } = body;
    const waitedShare = Math.min(1, (waitedMs - before.waitedMs) / periodMs);
    if (bytes - before.bytes < MIN_PROGRESS_BYTES * waitedShare) body.destroy(tooSlow());
    before = { bytes, waitedMs };
  };
  const timer = setInterval(check, periodMs);
  for (const event of ['finish', 'close']) body.once(event, () => clearInterval(timer));
}

function tooSlow(): Problem {
  const seconds = TIME_LIMITS_MS.bodyProgress / 1_000;
  return unavailable(`The body arrives too slowly: send at least ${MIN_PROGRESS_BYTES} bytes every ${seconds} s`);
}
