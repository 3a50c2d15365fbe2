import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { MAX_FILES, type StoredFile } from '../../files/file.js';
import { UploadsService } from '../../files/uploads.service.js';
import { Problem } from '../../platform/errors/problem.js';
import type { ReceivedFile } from '../reading/received-mail.js';
import type { AnsweredMail } from './answered-mails.queries.js';

/** The files of a mail. */
export interface StoredAttachments {
  stored: StoredFile[];
  /** The names of the other files. */
  named: string[];
}

/** Refusals of a file that another try doesn't change. */
const FINAL = new Set(['validation_failed', 'type_not_allowed', 'image_too_large', 'infected', 'quota_exceeded']);

/** Stores the files of mails as uploads of the visitor (CONTRACT: E-mail and CONTRACT: Files). */
@Injectable()
export class InboundFiles {
  constructor(private readonly uploads: UploadsService) {}

  /**
   * Stores up to 10 files. Further files, and files that the chat can't take, are only named.
   * @throws Problem unavailable, rate_limited: try the mail again later
   */
  async store({ takesFiles, ...mail }: AnsweredMail, files: readonly ReceivedFile[]): Promise<StoredAttachments> {
    const result: StoredAttachments = { stored: [], named: [] };
    for (const file of files) {
      const isTaken = takesFiles && result.stored.length < MAX_FILES;
      const stored = isTaken ? await this.storeOne(mail, file) : null;
      if (stored) result.stored.push(stored);
      else result.named.push(file.name);
    }
    return result;
  }

  private async storeOne(
    { organizationId, visitorId, chatId }: Omit<AnsweredMail, 'takesFiles'>,
    { name, content }: ReceivedFile,
  ): Promise<StoredFile | null> {
    const uploader = { organizationId, type: 'VISITOR', id: visitorId!, address: null } as const;
    const announced = { chatId: chatId!, name, size: content.length };
    try {
      const { url: _, ...file } = await this.uploads.send(
        uploader,
        announced,
        () => Promise.resolve(),
        () => Readable.from([content]),
      );
      return file;
    } catch (error) {
      if (error instanceof Problem && FINAL.has(error.code)) return null;
      throw error;
    }
  }
}
