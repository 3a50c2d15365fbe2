import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AuditAction, type AuditedKind, actionOf } from './audit-action.js';

/** A field's old and new value; null: none. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** Fields that no person sets, or that contain part of a secret. */
const UNRECORDED: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'lastUsedAt',
  'lastFour',
  'hasSubscription',
  'hasConnection',
  'health',
  'disabledReason',
  'previousSecretExpiresAt',
]);

/** Fields with an address that may contain a secret. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'avatarUrl', 'verifyUrl']);

/** The most characters of a value that are stored. */
const MAX_LENGTH = 2_000;

/** Fields that differ between two views of a thing, without secrets. @param before null if added @param after null if removed */
export function changesBetween(before: object | null, after: object | null): FieldChange[] {
  const [then, now] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  return Object.keys(after ?? then!)
    .filter((field) => !UNRECORDED.has(field))
    .map((field) => ({ field, from: then![field] ?? null, to: now![field] ?? null }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
    .map(({ field, from, to }) => ({ field, from: kept(field, from), to: kept(field, to) }));
}

/** Groups changes by action, because some fields have an action of their own. */
export function byAction(kind: AuditedKind, changes: readonly FieldChange[]): [AuditAction, FieldChange[]][] {
  const actions = changes.map(({ field, to }) => actionOf(kind, field, to));
  return [...new Set(actions)].map((action) => [action, changes.filter((_, at) => actions[at] === action)]);
}

/** The hexadecimal digits of a path's SHA-256 that are stored: enough to tell paths apart. */
const DIGITS = 8;

/**
 * An address as it's recorded: the origin, and the first digits of the path's SHA-256. Every part but the origin may contain a
 * secret. Query, user, and password may be guessable, so they aren't hashed either.
 */
export function recordedAddress(address: string): string {
  if (!URL.canParse(address)) return '';
  const { origin, pathname } = new URL(address);
  if (pathname === '/') return origin;
  return `${origin}/…${createHash('sha256').update(pathname).digest('hex').slice(0, DIGITS)}`;
}

function kept(field: string, value: unknown): unknown {
  return shortened(withoutSecrets(field, value));
}

function withoutSecrets(field: string, value: unknown): unknown {
  if (typeof value === 'string') return ADDRESSES.has(field) ? recordedAddress(value) : value;
  if (!(value instanceof Object) || Array.isArray(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutSecrets(name, part)]));
}

function shortened(value: unknown): unknown {
  const characters = Array.from(typeof value === 'string' ? value : JSON.stringify(value));
  return characters.length <= MAX_LENGTH ? value : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}
