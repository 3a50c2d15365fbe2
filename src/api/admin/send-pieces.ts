import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Streams an answer in pieces, no faster than the client reads. When the pieces end with an error, the connection is broken
 * off, so that the client does not take the answer for complete.
 */
export async function sendPieces(response: Response, pieces: AsyncIterable<string>, type: string): Promise<void> {
  response.type(type);
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // The client has closed the connection.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
