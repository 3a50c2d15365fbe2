import type { Request } from 'express';
import { gunzipSync, inflateSync } from 'node:zlib';
import { tooManyBytes } from './parsed-body.js';
import { Problem } from '../../errors/problem.js';

/**
 * Extra bytes of a too long body to read before the response, because many clients don't read a response until they
 * have sent everything.
 */
const MAX_DISCARDED_BYTES = 1_048_576;

/**
 * Maximum pieces of a body that arrives while it's being read: each piece costs more than its bytes. A chunk of the
 * transfer encoding is a piece.
 */
const MAX_PIECES = 512;
/** Extra pieces to read before the response, which then ends the connection. */
const MAX_DISCARDED_PIECES = 64;

/** A larger body may have a piece for each TCP segment. */
const BYTES_OF_PIECE = 1_024;

const piecesOf = (max: number) => Math.max(MAX_PIECES, Math.ceil(max / BYTES_OF_PIECE));
const tooManyPieces = (most: number) => `The body arrived in more than ${most} pieces; send it in fewer, larger chunks`;

const DECODERS = { gzip: gunzipSync, deflate: inflateSync };

/** Accepted content encodings; each decoder stops at the limit. */
export type Encoding = keyof typeof DECODERS;

export const ENCODINGS = Object.keys(DECODERS) as Encoding[];

/**
 * Reads a body of at most `max` bytes; a longer one isn't kept.
 * @throws Problem body_too_large, also for a body in more than 512 pieces; malformed_json when the connection ended
 * before the body
 */
export async function readBody(request: Request, max: number): Promise<Buffer> {
  return readArrived(request, max) ?? readAll(request, max);
}

// A small body has often arrived before authentication ends. Then it's read immediately, without listeners.
function readArrived(request: Request, max: number): Buffer | null {
  const { complete, readableLength } = request;
  return complete && readableLength > 0 && readableLength <= max ? (request.read() as Buffer) : null;
}

function readAll(request: Request, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let pieces = 0;
    const most = piecesOf(max);
    const excess = () => {
      if (length > max) return tooLarge(max);
      return pieces > most ? new Problem('body_too_large', tooManyPieces(most)) : null;
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (++pieces > most + MAX_DISCARDED_PIECES) {
        stopReading(request);
        reject(excess()!);
      } else if (!excess()) chunks.push(chunk);
      else if (length > max + MAX_DISCARDED_BYTES) reject(excess()!);
    });
    request.once('end', () => {
      const problem = excess();
      if (problem) reject(problem);
      else resolve(Buffer.concat(chunks, length));
    });
    const fail = () => reject(new Problem('malformed_json', 'The connection closed before the whole body arrived'));
    request.once('error', fail).once('close', fail);
  });
}

/** Stops reading a request and ends its connection after the response; Node would read the rest of the body first. */
function stopReading(request: Request): void {
  const { res, socket } = request;
  request.removeAllListeners('data').pause();
  // Node has read thousands of pieces that it hasn't emitted yet. `false` also stops it from reading more.
  request.push = () => false;
  res?.setHeader('Connection', 'close').once('finish', () => socket.destroy());
}

/** Unpacks a body of at most `max` bytes. @throws Problem body_too_large, malformed_json */
export function unpack(bytes: Buffer, encoding: Encoding, max: number): Buffer {
  try {
    return DECODERS[encoding](bytes, { maxOutputLength: max });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(max);
    throw new Problem('malformed_json', `The body is not valid ${encoding} data`);
  }
}

function tooLarge(max: number): Problem {
  return new Problem('body_too_large', tooManyBytes(max));
}
