import { encodeCursor } from '../lib/cursor.js';
import { Cursor, QueryInteger } from './validators.js';

export const MAX_PAGE_SIZE = 50;

/** The page size of a list (CONTRACT: Conventions). */
export class PageSizeQuery {
  @QueryInteger(1, MAX_PAGE_SIZE, { default: MAX_PAGE_SIZE, description: 'How many to answer at most' })
  limit: number = MAX_PAGE_SIZE;
}

/** The query of every paged list (CONTRACT: Conventions). */
export class PageQuery extends PageSizeQuery {
  /** The last id of the previous page, decoded. */
  @Cursor()
  cursor?: string;
}

/** About the most bytes of an answer's texts (CONTRACT: Conventions). The first item may have more. */
const MAX_PAGE_BYTES = 1_000_000;

/** The first rows, as many as fit into an answer. @param textOf what makes a row long */
export function fitting<R>(rows: readonly R[], textOf: (row: R) => string): R[] {
  let bytes = 0;
  return rows.filter((row, at) => {
    const isFit = at === 0 || bytes < MAX_PAGE_BYTES;
    bytes += Buffer.byteLength(JSON.stringify(textOf(row)));
    return isFit;
  });
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/**
 * Creates the page. The query requests one row more than `limit`, which shows that a next page exists.
 * @param isCut whether the database has more rows than it returned
 */
export function toPage<R extends { id: string }, T>(
  rows: R[],
  limit: number,
  map: (row: R) => T,
  isCut = false,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasNext = isCut || rows.length > limit;
  return { items: items.map(map), nextCursor: hasNext && last ? encodeCursor(last.id) : null };
}
