import { Inject, Injectable, Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { setTimeout as pause } from 'node:timers/promises';
import { ChatsService } from '../chats/reading/chats.service.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound, Problem, unavailable } from '../platform/errors/problem.js';
import type { ProblemCode } from '../platform/errors/problem-codes.js';
import { withTimeout } from '../platform/lib/timeout.js';
import { type StoredFile, toStoredFile, type Uploader } from './file.js';
import { FileMetrics } from './file-metrics.js';
import { clean, FileRefused, inspect } from './inspect/index.js';
import {
  fileKey,
  incomingKey,
  insertRemovals,
  LEASE_MS,
  removalOfIncoming,
  removalOfPlace,
} from './removals.queries.js';
import { FileRemovals } from './removals.service.js';
import { Scanner } from './scan/scanner.js';
import { CheckedStore, RETRY_SECONDS, storeProblem } from './stores/checked-store.js';
import { type FileStore, sizeOfPieces } from './stores/store.js';
import {
  addUsage,
  type Checked,
  completeUpload,
  type FileRow,
  findFile,
  leaseUpload,
  refuseUpload,
  releaseUpload,
} from './uploads.queries.js';

/** The most milliseconds until `complete` answers (CONTRACT: Uploads). */
const ANSWER_MS = 45_000;
const POLL_MS = 100;

const REFUSALS = {
  type_not_allowed: 'The bytes are of no type that may be sent',
  image_too_large: 'The picture has more than 50,000,000 pixels',
  infected: 'The scanner found something in the file, or takes no file of this size',
} as const satisfies Partial<Record<ProblemCode, string>>;
type Refusal = keyof typeof REFUSALS;

class Refused extends Error {
  constructor(readonly code: Refusal) {
    super(code);
  }
}

/** Checks the bytes of an upload, and moves them to a place that no upload address can write to (CONTRACT: Uploads). */
@Injectable()
export class Completion {
  private readonly logger = new Logger('Files');

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly chats: ChatsService,
    private readonly store: CheckedStore,
    private readonly scanner: Scanner,
    private readonly removals: FileRemovals,
    private readonly metrics: FileMetrics,
  ) {}

  /**
   * Checks an upload, unless that's done, and returns the completed file within 45 s. Repeated and simultaneous calls, on any nodes, get
   * the same file.
   * @throws Problem not_found; not_uploaded, size_mismatch; type_not_allowed, image_too_large, infected; unavailable
   */
  complete(uploader: Uploader, id: string): Promise<StoredFile> {
    const late = () => unavailable('The file is still being checked; retry', RETRY_SECONDS);
    return withTimeout(this.completeSoon(uploader, id, performance.now() + ANSWER_MS), ANSWER_MS, late);
  }

  private async completeSoon(uploader: Uploader, id: string, end: number): Promise<StoredFile> {
    while (performance.now() < end) {
      const file = await findFile(this.pool, uploader.organizationId, id);
      if (file?.senderType !== uploader.type || file.senderId !== uploader.id) notFound('Upload');
      if (file.usedBy === null) await this.chats.getForMessages(file.organizationId, file.chatId);
      if (file.status === 'COMPLETE') return toStoredFile(file);
      if (file.status === 'REFUSED') throw new Problem(file.refusal as Refusal, REFUSALS[file.refusal as Refusal]);
      const done = await this.tryToComplete(file);
      if (done) return toStoredFile(done);
      await pause(POLL_MS);
    }
    throw unavailable('The file is still being checked; retry', RETRY_SECONDS);
  }

  // Returns null if another call is checking the bytes, or the row has changed.
  private async tryToComplete(file: FileRow): Promise<FileRow | null> {
    const store = await this.store.get();
    if ((await guarded(store.size(incomingKey(file.organizationId, file.id)))) === undefined)
      return this.notUploaded(file);
    const place = randomBytes(12).toString('hex');
    const isLeased = await transaction(this.manager, async (tx) => {
      const leased = await leaseUpload(tx, file, place, LEASE_MS / 1000);
      if (!leased) return false;
      const { organizationId, formerPlace } = leased;
      // A check that failed, or a node that was killed, may have left bytes there.
      if (formerPlace !== null) await insertRemovals(tx, organizationId, [removalOfPlace(file, formerPlace, LEASE_MS)]);
      return true;
    });
    if (!isLeased) return null;
    const startedAt = performance.now();
    try {
      return await this.finish(store, file, place, startedAt);
    } catch (error) {
      await releaseUpload(this.pool, file, place);
      throw storeProblem(error);
    }
  }

  // Another call may have completed the upload, and removed what arrived.
  private async notUploaded(file: FileRow): Promise<null> {
    const now = await findFile(this.pool, file.organizationId, file.id);
    if (now?.status !== 'PENDING') return null;
    throw new Problem('not_uploaded', 'No whole body has arrived');
  }

  private async finish(store: FileStore, file: FileRow, place: string, startedAt: number): Promise<FileRow | null> {
    try {
      const checked = await this.check(store, file, fileKey(file.organizationId, file.id, place));
      const done = await transaction(this.manager, async (tx) => {
        const row = await completeUpload(tx, file, place, checked);
        if (!row) return null;
        await insertRemovals(tx, file.organizationId, [removalOfIncoming(file)]);
        await addUsage(tx, file.organizationId, 1, checked.size);
        return row;
      });
      if (!done) await store.remove(fileKey(file.organizationId, file.id, place));
      this.removals.wake();
      if (done) this.note(file, 'stored', startedAt);
      return done;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.note(file, error.code, startedAt);
      await this.refuse(file, place, error.code);
      throw new Problem(error.code, REFUSALS[error.code]);
    }
  }

  private async check(store: FileStore, file: FileRow, key: string): Promise<Checked> {
    const size = await store.copy(incomingKey(file.organizationId, file.id), key);
    if (size === undefined) throw new Problem('not_uploaded', 'No whole body has arrived');
    if (size !== file.announcedSize)
      throw new Problem('size_mismatch', `The body has ${size} bytes, and the upload ${file.announcedSize}`);
    const source = await store.open(key, size);
    try {
      const found = await inspect(source, file.name);
      const isCleaned = file.senderType !== 'BOT' && found.type.startsWith('image/');
      const pieces = isCleaned ? await clean(source, found.type) : undefined;
      if (pieces) await store.rewrite(key, source, pieces);
      const stored = pieces ? sizeOfPieces(pieces) : size;
      if (!(await this.scanner.isClean(store, key, stored))) throw new Refused('infected');
      await store.sync(key);
      return { ...found, ...(found.durationSeconds !== undefined && rounded(found.durationSeconds)), size: stored };
    } catch (error) {
      if (error instanceof FileRefused) throw new Refused(error.code);
      throw error;
    } finally {
      await source.close();
    }
  }

  private async refuse(file: FileRow, place: string, code: Refusal): Promise<void> {
    const { organizationId } = file;
    const gone = [removalOfIncoming(file), removalOfPlace(file, place, 0)];
    await transaction(this.manager, async (tx) => {
      await refuseUpload(tx, file, place, code);
      await insertRemovals(tx, organizationId, gone);
    });
    // The bytes are removed before the answer. If the store fails now, they're removed later.
    await this.removals.removeNow(gone.map(({ key }) => ({ organizationId, key })));
  }

  private note(file: FileRow, outcome: string, startedAt: number): void {
    this.metrics.uploads(file.senderType.toLowerCase(), outcome).add();
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.debug(
      { upload: file.id, chatId: file.chatId, size: file.announcedSize, outcome, durationMs },
      'a file was checked',
    );
  }
}

function rounded(seconds: number): { durationSeconds: number } {
  return { durationSeconds: Math.round(seconds * 10) / 10 };
}

function guarded<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw storeProblem(error);
  });
}
