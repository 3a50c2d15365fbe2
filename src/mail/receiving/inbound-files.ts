import { Injectable, Logger } from '@nestjs/common';
import { Readable } from 'node:stream';
import { MAX_FILES, type StoredFile } from '../../files/file.js';
import { UploadsService } from '../../files/uploads.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { newId } from '../../platform/lib/ids.js';
import type { ReceivedFile } from '../reading/received-mail.js';
import type { AnsweredMail } from './answered-mails.queries.js';

/** The files of a mail. */
export interface StoredAttachments {
  stored: StoredFile[];
  /** The names of the other files. */
  named: string[];
}

/** Refusals of a file that another try doesn't change, or that may last longer than the tries of a mail. */
const FINAL = new Set([
  'validation_failed',
  'type_not_allowed',
  'image_too_large',
  'infected',
  'quota_exceeded',
  'rate_limited',
]);

/** Stores the files of mails as uploads of the visitor (CONTRACT: E-mail and CONTRACT: Files). */
@Injectable()
export class InboundFiles {
  private readonly logger = new Logger('Mail');

  constructor(private readonly uploads: UploadsService) {}

  /**
   * Stores up to 10 files, and then the mail. Further files, and files that the chat can't take or limits refuse, are only named. If a
   * file or the mail can't be stored, the files of this try are removed, so that any number of tries counts as one.
   * @param use stores the mail with its files
   * @param isLenient whether files that the store or the scanner doesn't take now are only named, too
   * @throws Problem unavailable: try the mail again later; and what `use` throws
   */
  async store<T>(
    { takesFiles, ...mail }: AnsweredMail,
    files: readonly ReceivedFile[],
    use: (attachments: StoredAttachments) => Promise<T>,
    isLenient: boolean,
  ): Promise<T> {
    const result: StoredAttachments = { stored: [], named: [] };
    const begun: string[] = [];
    try {
      for (const file of files) {
        const isTaken = takesFiles && result.stored.length < MAX_FILES;
        const stored = isTaken ? await this.storeOne(mail, file, begun, isLenient) : null;
        if (stored) result.stored.push(stored);
        else result.named.push(file.name);
      }
      return await use(result);
    } catch (error) {
      await this.discard(mail.organizationId, begun);
      throw error;
    }
  }

  // If this fails, the files are removed after a day, as other unused uploads are.
  private async discard(organizationId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.uploads
      .discard(organizationId, ids)
      .catch((err: unknown) => this.logger.warn({ err }, 'the files of a mail that was not stored were not removed'));
  }

  private async storeOne(
    { organizationId, visitorId, chatId }: Omit<AnsweredMail, 'takesFiles'>,
    { name, content }: ReceivedFile,
    begun: string[],
    isLenient: boolean,
  ): Promise<StoredFile | null> {
    const id = newId('upl');
    begun.push(id);
    const uploader = { organizationId, type: 'VISITOR', id: visitorId!, address: null } as const;
    const announced = { chatId: chatId!, name, size: content.length };
    try {
      const { url: _, ...file } = await this.uploads.send(
        uploader,
        announced,
        () => Promise.resolve(),
        () => Readable.from([content]),
        id,
      );
      return file;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (FINAL.has(error.code)) return null;
      if (!isLenient || error.code !== 'unavailable') throw error;
      this.logger.warn(
        { err: error, organizationId, chatId },
        'a file of a mail could not be stored; it is only named',
      );
      await this.discard(organizationId, [id]);
      return null;
    }
  }
}
