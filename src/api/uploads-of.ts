import { Injectable } from '@nestjs/common';
import type { FileView, Uploader } from '../files/file.js';
import { type StartedUpload, UploadsService } from '../files/uploads.service.js';
import { Problem } from '../platform/errors/problem.js';
import { refuseMisspelt } from '../platform/http/requests/field-names.guard.js';
import { parseBody } from '../platform/http/requests/validation.pipe.js';
import { type SendFileQuery, StartUploadDto } from './files.dto.js';
import { WaitingBody } from '../platform/http/requests/waiting-body.js';
import { BODY, type Route } from './describes.js';

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
      refuseMisspelt(StartUploadDto, body);
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

/** The most bytes of the JSON of `POST …/uploads`. */
export const UPLOAD_BYTES = 12_288;
/** Until `complete` is answered, in milliseconds: a little after its own limit of 45 s. */
export const UPLOAD_MS = 47_000;

/** What all audiences say of the routes of uploads. */
export const START_UPLOAD: Route = {
  summary: 'Begin an upload',
  description:
    'Answers where to PUT the bytes. With `chatId` and `name` in the query, the body is the file itself, at most 8 MB, and the answer is the completed file.',
  problems: [
    ...BODY,
    'not_found',
    'conflict',
    'quota_exceeded',
    'type_not_allowed',
    'image_too_large',
    'infected',
    'not_uploaded',
  ],
};

export const COMPLETE_UPLOAD: Route = {
  summary: 'Complete an upload',
  description: 'Checks the bytes. From then on, a message may refer to the file. It may be repeated.',
  problems: [...BODY, 'not_found', 'not_uploaded', 'size_mismatch', 'type_not_allowed', 'image_too_large', 'infected'],
};

export const REMOVE_UPLOAD: Route = {
  summary: 'Remove an upload',
  description: 'One that no message or note has.',
  problems: ['not_found', 'conflict'],
};
