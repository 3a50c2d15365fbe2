export type * from './client/types.js';
export { introduce, rate } from './client/feedback.js';
export { createVisitorClient } from './client/visitor-client.js';
