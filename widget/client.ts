import { tellBlocked } from './client/blocked.js';
import { requestOverRest } from './client/rest.js';
import type { Road } from './client/transport.js';
import { settleOnClose } from './client/lifetime.js';
import { checkOptions, checkService } from './client/options.js';
import { readSettings as read, type SettingsRequest } from './client/settings.js';
import type { VisitorClient, VisitorClientOptions } from './client/types.js';
import { uploadInto } from './client/uploads.js';
import { createVisitorClient as create } from './client/visitor-client.js';
import type { PublicWidget as WidgetSettings } from '../headless/visitor-api.js';

export type * from './client/types.js';
export { type ErrorCode, errorCodes } from '../headless/error-codes.js';
export {
  askForPerson,
  introduce,
  listMessageRatings,
  rate,
  rateMessage,
  retryAnswer,
  stopAnswer,
} from './client/feedback.js';
export { removeUpload, renewFile, sendFiles, type UploadOptions } from './client/uploads.js';
export { LANGUAGES as languages, loadWords } from './client/words.js';
export type { WidgetSettings };
export { type Card, cardsOf } from '../headless/cards.js';
export { type Citation, citationsOf } from '../headless/citations.js';
export { type Answers, type Form, type FormField, formOf, wordsOf } from '../headless/form.js';
export { choicesOf, openChoices, type Option, optionsOf } from '../headless/options.js';
export { type Picture, pictureOf } from '../headless/picture.js';
export { fill } from '../headless/text.js';
export { isMarkdown, withoutMarks } from '../headless/markdown/marks.js';
export { parseMarkdown } from '../headless/markdown/blocks.js';
export type { Block, Inline } from '../headless/markdown/tree.js';
export { systemWords } from './panel/conversation/senders.js';
export { type Entry, toTimeline } from './panel/conversation/timeline.js';

const road: Road = {
  requestOverRest,
  longPolling(url) {
    tellBlocked(url);
    return 'polling';
  },
};

/**
 * A visitor's side of a chat: each message once and in order, even if the connection is lost.
 * @throws TypeError when an option is missing or malformed, with its name
 */
export function createVisitorClient(options: VisitorClientOptions): VisitorClient {
  checkOptions(options ?? {});
  const client = create(options, () => Promise.resolve(road));
  return settleOnClose({ ...client, upload: (...given) => uploadInto(client, ...given) });
}

/**
 * Reads what the organization chose for its chats: texts, colors, questions, and what visitors may do. Rejects with a VisitorError:
 * `not_found` for an unknown key, `forbidden` for a page whose origin isn't allowed; with a TypeError that names a missing or malformed option.
 */
export async function readSettings(request: SettingsRequest): Promise<WidgetSettings> {
  checkService('readSettings', request ?? {});
  return read(request);
}
