import type { PoolClient } from 'pg';
import { quoted, segmentLexeme, segmentOf, startOfSegment } from '../tokens/lexemes.js';
import { any } from '../query/tsquery.js';
import { organizationOf, sqlIsFound, sqlMayMatch, Values } from './filters.js';
import {
  chatOf,
  COLUMNS,
  type Hit,
  MOST,
  ofOrganization,
  type Place,
  type Running,
  withTogether,
} from './search.queries.js';

// The hits among these rows, in the order of a page. A subquery with a LIMIT, unlike NOT EXISTS, runs only for the rows of the page.
function hitsOf(rows: string, where: string, { filter, words, start, named }: Running, values: Values): string {
  const newer = `
    SELECT true FROM search_entries n WHERE n.organization_id = $1 AND n.chat_id = e."chatId"
      AND (n.created_at, n.id) > (e.at, e.id) AND (n.words @@ ${values.add(words)}::tsquery) IS TRUE
      AND ${sqlMayMatch('n', values, filter, start)} LIMIT 1`;
  // The rights come first and in order, so that only the rows of the page are compared with newer ones.
  const seen = `
    SELECT ${COLUMNS} FROM (${rows}) e ${chatOf('e.chat_id')}
    WHERE ${where} AND ${sqlMayMatch('e', values, filter, start)}
      AND c.id <> ALL (${values.add(named)}::text[]) AND ${sqlIsFound(values, withTogether(filter, false))}
    ORDER BY e.created_at DESC, e.id DESC OFFSET 0`;
  return `SELECT e.id, e."chatId", e.kind, e.seq, e.at FROM (${seen}) e WHERE (${newer}) IS NULL ORDER BY e.at DESC, e.id DESC`;
}

// The organization's rows before a place, newest first, down to the time where the filter begins.
const rowsBefore = ({ at, id }: Place, { filter: { from } }: Running, values: Values) => `
  FROM search_entries s
  WHERE s.organization_id = $1 AND $2::text IS NOT DISTINCT FROM $2 AND (s.created_at, s.id) < (${values.add(at)}, ${values.add(id)})
    ${from ? `AND s.created_at >= ${values.add(from)}` : ''}
  ORDER BY s.created_at DESC, s.id DESC`;

/** The place of the last of `count` rows before a place; null if there are fewer rows. */
export async function findEndOfRows(
  client: PoolClient,
  running: Running,
  before: Place,
  count: number,
): Promise<Place | null> {
  const values = new Values(running.who);
  const text = `
    SELECT s.created_at AS at, s.id ${rowsBefore(before, running, values)} OFFSET ${count - 1} LIMIT 1`;
  return (await client.query<Place>(text, values.list)).rows[0] ?? null;
}

/** The matches among the `count` rows before a place, which are read in their order. Common words fill a page this way. */
export async function findInRows(
  client: PoolClient,
  running: Running,
  before: Place,
  count: number,
  limit: number,
): Promise<Hit[]> {
  const values = new Values(running.who);
  const rows = `SELECT s.* ${rowsBefore(before, running, values)} LIMIT ${count}`;
  const hits = hitsOf(rows, `e.words @@ ${values.add(running.words)}::tsquery`, running, values);
  return (await client.query<Hit>(`${hits} LIMIT ${values.add(limit)}`, values.list)).rows;
}

/** The time of the organization's oldest row, or the beginning of the filter if that's later; null without rows. */
export async function findFirst(client: PoolClient, { who, filter: { from } }: Running): Promise<Date | null> {
  const text = `SELECT s.created_at AS at FROM search_entries s WHERE s.organization_id = $1 ORDER BY s.created_at, s.id LIMIT 1`;
  const { rows } = await client.query<{ at: Date }>(text, [organizationOf(who)]);
  const oldest = rows[0]?.at ?? null;
  return oldest && from && from > oldest ? from : oldest;
}

/** A stretch of time: its segments from the newest; null: all rows of the organization. */
export type Stretch = number[] | null;

/** The most segments of a stretch. A longer one reads all rows of the organization instead. */
export const MOST_SEGMENTS = 54;

/** The segment of the rows right before a place. For the beginning of a segment, that's the previous segment. */
export const segmentBefore = ({ at, id }: Place) => segmentOf(id === '' ? new Date(at.getTime() - 1) : at);

/**
 * The stretch that begins at a place.
 * @param size how many segments it has at most
 * @param first the time of the first row
 */
export function stretchFrom(place: Place, size: number, first: Date): Stretch {
  const newest = segmentBefore(place);
  const length = Math.min(size, Math.max(1, newest - segmentOf(first) + 1));
  return length > MOST_SEGMENTS ? null : Array.from({ length }, (_, index) => newest - index);
}

/** The end of a stretch, where the next, older one begins. Null for the last stretch. */
export function endOf(segments: Stretch, first: Date): Place | null {
  if (segments === null) return null;
  const at = startOfSegment(segments.at(-1)!);
  return at <= first ? null : { at, id: '' };
}

interface MatchesOfStretch {
  hits: Hit[];
  /** How many rows match, counted up to `MOST + 1`. With more than `MOST`, `hits` is empty. */
  read: number;
}

/** The matches in a stretch of time before a place, by the index of words. */
export async function findInStretch(
  client: PoolClient,
  running: Running,
  segments: Stretch,
  before: Place,
  limit: number,
): Promise<MatchesOfStretch> {
  const values = new Values(running.who);
  const organizationId = organizationOf(running.who);
  const place =
    segments === null
      ? ofOrganization(running.who)
      : any(segments.map((segment) => quoted(segmentLexeme(organizationId, segment))));
  const end = segments === null ? '-infinity' : startOfSegment(segments.at(-1)!);
  const matches = `
    SELECT s.id, s.chat_id, s.kind, s.seq, s.created_at FROM search_entries s
    WHERE s.organization_id = $1 AND s.words @@ ${values.add(`${place} & ${running.words}`)}::tsquery LIMIT ${MOST + 1}`;
  const where = `
    (SELECT n.read FROM counted n) <= ${MOST} AND (e.created_at, e.id) < (${values.add(before.at)}, ${values.add(before.id)})
      AND e.created_at >= ${values.add(end)}::timestamptz`;
  const hits = hitsOf('SELECT * FROM matches', where, running, values);
  const text = `
    WITH matches AS MATERIALIZED (${matches}), counted AS MATERIALIZED (SELECT count(*)::integer AS read FROM matches)
    SELECT n.read, h.* FROM counted n LEFT JOIN (${hits} LIMIT ${values.add(limit)}) h ON true ORDER BY h.at DESC, h.id DESC`;
  const { rows } = await client.query<Hit & { read: number }>(text, values.list);
  // Without hits, there's one row, with only the number that was read.
  return { hits: rows.filter(({ id }) => id !== null), read: rows[0]!.read };
}
