import { checkOptions } from './client/options.js';
import type { VisitorClient, VisitorClientOptions } from './client/types.js';
import { createVisitorClient as create } from './client/visitor-client.js';

export type * from './client/types.js';
export { type ErrorCode, errorCodes } from '../headless/error-codes.js';
export { askForPerson, introduce, rate } from './client/feedback.js';
export { type Entry, toTimeline } from './panel/conversation/timeline.js';

/**
 * A visitor's side of a chat: each message once and in order, even if the connection is lost.
 * @throws TypeError when an option is missing or malformed, with its name
 */
export function createVisitorClient(options: VisitorClientOptions): VisitorClient {
  checkOptions(options);
  return create(options);
}
