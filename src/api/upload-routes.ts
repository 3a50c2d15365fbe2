import { BODY, type Route } from './describes.js';

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
