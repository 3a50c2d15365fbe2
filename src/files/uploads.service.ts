import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Readable } from 'node:stream';
import { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { invalid, notFound, Problem } from '../platform/errors/problem.js';
import { newId } from '../platform/lib/ids.js';
import { Completion } from './completion.js';
import { type FileView, type Uploader } from './file.js';
import { FileLinks } from './file-links.js';
import { FileMetrics } from './file-metrics.js';
import { Receiving } from './receiving.js';
import { FileRemovals } from './removals.service.js';
import { incomingKey, removeFiles } from './removals.queries.js';
import { CheckedStore, diskFull, storeProblem } from './stores/checked-store.js';
import { UploadLimits } from './upload-limits.js';
import { removeStarts } from './upload-limits.queries.js';
import { type FileRow, findFile, findFileAnywhere, insertUpload, lockChat, type NewUpload } from './uploads.queries.js';

/** Milliseconds after an upload began until its body must have started. */
const STARTS_MS = 15 * 60 * 1000;
/** The most bytes of a file in one request. */
const MAX_ONE_REQUEST = 8_388_608;

/** What a client says of a file. */
export interface AnnouncedFile {
  chatId: string;
  name: string;
  size: number;
}

/** Where the bytes go (CONTRACT: Uploads). */
export interface StartedUpload {
  id: string;
  method: 'PUT';
  url: string;
  headers: Record<string, string>;
  expiresAt: string;
}

/** Uploads of bots, agents, and visitors (CONTRACT: Uploads). */
@Injectable()
export class UploadsService {
  private readonly logger = new Logger('Files');

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly config: Config,
    private readonly store: CheckedStore,
    private readonly links: FileLinks,
    private readonly limits: UploadLimits,
    private readonly completion: Completion,
    private readonly receiving: Receiving,
    private readonly removals: FileRemovals,
    private readonly metrics: FileMetrics,
  ) {}

  /** The most bytes of a file. */
  get maxSize(): number {
    return this.config.FILE_MAX_SIZE;
  }

  /** The most bytes of a file that's sent in one request. */
  get maxOneRequest(): number {
    return Math.min(MAX_ONE_REQUEST, this.config.FILE_MAX_SIZE);
  }

  /**
   * Begins an upload.
   * @param admit checks that the uploader may send files into the chat
   * @throws Problem validation_failed; not_found; rate_limited; quota_exceeded; unavailable
   */
  async start(uploader: Uploader, file: AnnouncedFile, admit: () => Promise<unknown>): Promise<StartedUpload> {
    this.checkSize(file);
    await admit();
    await this.store.prepare();
    const upload = await this.insert(uploader, file);
    const expiresAt = new Date(upload.createdAt.getTime() + STARTS_MS);
    const { organizationId } = uploader;
    const { id } = upload;
    const own = { url: this.links.upload(id, expiresAt), headers: {} };
    const address = (await this.store.presign(incomingKey(organizationId, id), file.size)) ?? own;
    return { id, method: 'PUT', ...address, expiresAt: expiresAt.toISOString() };
  }

  /** Takes the body of an upload, if files are on the disk. @throws Problem forbidden; validation_failed; unavailable */
  async receive(
    id: string,
    { expires, signature }: { expires?: unknown; signature?: unknown },
    { length, encoding, open }: Body,
  ): Promise<void> {
    const file = this.links.isValid('uploads', id, expires, signature) ? await findFileAnywhere(this.pool, id) : null;
    if (file?.status !== 'PENDING') throw closed();
    if (length !== file.announcedSize)
      throw invalid('Content-Length', `must be ${file.announcedSize}, the size of the upload`);
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      throw invalid('Content-Encoding', 'must be absent: send the bytes as they are');
    const mayStay = async () => (await findFile(this.pool, file.organizationId, id))?.status === 'PENDING';
    let isStored = false;
    await this.put({ type: file.senderType, id: file.senderId }, file, open, async () => (isStored = await mayStay()));
    if (!isStored) throw closed();
  }

  /**
   * Uploads a file in one call: begins the upload, stores the body, and completes it. Throws what `start` and `complete` throw.
   * @param id of the new upload
   */
  async send(
    uploader: Uploader,
    file: AnnouncedFile,
    admit: () => Promise<unknown>,
    open: () => Readable,
    id = newId('upl'),
  ): Promise<FileView> {
    this.checkSize(file);
    await admit();
    await this.store.get();
    const upload = await this.insert(uploader, file, id);
    const row = (await findFile(this.pool, uploader.organizationId, upload.id)) ?? notFound('Upload');
    await this.put(uploader, row, open);
    return this.complete(uploader, upload.id);
  }

  /** Checks the bytes. @throws Problem not_found; not_uploaded, size_mismatch; type_not_allowed, image_too_large, infected; unavailable */
  async complete(uploader: Uploader, id: string): Promise<FileView> {
    return this.view(uploader, await this.completion.complete(uploader, id));
  }

  /** Removes an upload that no message or note has. @throws Problem not_found; conflict */
  async remove(uploader: Uploader, id: string): Promise<void> {
    const { organizationId } = uploader;
    const file = await findFile(this.pool, organizationId, id);
    if (file?.senderType !== uploader.type || file.senderId !== uploader.id) notFound('Upload');
    const count = await transaction(this.manager, (tx) => removeFiles(tx, organizationId, { id }));
    this.removals.wake();
    if (count > 0) return;
    if (!(await findFile(this.pool, organizationId, id))) notFound('Upload');
    throw new Problem('conflict', 'A message or note has this file');
  }

  /** Removes uploads of a sender who begins them all again because of a failure of ours. They count towards no limit of the visitor. */
  async discard(organizationId: string, ids: readonly string[]): Promise<void> {
    await transaction(this.manager, async (tx) => {
      for (const id of ids) await removeFiles(tx, organizationId, { id });
      await removeStarts(tx, ids);
    });
    this.removals.wake();
  }

  /** The file as its reader sees it. */
  view({ type }: Pick<Uploader, 'type'>, file: Parameters<FileLinks['signed']>[0]): FileView {
    return type === 'BOT' ? this.links.ofBots(file) : this.links.signed(file);
  }

  private checkSize({ size }: AnnouncedFile): void {
    if (!Number.isInteger(size) || size < 1 || size > this.maxSize)
      throw invalid('/size', `must be an integer from 1 to ${this.maxSize}`);
  }

  private async insert(
    uploader: Uploader,
    { chatId, name, size }: AnnouncedFile,
    id = newId('upl'),
  ): Promise<NewUpload> {
    const upload = { id, chatId, name, size, createdAt: new Date() };
    await transaction(this.manager, async (tx) => {
      if (!(await lockChat(tx, uploader.organizationId, chatId))) notFound('Chat');
      await this.limits.spend(tx, uploader, upload);
      if (!(await this.hasRoom(size))) throw diskFull();
      await insertUpload(tx, uploader, upload);
    });
    return upload;
  }

  // True if the store can't be reached, because that must not keep uploads from beginning.
  private async hasRoom(size: number): Promise<boolean> {
    return this.store
      .get()
      .then((store) => store.hasRoomFor(size))
      .catch(() => true);
  }

  private async put(
    sender: { type: string; id: string },
    file: FileRow,
    open: () => Readable,
    mayStay?: () => Promise<boolean>,
  ): Promise<void> {
    const { organizationId, id, announcedSize } = file;
    const startedAt = performance.now();
    await this.receiving.run(sender, async () => {
      const store = await this.store.get();
      try {
        await store.put(incomingKey(organizationId, id), open(), announcedSize, mayStay);
        this.metrics.uploadBytes.add(announcedSize);
        const durationMs = Math.round(performance.now() - startedAt);
        this.logger.debug({ upload: id, chatId: file.chatId, size: announcedSize, durationMs }, 'a file has arrived');
      } catch (error) {
        throw storeProblem(error);
      }
    });
  }
}

/** A body that arrives. */
export interface Body {
  /** Its `Content-Length`; NaN without one. */
  length: number;
  encoding: string | undefined;
  open: () => Readable;
}

function closed(): Problem {
  return new Problem('forbidden', 'This address takes no bytes: it is unknown, expired, or its upload has ended');
}
