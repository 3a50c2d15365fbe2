import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AuditAction, type AuditedKind, actionOf } from './audit-action.js';

/** What a field was, and what it is now; null where there was or is nothing. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** What no person sets, or what is a part of a secret. */
const UNRECORDED: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'lastUsedAt',
  'lastFour',
  'hasSubscription',
  'disabledReason',
  'previousSecretExpiresAt',
]);

/** The fields with an address that may carry a secret. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'avatarUrl']);

/** The most characters that are kept of a value. */
const MAX_LENGTH = 2_000;

/** The fields in which two views of a thing differ, without secrets. @param before null for one that was added @param after null for one that was removed */
export function changesBetween(before: object | null, after: object | null): FieldChange[] {
  const [then, now] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  return Object.keys(after ?? then!)
    .filter((field) => !UNRECORDED.has(field))
    .map((field) => ({ field, from: then![field] ?? null, to: now![field] ?? null }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
    .map(({ field, from, to }) => ({ field, from: kept(field, from), to: kept(field, to) }));
}

/** The changes by their actions: some fields have an action of their own. */
export function byAction(kind: AuditedKind, changes: readonly FieldChange[]): [AuditAction, FieldChange[]][] {
  const actions = changes.map(({ field, to }) => actionOf(kind, field, to));
  return [...new Set(actions)].map((action) => [action, changes.filter((_, at) => actions[at] === action)]);
}

/** The hexadecimal digits of a path's SHA-256 that are kept: enough to see that two paths differ, and from which one to the other. */
const DIGITS = 8;

/**
 * An address as it is recorded: the origin, and the beginning of the SHA-256 of the path. Secrets are put into all other parts, the
 * path included. Query, user and password may be guessable, so they are in no hash.
 */
export function recordedAddress(address: string): string {
  if (!URL.canParse(address)) return '';
  const { origin, pathname } = new URL(address);
  if (pathname === '/') return origin;
  return `${origin}/…${createHash('sha256').update(pathname).digest('hex').slice(0, DIGITS)}`;
}

function kept(field: string, value: unknown): unknown {
  const isAddress = ADDRESSES.has(field) && typeof value === 'string';
  return shortened(isAddress ? recordedAddress(value) : value);
}

function shortened(value: unknown): unknown {
  const characters = Array.from(typeof value === 'string' ? value : JSON.stringify(value));
  return characters.length <= MAX_LENGTH ? value : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}
