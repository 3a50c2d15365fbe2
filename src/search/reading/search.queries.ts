import type { PoolClient } from 'pg';
import type { EntryKind } from '../index/search-entry.entity.js';
import { organizationLexeme, quoted } from '../tokens/lexemes.js';
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
  /** The chats that `q` names. The walk through the matches leaves them out. */
  named: readonly string[];
}

/** The newest row of a chat that matches. */
export interface Hit extends Place {
  chatId: string;
  kind: EntryKind;
  seq: number | null;
}

/** SQL: what a hit has, of the row `e`. */
export const COLUMNS = `e.id, e.chat_id AS "chatId", e.kind, e.seq, e.created_at AS at`;

/**
 * SQL: the chat `c` of each row. LATERAL and OFFSET make the planner look up one chat a row. Otherwise, it may read all chats of the
 * organization.
 * @param id the column with its id
 */
export const chatOf = (id: string) => `
  CROSS JOIN LATERAL (SELECT c.* FROM chats c WHERE c.organization_id = $1 AND c.id = ${id} OFFSET 0) c`;

/** The most rows that a statement reads of the index. */
export const MOST = 20_000;

// Overrides whether the chats of the rarest tag or value are read together, as a list. A statement with many rows must look up each chat
// instead, because it would compare each row with the whole list.
export const withTogether = ({ tags, values, ...filter }: FoundFilter, isRare: boolean): FoundFilter => ({
  ...filter,
  ...(tags && { tags: { ...tags, isRare } }),
  ...(values && { values: { ...values, isRare } }),
});

/** The lexeme of the searcher's organization. */
export const ofOrganization = (who: Searcher) => quoted(organizationLexeme(organizationOf(who)));

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
  const text = `
    WITH named AS MATERIALIZED (
      (${rows} AND e.words @@ ${values.add(`${ofOrganization(who)} & ${named}`)}::tsquery LIMIT ${MOST})
      UNION ${rows} AND e.id = ${values.add(messageId)} AND e.kind IN ('VISITOR', 'BOT', 'AGENT'))
    SELECT c.id FROM named n ${chatOf('n.chat_id')}
    WHERE ${sqlIsFound(values, filter)}
    ORDER BY COALESCE(c.last_message_at, c.created_at) DESC, c.id DESC LIMIT ${MAX_NAMED}`;
  return (await client.query<{ id: string }>(text, values.list)).rows.map(({ id }) => id);
}

/** The ids of these chats that the searcher may open, and that the filter finds. */
export async function findOpen(
  client: PoolClient,
  { who, filter }: Running,
  ids: readonly string[],
): Promise<string[]> {
  const values = new Values(who);
  const text = `
    SELECT c.id FROM unnest(${values.add(ids)}::text[]) AS n (chat_id) ${chatOf('n.chat_id')} WHERE ${sqlIsFound(values, filter)}`;
  return (await client.query<{ id: string }>(text, values.list)).rows.map(({ id }) => id);
}

/** In each of the chats `named`, the newest message or note that matches, or whose id is `messageId`. */
export async function findInChats(client: PoolClient, running: Running, messageId: string): Promise<Hit[]> {
  const { who, filter, words, start, named } = running;
  const values = new Values(who);
  const text = `
    SELECT h.* FROM unnest(${values.add(named)}::text[]) AS f (chat_id) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM search_entries e
      WHERE e.organization_id = $1 AND $2::text IS NOT DISTINCT FROM $2 AND e.chat_id = f.chat_id AND e.kind <> 'CHAT'
        AND (e.words @@ ${values.add(words)}::tsquery OR e.id = ${values.add(messageId)}) IS TRUE
        AND ${sqlMayMatch('e', values, filter, start)}
      ORDER BY e.created_at DESC, e.id DESC LIMIT 1
    ) h`;
  return (await client.query<Hit>(text, values.list)).rows;
}

/** How many names are compared for an edit. */
const MAX_EDITED = 200;

/** Chats whose visitor's name may have an edit, newest first, without the matches of `words`. */
export async function findEdited(
  client: PoolClient,
  { who, filter, words, start, named }: Running,
  edited: string,
): Promise<{ id: string; name: string }[]> {
  const values = new Values(who);
  const text = `
    WITH named AS MATERIALIZED (
      SELECT e.id, e.chat_id, e.created_at FROM search_entries e
      WHERE e.organization_id = $1 AND e.words @@ ${values.add(`${ofOrganization(who)} & ${edited}`)}::tsquery AND e.kind = 'CHAT' LIMIT ${MOST})
    SELECT c.id, v.name FROM named e ${chatOf('e.chat_id')}
    JOIN visitors v ON v.organization_id = $1 AND v.id = c.visitor_id
    WHERE v.name IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM search_entries n
        WHERE n.organization_id = $1 AND n.chat_id = c.id AND (n.words @@ ${values.add(words)}::tsquery) IS TRUE
          AND ${sqlMayMatch('n', values, filter, start)})
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
