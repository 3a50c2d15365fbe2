import type { PoolClient } from 'pg';
import type { EntryKind } from '../index/search-entry.entity.js';
import { organizationLexeme, quoted, segmentLexeme, segmentOf, startOfSegment } from '../tokens/lexemes.js';
import { any } from '../query/tsquery.js';
import { organizationOf, type FoundFilter, type Searcher, sqlIsFound, sqlMayMatch, Values } from './filters.js';

/** A place in the order of a search: newest first. */
export interface Place {
  at: Date;
  id: string;
}

/** A search while it runs. */
export interface Running {
  who: Searcher;
  filter: FoundFilter;
  /** The words, as the text of a `tsquery`. */
  words: string;
  /** When its first page began. Later matches don't count. */
  start: Date;
  /** The chats that it has had. */
  named: readonly string[];
}

/** The newest row of a chat that matches. */
export interface Hit extends Place {
  chatId: string;
  kind: EntryKind;
  seq: number | null;
}

/** The rows that are read one after the other, before the index of words is used. Common words fill a page with them. */
const NEWEST = 2_000;
/** How many segments of time are read together, newest first. Then come all others. */
const STRETCHES = [2, 6, 24];

const COLUMNS = `e.id, e.chat_id AS "chatId", e.kind, e.seq, e.created_at AS at`;

// Whether the chats of a tag or value are read together, or each chat is looked up. Joined to many rows, a list of chats is compared
// with each of them.
const withTogether = ({ tags, values, ...filter }: FoundFilter, isRare: boolean): FoundFilter => ({
  ...filter,
  ...(tags && { tags: { ...tags, isRare } }),
  ...(values && { values: { ...values, isRare } }),
});

// The rows of a page in its order. `IS TRUE` and `+ interval` keep the planner from reading the wrong index.
function hitsOf(rows: string, { filter, words, start, named }: Running, values: Values, limit: number): string {
  const tsquery = `${values.add(words)}::tsquery`;
  const newer = `
    SELECT FROM search_entries n WHERE n.organization_id = $1 AND n.chat_id = e."chatId"
      AND (n.created_at, n.id) > (e.created_at, e.id) AND (n.words @@ ${tsquery}) IS TRUE
      AND ${sqlMayMatch('n', values, filter, start)}`;
  // The rights come first and in order, so that only the rows of the page are compared with newer ones.
  const seen = `
    SELECT ${COLUMNS}, e.organization_id, e.created_at FROM (${rows}) e JOIN chats c ON c.organization_id = $1 AND c.id = e.chat_id
    WHERE e.words @@ ${tsquery} AND ${sqlMayMatch('e', values, filter, start)}
      AND c.id <> ALL (${values.add(named)}::text[]) AND ${sqlIsFound(values, withTogether(filter, false))}
    ORDER BY e.created_at DESC, e.id DESC OFFSET 0`;
  return `
    SELECT e.id, e."chatId", e.kind, e.seq, e.at FROM (${seen}) e WHERE NOT EXISTS (${newer})
    ORDER BY e.created_at DESC, e.id DESC LIMIT ${values.add(limit)}`;
}

const BEFORE = (at: string, id: string) => `s.organization_id = $1 AND (s.created_at, s.id) < (${at}, ${id})`;

/** Where the newest rows end that are read without the index of words; null if no further rows exist. */
export async function findEndOfNewest(client: PoolClient, who: Searcher, before: Place): Promise<Place | null> {
  const text = `
    SELECT s.created_at AS at, s.id FROM search_entries s WHERE ${BEFORE('$2', '$3')}
    ORDER BY s.created_at DESC, s.id DESC OFFSET ${NEWEST - 1} LIMIT 1`;
  const { rows } = await client.query<Place>(text, [organizationOf(who), before.at, before.id]);
  return rows[0] ?? null;
}

/** The matches among the newest rows before a place. */
export async function findInNewest(client: PoolClient, running: Running, before: Place, limit: number): Promise<Hit[]> {
  const values = new Values(running.who);
  const rows = `
    SELECT s.* FROM search_entries s WHERE ${BEFORE(values.add(before.at), values.add(before.id))}
    ORDER BY s.created_at DESC, s.id DESC LIMIT ${NEWEST}`;
  const text = hitsOf(rows, running, values, limit);
  return (await client.query<Hit>(text, values.list)).rows;
}

/** A stretch of time: its segments from the newest; null: all. */
export interface Stretch {
  segments: number[] | null;
}

/** The stretches from a place on, newest first. Each is larger than the one before it, so that the last words take few statements. */
export function stretchesFrom({ at }: Place): Stretch[] {
  let next = segmentOf(at);
  const stretches = STRETCHES.map((count) => ({ segments: Array.from({ length: count }, () => next--) }));
  return [...stretches, { segments: null }];
}

/** The end of a stretch: what follows is older. Null after the last. */
export function endOf({ segments }: Stretch): Place | null {
  return segments === null ? null : { at: startOfSegment(segments.at(-1)!), id: '' };
}

/** The matches in a stretch of time before a place, by the index of words. */
export async function findInStretch(
  client: PoolClient,
  running: Running,
  stretch: Stretch,
  before: Place,
  limit: number,
): Promise<Hit[]> {
  const values = new Values(running.who);
  const organizationId = organizationOf(running.who);
  const { segments } = stretch;
  const end = endOf(stretch);
  const place =
    segments === null
      ? ofOrganization(running.who)
      : any(segments.map((segment) => quoted(segmentLexeme(organizationId, segment))));
  const rows = `
    SELECT s.* FROM search_entries s
    WHERE s.organization_id = $1 AND s.words @@ ${values.add(`${place} & ${running.words}`)}::tsquery
      AND (s.created_at + interval '0 s', s.id) < (${values.add(before.at)}, ${values.add(before.id)})
      AND s.created_at + interval '0 s' >= ${values.add(end?.at ?? '-infinity')}::timestamptz OFFSET 0`;
  const text = hitsOf(rows, running, values, limit);
  return (await client.query<Hit>(text, values.list)).rows;
}

const ofOrganization = (who: Searcher) => quoted(organizationLexeme(organizationOf(who)));

/** The most chats that `q` names. */
const MAX_NAMED = 20;

/** The chats that `q` names: by an id, or by a visitor's whole name, address, or external id. */
export async function findNamed(
  client: PoolClient,
  { who, filter }: Running,
  named: string,
  messageId: string,
): Promise<string[]> {
  const values = new Values(who);
  const rows = `SELECT e.chat_id FROM search_entries e WHERE e.organization_id = $1`;
  // The few rows are found first: PostgreSQL would read every chat for them.
  const text = `
    WITH named AS MATERIALIZED (
      ${rows} AND e.words @@ ${values.add(`${ofOrganization(who)} & ${named}`)}::tsquery
      UNION ${rows} AND e.id = ${values.add(messageId)} AND e.kind IN ('VISITOR', 'BOT', 'AGENT'))
    SELECT c.id FROM named n JOIN chats c ON c.organization_id = $1 AND c.id = n.chat_id
    WHERE ${sqlIsFound(values, filter)}
    ORDER BY COALESCE(c.last_message_at, c.created_at) DESC, c.id DESC LIMIT ${MAX_NAMED}`;
  return (await client.query<{ id: string }>(text, values.list)).rows.map(({ id }) => id);
}

/** The newest message or note of each of these chats that matches, or is the one that `q` names. */
export async function findInChats(client: PoolClient, running: Running, messageId: string): Promise<Hit[]> {
  const { who, filter, words, start, named } = running;
  const values = new Values(who);
  const text = `
    SELECT DISTINCT ON (e.chat_id) ${COLUMNS} FROM search_entries e
    WHERE e.organization_id = $1 AND $2::text IS NOT DISTINCT FROM $2 AND e.chat_id = ANY (${values.add(named)}::text[]) AND e.kind <> 'CHAT'
      AND (e.words @@ ${values.add(words)}::tsquery OR e.id = ${values.add(messageId)}) IS TRUE
      AND ${sqlMayMatch('e', values, filter, start)}
    ORDER BY e.chat_id, e.created_at DESC, e.id DESC`;
  return (await client.query<Hit>(text, values.list)).rows;
}

/** How many names are compared for an edit. */
const MAX_EDITED = 200;

/** Chats whose visitor's name may have an edit, newest first, without the matches of `words`. */
export async function findEdited(
  client: PoolClient,
  { who, filter, words, named }: Running,
  edited: string,
): Promise<{ id: string; name: string }[]> {
  const values = new Values(who);
  const text = `
    WITH named AS MATERIALIZED (
      SELECT e.id, e.chat_id, e.created_at FROM search_entries e
      WHERE e.organization_id = $1 AND e.words @@ ${values.add(`${ofOrganization(who)} & ${edited}`)}::tsquery AND e.kind = 'CHAT')
    SELECT c.id, v.name FROM named e
    JOIN chats c ON c.organization_id = $1 AND c.id = e.chat_id
    JOIN visitors v ON v.organization_id = $1 AND v.id = c.visitor_id
    WHERE v.name IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM search_entries n
        WHERE n.organization_id = $1 AND n.chat_id = c.id AND (n.words @@ ${values.add(words)}::tsquery) IS TRUE)
      AND c.id <> ALL (${values.add(named)}::text[]) AND ${sqlIsFound(values, filter)}
    ORDER BY e.created_at DESC, e.id DESC LIMIT ${MAX_EDITED}`;
  return (await client.query<{ id: string; name: string }>(text, values.list)).rows;
}

/** The chats of a filter, by their last message, newest first. */
export async function findByFilter(
  client: PoolClient,
  { who, filter, start }: Running,
  before: Place,
  limit: number,
): Promise<Place[]> {
  const values = new Values(who);
  const at = 'COALESCE(c.last_message_at, c.created_at)';
  const { from, to } = filter;
  const text = `
    SELECT c.id, ${at} AS at FROM chats c
    WHERE c.organization_id = $1 AND (${at}, c.id) < (${values.add(before.at)}, ${values.add(before.id)}) AND ${at} <= ${values.add(start)}
      ${from ? `AND ${at} >= ${values.add(from)}` : ''} ${to ? `AND ${at} < ${values.add(to)}` : ''}
      AND ${sqlIsFound(values, withTogether(filter, true))}
    ORDER BY at DESC, c.id DESC LIMIT ${values.add(limit)}`;
  return (await client.query<Place>(text, values.list)).rows;
}
