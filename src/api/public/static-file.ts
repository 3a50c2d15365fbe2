import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A file that is kept in memory, in the encodings that browsers accept. */
export interface StaticFile {
  name: string;
  etag: string;
  bodies: { encoding: 'br' | 'gzip' | 'identity'; body: Buffer }[];
}

/**
 * The highest quality, 11, takes up to a second for a file of the console, during which the starting process hears nothing from
 * its database; this one takes some milliseconds, for a few percent more bytes.
 */
const BROTLI_QUALITY = 9;

/** For files whose name contains a hash of their content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

export function toStaticFile(name: string, body: Buffer): StaticFile {
  return {
    name,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    bodies: [
      {
        encoding: 'br',
        body: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
      },
      { encoding: 'gzip', body: gzipSync(body, { level: 9 }) },
      { encoding: 'identity', body },
    ],
  };
}

/** Answers with a file in the smallest encoding that the browser takes; 304 when it has it. */
export function answerFile(
  request: Request,
  response: Response,
  { etag, bodies }: StaticFile,
  headers: Record<string, string>,
): void {
  // Checks the encodings one by one in our order: with a list, the browser's order would decide, which names the
  // smallest one last.
  const { encoding, body } = bodies.find((one) => request.acceptsEncodings(one.encoding)) ?? bodies.at(-1)!;
  response.set({ ...headers, ETag: etag, Vary: 'Accept-Encoding' });
  if (request.headers['if-none-match']?.includes(etag)) return void response.status(304).end();
  if (encoding !== 'identity') response.set('Content-Encoding', encoding);
  response.set('Content-Length', String(body.length)).end(body);
}
