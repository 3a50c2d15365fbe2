import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { POOL } from '../platform/database/pool.js';
import { notFound } from '../platform/errors/problem.js';
import { type FileView, toStoredFile, type Uploader } from './file.js';
import { FileLinks } from './file-links.js';
import { type FileSummary, readFileSummary } from './upload-limits.queries.js';
import { findFile } from './uploads.queries.js';

/** The chat of a used file, and whether a note has it. */
export interface FileUse {
  chatId: string;
  isOfNote: boolean;
}

/** Completed files as agents and visitors see them. */
@Injectable()
export class FilesService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly links: FileLinks,
  ) {}

  /**
   * A file with a fresh address.
   * @param maySee decides whether the reader may see a used file. Only its uploader sees an unused one
   * @throws Problem not_found
   */
  async get(reader: Uploader, id: string, maySee: (use: FileUse) => Promise<boolean>): Promise<FileView> {
    const file = await findFile(this.pool, reader.organizationId, id);
    if (file?.status !== 'COMPLETE') notFound('File');
    const { usedBy, chatId } = file;
    const isSeen =
      usedBy === null
        ? file.senderType === reader.type && file.senderId === reader.id
        : await maySee({ chatId, isOfNote: usedBy.startsWith('not_') });
    return isSeen ? this.links.signed(toStoredFile(file)) : notFound('File');
  }

  /** What an organization stores. */
  summarize(organizationId: string): Promise<FileSummary> {
    return readFileSummary(this.manager, organizationId);
  }
}
