import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Answers JSON that is made in pieces, as fast as it is taken. One that ends early is broken off, not closed. */
export async function sendPieces(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  response.type('application/json');
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // Whoever asked has gone.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
