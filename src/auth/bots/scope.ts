/**
 * What access tokens may do. `read`: read chats and get events. `write`: send messages, typing, and read marks, open and close chats, and
 * keep states. `handover`: transfer chats and take them back. `search`: search the chats of one visitor. `search:all`: search all chats.
 */
export const SCOPES = ['read', 'write', 'handover', 'search', 'search:all'] as const;

export type Scope = (typeof SCOPES)[number];

/** Scopes that a token has only if it names them. */
const NAMED: readonly Scope[] = ['search', 'search:all'];

/** What a token without `scopes` may do. */
export const UNNAMED_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !NAMED.includes(scope));

/** Whether a token may do this. @param scopes null: without `scopes` */
export function hasScope(scopes: readonly Scope[] | null, scope: Scope): boolean {
  return (scopes ?? UNNAMED_SCOPES).includes(scope);
}
