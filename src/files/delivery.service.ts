import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Readable } from 'node:stream';
import type { ByteRange, Deliverable } from '../platform/http/responses/deliver-bytes.js';
import { POOL } from '../platform/database/pool.js';
import { notFound, overloaded } from '../platform/errors/problem.js';
import { isFileId, PICTURE } from './file.js';
import { FileLinks } from './file-links.js';
import { FileMetrics } from './file-metrics.js';
import { contentDisposition, contentType, isShownInline } from './inspect/index.js';
import { fileKey } from './removals.queries.js';
import { CheckedStore, storeProblem } from './stores/checked-store.js';
import { MissingBytes } from './stores/store.js';
import { type FileRow, findFile, findFileAnywhere, listOfMessages } from './uploads.queries.js';

/** Bodies that a node sends at a time. */
const MAX_DOWNLOADS = 500;
/** Files of a chat that are looked up at a time. */
const FILES_PAGE = 100;
/** Audio and video of more bytes than this are redirected to the store, if it can serve them itself. */
const REDIRECTED_BYTES = 8_388_608;

/** Finds the bytes of files for readers with the right (CONTRACT: Delivery of files). */
@Injectable()
export class FileDelivery {
  private readonly logger = new Logger('Files');

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly store: CheckedStore,
    private readonly links: FileLinks,
    private readonly metrics: FileMetrics,
  ) {}

  /**
   * The file at a signed address, or the picture at an address without a signature.
   * @throws Problem not_found, which is the same for a wrong signature and a removed file
   */
  async ofLink(id: string, expires: unknown, signature: unknown): Promise<Deliverable> {
    if (expires === undefined && signature === undefined) return this.ofPicture(id);
    const file = this.links.isValid('files', id, expires, signature) ? await findFileAnywhere(this.pool, id) : null;
    return this.toDeliverable(file, true);
  }

  private async ofPicture(id: string): Promise<Deliverable> {
    const file = isFileId(id) ? await findFileAnywhere(this.pool, id) : null;
    const { headers, ...picture } = this.toDeliverable(file?.usedBy === PICTURE ? file : null, false);
    return { ...picture, headers: { ...headers, 'Cache-Control': 'public, max-age=31536000, immutable' } };
  }

  /** A file that a bot may read: of a message, or its own. @throws Problem not_found */
  async ofBot(organizationId: string, botId: string, id: string): Promise<Deliverable> {
    const file = await findFile(this.pool, organizationId, id);
    const isOwn = file?.usedBy === null && file.senderType === 'BOT' && file.senderId === botId;
    return this.toDeliverable(isOwn || file?.usedBy?.startsWith('msg_') ? file : null, false);
  }

  private toDeliverable(file: FileRow | null, mayRedirect: boolean): Deliverable {
    if (file?.status !== 'COMPLETE') notFound('File');
    const [type, size, place] = [file.type!, file.size!, file.place!];
    const key = fileKey(file.organizationId, file.id, place);
    const headers = headersOf(file.name, type);
    const isMedia = /^(?:audio|video)\//.test(type) && isShownInline(type) && size > REDIRECTED_BYTES;
    return {
      size,
      etag: `"${place}"`,
      headers,
      redirect: async () => (mayRedirect && isMedia ? (await this.store.get()).readAddress(key, headers) : null),
      open: (range) => this.open(file.id, key, range),
    };
  }

  /** The files of a chat's messages, but not of its notes, a hundred at a time. */
  async *ofMessages(organizationId: string, chatId: string): AsyncGenerator<FileRow[], void> {
    for (let after = '', size = FILES_PAGE; size === FILES_PAGE;) {
      const files = await listOfMessages(this.pool, organizationId, chatId, after, FILES_PAGE);
      yield files;
      after = files.at(-1)?.id ?? after;
      size = files.length;
    }
  }

  /** The bytes of a completed file; null if the store has lost them. @throws Problem unavailable */
  async read({ organizationId, id, place, size }: FileRow): Promise<Readable | null> {
    try {
      return await this.begin(id, fileKey(organizationId, id, place!), { start: 0, end: size! - 1 });
    } catch (error) {
      if (error instanceof MissingBytes) return null;
      throw storeProblem(error);
    }
  }

  private async open(id: string, key: string, range: ByteRange): Promise<Readable> {
    try {
      return await this.begin(id, key, range);
    } catch (error) {
      throw storeProblem(error);
    }
  }

  private async begin(id: string, key: string, range: ByteRange): Promise<Readable> {
    if (this.metrics.downloads >= MAX_DOWNLOADS) throw overloaded(`${MAX_DOWNLOADS} files are being sent`);
    const end = this.metrics.begin('download');
    try {
      const body = await (await this.store.get()).read(key, range);
      body.once('close', end);
      return body;
    } catch (error) {
      end();
      if (error instanceof MissingBytes) {
        this.metrics.missing.add();
        this.logger.error({ upload: id }, 'the store has lost the bytes of a file');
      }
      throw error;
    }
  }

  /** Call this with the bytes that were sent. */
  count(bytes: number): void {
    this.metrics.downloadBytes.add(bytes);
  }
}

function headersOf(name: string, type: string): Record<string, string> {
  const media = /^(?:audio|video)\//.test(type) ? "; media-src 'self'" : '';
  return {
    'Content-Type': contentType(type),
    'Content-Disposition': contentDisposition(name, type),
    'Content-Security-Policy': `sandbox; default-src 'none'; frame-ancestors 'none'${media}`,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Content-Disposition, Content-Length, Content-Range, ETag',
    'Cache-Control': 'private, max-age=3600, immutable',
    'Accept-Ranges': 'bytes',
  };
}
