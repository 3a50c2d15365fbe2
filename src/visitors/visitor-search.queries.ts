import type { EntityManager } from 'typeorm';
import type { TextPosition } from '../platform/lib/cursor.js';
import { VISITOR_COLUMNS, type VisitorRow } from './visitors.queries.js';

/** A search, and the wanted page of its result. */
export interface VisitorSearch {
  text: string;
  /** Only results after this position. */
  after?: TextPosition;
  limit: number;
}

/** A found visitor, with the text that matched. */
export type FoundVisitor = VisitorRow & { key: string };

/** Visitors with a text that begins with `$2`, in the order of these texts: one range of an index on them. */
const foundBy = (key: string, from: string, to: string, column: string) => `
  (SELECT v.id, ${key} AS key FROM visitors v
   WHERE v.organization_id = $1 AND v.${column} IS NOT NULL AND ${key} >= ${from} AND ${key} < ${to}
     AND (${key}, v.id) > ($4, $5) AND v.erasing_since IS NULL AND v.external_id IS DISTINCT FROM ''
   ORDER BY ${key}, v.id LIMIT $6)`;
const folded = (text: string, column: string) =>
  foundBy(`fold_text(${text}) COLLATE "C"`, 'fold_text($2::text)', 'fold_text($2::text) || $3::text', column);

// Each part has as many rows as the page, so the page has the first rows of all parts. A visitor who is found twice is listed once, by
// the text that sorts first.
const SEARCH = `
  SELECT ${VISITOR_COLUMNS}, f.key FROM (
    SELECT DISTINCT ON (id) id, key FROM (${[
      folded('v.email', 'email'),
      folded('v.name', 'name'),
      folded(`split_part(v.name, ' ', -1)`, 'name'),
      foundBy('v.external_id', '$2::text', '$2::text || $3::text', 'external_id'),
    ].join(' UNION ALL ')}) AS parts ORDER BY id, key
  ) f
  CROSS JOIN LATERAL (SELECT * FROM visitors v WHERE v.organization_id = $1 AND v.id = f.id LIMIT 1) v
  ORDER BY f.key, v.id LIMIT $6`;

/** The highest code point. Every text that begins with a prefix sorts before the prefix followed by it. */
const LAST = '\u{10FFFF}';

/**
 * Finds visitors whose email, name, last word of the name, or external id begins with a text. Only the external id must be written exactly;
 * `foldText` says what's the same in the others.
 */
export function searchVisitors(
  manager: EntityManager,
  organizationId: string,
  { text, after = { key: '', id: '' }, limit }: VisitorSearch,
): Promise<FoundVisitor[]> {
  return manager.query(SEARCH, [organizationId, text, LAST, after.key, after.id, limit]);
}
