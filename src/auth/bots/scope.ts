/**
 * What access tokens may do. `read`: read chats and get events. `write`: send messages, typing, and read marks, open and close chats, and
 * keep states. `handover`: transfer chats and take them back.
 */
export const SCOPES = ['read', 'write', 'handover'] as const;

export type Scope = (typeof SCOPES)[number];
