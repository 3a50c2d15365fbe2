import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { hasVersion } from '../platform/http/responses/etag.js';

/** The highest quality, 11, takes up to a second for a file of the console; this one takes some milliseconds, for a few percent more bytes. */
const BROTLI_QUALITY = 9;

/** For files whose name contains a hash of their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The encodings that browsers accept, the smallest first. */
const COMPRESS = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
  identity: (content: Buffer) => Promise.resolve(content),
};
type Encoding = keyof typeof COMPRESS;
const ENCODINGS = Object.keys(COMPRESS) as Encoding[];
/** Files that are compressed already. */
const COMPRESSED = new Set(['.png', '.webp']);

/** A file that is kept in memory. */
export class StaticFile {
  readonly etag: string;
  /** What it may be sent in, the smallest first. */
  readonly encodings: readonly Encoding[];
  private readonly bodies = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly name: string,
    private readonly content: Buffer,
  ) {
    this.etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    this.encodings = COMPRESSED.has(extname(name)) ? ['identity'] : ENCODINGS;
  }

  /** The content in an encoding, compressed on the first request: to compress all files took 0.4 s of each start. */
  body(encoding: Encoding): Promise<Buffer> {
    const body = this.bodies.get(encoding) ?? COMPRESS[encoding](this.content);
    this.bodies.set(encoding, body);
    return body;
  }
}

/** Answers with a file in the smallest encoding that the browser takes; 304 when it has it. */
export async function answerFile(
  request: Request,
  response: Response,
  file: StaticFile,
  headers: Record<string, string>,
): Promise<void> {
  // Checks the encodings one by one in our order: with a list, the browser's order would decide, which names the
  // smallest one last.
  const encoding = file.encodings.find((one) => request.acceptsEncodings(one)) ?? 'identity';
  response.set({ ...headers, ETag: file.etag }).vary('Accept-Encoding');
  if (hasVersion(request.headers['if-none-match'], file.etag)) return void response.status(304).end();
  const body = await file.body(encoding);
  // The deadline has responded while the file was compressed.
  if (response.headersSent) return;
  if (encoding !== 'identity') response.set('Content-Encoding', encoding);
  response.set('Content-Length', String(body.length)).end(body);
}
