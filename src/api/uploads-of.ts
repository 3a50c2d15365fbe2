import { Injectable } from '@nestjs/common';
import type { FileView, Uploader } from '../files/file.js';
import { type StartedUpload, UploadsService } from '../files/uploads.service.js';
import { invalid, Problem } from '../platform/errors/problem.js';
import { parseBody } from '../platform/http/requests/validation.pipe.js';
import { type SendFileQuery, StartUploadDto } from './files.dto.js';
import { WaitingBody } from './upload-body.guard.js';

/** Uploads as the doors of all audiences offer them: in three calls, and in one request. */
@Injectable()
export class UploadsOf {
  constructor(private readonly uploads: UploadsService) {}

  /**
   * Begins an upload, or takes all of it.
   * @param body JSON, or the bytes that wait
   * @param admit checks that the uploader may send files into the chat
   */
  async create(
    uploader: Uploader,
    { chatId = '', name = '' }: SendFileQuery,
    body: unknown,
    admit: (chatId: string) => Promise<unknown>,
  ): Promise<StartedUpload | { file: FileView }> {
    if (!(body instanceof WaitingBody)) {
      const file = parseBody(StartUploadDto, body);
      return this.uploads.start(uploader, file, () => admit(file.chatId));
    }
    const max = this.uploads.maxOneRequest;
    if (body.length > max) {
      const detail = `One request may have ${max} bytes: use POST …/uploads with JSON, PUT, and POST …/complete`;
      throw new Problem('body_too_large', detail);
    }
    const file = { chatId, name, size: body.length };
    return {
      file: await this.uploads.send(
        uploader,
        file,
        () => admit(chatId),
        () => body.open(),
      ),
    };
  }

  async complete(uploader: Uploader, id: string): Promise<{ file: FileView }> {
    return { file: await this.uploads.complete(uploader, id) };
  }

  remove(uploader: Uploader, id: string): Promise<void> {
    return this.uploads.remove(uploader, id);
  }
}

/** @throws Problem validation_failed for a body of `complete` that isn't an object */
export function checkEmpty(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('', 'must be a JSON object');
}
