import { checkOptions } from './client/options.js';
import type { VisitorClient, VisitorClientOptions } from './client/types.js';
import { createVisitorClient as create } from './client/visitor-client.js';

export type * from './client/types.js';
export { type ErrorCode, errorCodes } from '../headless/error-codes.js';
export { askForPerson, introduce, listMessageRatings, rate, rateMessage } from './client/feedback.js';
export { readSettings } from './client/settings.js';
export { LANGUAGES as languages, loadWords } from './client/words.js';
export type { PublicWidget as WidgetSettings } from '../headless/visitor-api.js';
export { type Citation, citationsOf } from '../headless/citations.js';
export { choicesOf, openChoices, type Option, optionsOf } from '../headless/options.js';
export { type Picture, pictureOf } from '../headless/picture.js';
export { fill } from '../headless/text.js';
export { isMarkdown, withoutMarks } from '../headless/markdown/marks.js';
export { parseMarkdown } from '../headless/markdown/blocks.js';
export type { Block, Inline } from '../headless/markdown/tree.js';
export { systemWords } from './panel/conversation/senders.js';
export { type Entry, toTimeline } from './panel/conversation/timeline.js';

/**
 * A visitor's side of a chat: each message once and in order, even if the connection is lost.
 * @throws TypeError when an option is missing or malformed, with its name
 */
export function createVisitorClient(options: VisitorClientOptions): VisitorClient {
  checkOptions(options);
  return create(options);
}
