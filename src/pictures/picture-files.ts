import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { EntityManager } from 'typeorm';
import { NO_CHAT, type Uploader } from '../files/file.js';
import { type ByteSource, clean, FileRefused, inspect, savedName } from '../files/inspect/index.js';
import { fileKey, LEASE_MS, removeFiles } from '../files/removals.queries.js';
import { FileRemovals } from '../files/removals.service.js';
import { Scanner } from '../files/scan/scanner.js';
import { CheckedStore, diskFull, RETRY_SECONDS, storeProblem } from '../files/stores/checked-store.js';
import { bytesOfPieces, type FileStore } from '../files/stores/store.js';
import { UploadLimits } from '../files/upload-limits.js';
import {
  addUsage,
  type Checked,
  completeUpload,
  type FileRow,
  insertUpload,
  leaseUpload,
} from '../files/uploads.queries.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound, unavailable } from '../platform/errors/problem.js';
import { newId } from '../platform/lib/ids.js';
import { MAX_PICTURE_BYTES } from './picture-choice.js';
import { publish } from './pictures.queries.js';

/** The most pixels of a side: a small file can have so many that it fills a browser's memory. */
const MAX_SIDE = 4_096;
const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** Why bytes are no picture that may be shown, in words that follow a field's name. */
export class PictureRefused extends Error {}

interface Picture {
  content: Buffer;
  found: Omit<Checked, 'size'>;
}

/** Stores pictures as files without a chat, which their address alone shows. */
@Injectable()
export class PictureFiles {
  constructor(
    private readonly manager: EntityManager,
    private readonly store: CheckedStore,
    private readonly limits: UploadLimits,
    private readonly scanner: Scanner,
    private readonly removals: FileRemovals,
  ) {}

  /** Stores a picture without its metadata. Returns its id. @throws PictureRefused; Problem quota_exceeded, unavailable */
  async add(organizationId: string, bytes: Buffer): Promise<string> {
    const picture = await read(bytes);
    const store = await this.store.get();
    const place = randomBytes(12).toString('hex');
    const file = await this.begin(store, organizationId, picture, place);
    try {
      await this.finish(store, file, place, picture);
    } catch (error) {
      await transaction(this.manager, (tx) => removeFiles(tx, organizationId, { id: file.id }));
      this.removals.wake();
      throw storeProblem(error);
    }
    return file.id;
  }

  // The row comes before the bytes. If the process ends in between, the clean-up of unused uploads removes both.
  private begin(
    store: FileStore,
    organizationId: string,
    { content, found }: Picture,
    place: string,
  ): Promise<FileRow> {
    const name = savedName('picture', found.type);
    const upload = { id: newId('upl'), chatId: NO_CHAT, name, size: content.length, createdAt: new Date() };
    const uploader: Uploader = { organizationId, type: 'AGENT', id: '', address: null };
    return transaction(this.manager, async (tx) => {
      await this.limits.spend(tx, uploader, upload);
      if (!(await store.hasRoomFor(upload.size))) throw diskFull();
      await insertUpload(tx, uploader, upload);
      return (await leaseUpload(tx, { organizationId, id: upload.id }, place, LEASE_MS / 1000)) ?? notFound('Upload');
    });
  }

  private async finish(store: FileStore, file: FileRow, place: string, { content, found }: Picture): Promise<void> {
    const { organizationId, id } = file;
    const key = fileKey(organizationId, id, place);
    const size = content.length;
    await store.put(key, Readable.from([content]), size);
    if (!(await this.scanner.isClean(store, key, size))) throw new PictureRefused('was refused by the scanner');
    await store.sync(key);
    await transaction(this.manager, async (tx) => {
      if (!(await completeUpload(tx, file, place, { ...found, size }))) throw unavailable('Retry', RETRY_SECONDS);
      await publish(tx, organizationId, id);
      await addUsage(tx, organizationId, 1, size);
    });
  }
}

async function read(bytes: Buffer): Promise<Picture> {
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureRefused(`must have at most ${MAX_PICTURE_BYTES} bytes`);
  const source: ByteSource = {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  try {
    const found = await inspect(source, 'picture');
    if (!TYPES.includes(found.type)) throw new FileRefused('type_not_allowed', found.type);
    if (Math.max(found.width!, found.height!) > MAX_SIDE) throw new FileRefused('image_too_large', 'side');
    const pieces = await clean(source, found.type);
    return {
      found,
      content: pieces ? Buffer.concat(await Readable.from(bytesOfPieces(source, pieces)).toArray()) : bytes,
    };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const isLarge = error.code === 'image_too_large';
    throw new PictureRefused(
      isLarge ? `must have at most ${MAX_SIDE} by ${MAX_SIDE} pixels` : 'must be a PNG, JPEG, or WebP picture',
    );
  }
}
