import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Maximum bytes per write, so that a slow client is seen to make progress after each. */
const MAX_CHUNK_BYTES = 65_536;

/**
 * Streams a response in pieces, no faster than the client reads. If the pieces end with an error, the connection is
 * closed, so that the client doesn't take the response for complete.
 */
export async function streamResponse(
  response: Response,
  pieces: AsyncIterable<string | Buffer>,
  type: string,
): Promise<void> {
  response.type(type);
  try {
    await pipeline(Readable.from(splitChunks(pieces), { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // The client has disconnected.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* splitChunks(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES) yield bytes.subarray(at, at + MAX_CHUNK_BYTES);
  }
}
