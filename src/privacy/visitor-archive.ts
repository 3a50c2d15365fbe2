import { Injectable } from '@nestjs/common';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { FileDelivery } from '../files/delivery.service.js';
import type { FileRow } from '../files/uploads.queries.js';
import { savedName } from '../files/inspect/index.js';
import { HeavyReads } from '../platform/database/pools/heavy-reads.js';
import { VisitorExport } from './visitor-export.js';

/** The list of files whose bytes the store has lost. */
const MISSING = 'missing.txt';

/** Streams the export of a visitor with the files of all messages, as a zip (CONTRACT: Removal of files). */
@Injectable()
export class VisitorArchive {
  constructor(
    private readonly exports: VisitorExport,
    private readonly delivery: FileDelivery,
    private readonly heavy: HeavyReads,
  ) {}

  /**
   * Streams `person.json`, and each file as `files/{id}/{saved name}`. It reads no faster than the client, one file at a time. If the store
   * fails, it ends with an error.
   * @throws Problem not_found
   */
  async write(organizationId: string, visitorId: string): Promise<Readable> {
    const pieces = await this.exports.write(organizationId, visitorId);
    const archive = new Archive();
    this.fill(archive, organizationId, visitorId, pieces).catch((error: unknown) => archive.fail(error as Error));
    return archive.output;
  }

  private async fill(
    archive: Archive,
    organizationId: string,
    visitorId: string,
    pieces: AsyncGenerator<string>,
  ): Promise<void> {
    await archive.add('person.json', Readable.from(pieces), { compress: true });
    const missing: string[] = [];
    for await (const files of this.heavy.inTurns(organizationId, this.files(organizationId, visitorId)))
      for (const file of files) {
        const name = `files/${file.id}/${savedName(file.name, file.type!)}`;
        const body = await this.delivery.read(file);
        if (body) await archive.add(name, body, { compress: false, mtime: file.createdAt });
        else missing.push(`${name}\n`);
      }
    if (missing.length > 0) await archive.add(MISSING, Readable.from(missing), { compress: true });
    archive.end();
  }

  private async *files(organizationId: string, visitorId: string): AsyncGenerator<FileRow[], void> {
    for await (const id of this.exports.chatIds(organizationId, visitorId))
      yield* this.delivery.ofMessages(organizationId, id);
  }
}

/** A zip whose entries are written one after another. */
class Archive {
  readonly output = new PassThrough();
  private readonly zip = new ZipFile();
  private body?: Readable;

  constructor() {
    // `add` reports the errors of an entry's stream too.
    this.zip.on('error', (error: Error) => this.fail(error));
    this.zip.outputStream.pipe(this.output);
    // The reader disconnected.
    this.output.once('close', () => this.body?.destroy());
  }

  /** Resolves once the bytes are written. */
  async add(name: string, body: Readable, options: { compress: boolean; mtime?: Date }): Promise<void> {
    this.body = body;
    if (this.output.destroyed) body.destroy();
    else this.zip.addReadStream(body, name, options);
    await finished(body, { writable: false });
  }

  end(): void {
    this.zip.end();
  }

  fail(error: Error): void {
    this.output.destroy(error);
  }
}
