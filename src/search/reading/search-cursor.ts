import { createHash } from 'node:crypto';
import { isId } from '../../platform/lib/ids.js';
import type { SearchFilter } from './filters.js';
import type { Place } from './search.queries.js';

/** Where a search continues. */
export interface SearchState {
  /** When its first page began. */
  start: Date;
  /** The chats that `q` names; null if they haven't been searched yet. */
  named: string[] | null;
  /** How many of them the pages so far have returned. */
  had: number;
  /** The walk through the matches continues with the ones before this place; null when it has ended. */
  before: Place | null;
  /** The chats with an edited name that no page has returned yet; null if they haven't been searched yet. */
  edited: string[] | null;
}

/** The most characters of a cursor, which may hold 20 chats that `q` names and 20 with an edited name. */
export const MAX_CURSOR = 4_000;

/** The state of a first page. `~` sorts after every id, so the walk begins with all rows up to `now`. */
export function firstState(now: Date): SearchState {
  return { start: now, named: null, had: 0, before: { at: now, id: '~' }, edited: null };
}

interface Encoded {
  of: string;
  start: number;
  named: string[] | null;
  had: number;
  at: number | null;
  id: string;
  edited: string[] | null;
}

/** The cursor of a search. It works for the same words and filter only. */
export function encodeState({ start, before, ...state }: SearchState, text: string, filter: SearchFilter): string {
  const encoded: Encoded = {
    of: digest(text, filter),
    start: start.getTime(),
    at: before?.at.getTime() ?? null,
    id: before?.id ?? '',
    ...state,
  };
  return Buffer.from(JSON.stringify(encoded)).toString('base64url');
}

/** The state in a cursor; undefined if the cursor is malformed or another search's. */
export function decodeState(cursor: string, text: string, filter: SearchFilter): SearchState | undefined {
  try {
    const { of, start, named, had, at, id, edited } = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as Encoded;
    const isRight =
      of === digest(text, filter) &&
      isTime(start) &&
      (at === null || isTime(at)) &&
      isIds(named) &&
      isIds(edited) &&
      Number.isInteger(had) &&
      had >= 0 &&
      (id === '' || id === '~' || isId(id));
    if (!isRight) return undefined;
    return { start: new Date(start), named, had, before: at === null ? null : { at: new Date(at), id }, edited };
  } catch {
    return undefined;
  }
}

/** The beginning of year 1: PostgreSQL knows no much earlier time. In milliseconds since 1970. */
const FIRST_TIME = -62_135_596_800_000;
/** How far ahead of this node's clock another node's may be, in milliseconds. */
const CLOCKS_DIFFER_MS = 86_400_000;

function isTime(value: unknown): boolean {
  return (
    Number.isSafeInteger(value) && (value as number) >= FIRST_TIME && (value as number) < Date.now() + CLOCKS_DIFFER_MS
  );
}

const isIds = (value: unknown) =>
  value === null ||
  (Array.isArray(value) && value.length <= 20 && value.every((id) => typeof id === 'string' && isId(id)));

function digest(text: string, filter: SearchFilter): string {
  const given = JSON.stringify([text, Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(given).digest('base64url').slice(0, 16);
}
