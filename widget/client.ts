export type * from './client/types.js';
export { createVisitorClient } from './client/visitor-client.js';
