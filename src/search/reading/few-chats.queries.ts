import type { PoolClient } from 'pg';
import { chatColumns, sqlHasAttributes } from '../../chats/reading/attributes-sql.js';
import { seenAs } from '../../chats/model/chat-rights.js';
import { sqlHasTags } from '../../chats/reading/tags-sql.js';
import { sqlIsEndedOf, sqlIsFound, sqlMayMatch, Values } from './filters.js';
import { chatOf, COLUMNS, type Hit, MOST, type Place, type Running, withTogether } from './search.queries.js';

/** The most chats whose rows are read one chat after the other. */
const FEW = 2_000;

/** SQL: conditions that an index supports. Each chat that the search can find meets at least one of them. */
type Source = (values: Values) => string[];

// The parts of a filter, and the rights, that may leave few chats.
function sourcesOf({ who, filter }: Running): Source[] {
  const { visitorId, tags, values: attributes, agentId, groupId, status } = withTogether(filter, true);
  const sources: (Source | false | undefined | '')[] = [
    visitorId && ((values) => [`c.visitor_id = ${values.add(visitorId)}`]),
    filter.tags?.isRare && ((values) => [sqlHasTags(tags!, 'c.id', (value) => values.add(value))]),
    filter.values?.isRare &&
      ((values) => [sqlHasAttributes(attributes!, chatColumns('c'), (value) => values.add(value))]),
    // The order makes the planner read the index of agents' ended chats.
    agentId &&
      ((values) => [
        `c.agent_id = ${values.add(agentId)}`,
        `${sqlIsEndedOf('c', values.add(agentId))} ORDER BY c.status_changed_at, c.id`,
      ]),
    groupId && ((values) => [`c.group_id = ${values.add(groupId)}`]),
    status && ((values) => [`c.status = ${values.add(status)}`]),
    'agent' in who &&
      seenAs(who.agent) !== null &&
      (() => [
        'c.agent_id = $2',
        'c.group_id = ANY (ARRAY(SELECT s.group_id FROM agent_groups s WHERE s.organization_id = $1 AND s.agent_id = $2))',
      ]),
  ];
  return sources.filter((source) => typeof source === 'function');
}

const chatsOf = (conditions: readonly string[]) =>
  conditions
    .map(
      (condition) => `
        (SELECT c.id, c.message_count FROM chats c WHERE c.organization_id = $1 AND c.erased_at IS NULL AND ${condition} LIMIT ${FEW + 1})`,
    )
    .join(' UNION ALL ');

/** The first source with at most `FEW` chats and at most `MOST` messages; null if there's none. */
export async function findFew(client: PoolClient, running: Running): Promise<Source | null> {
  for (const source of sourcesOf(running)) {
    const values = new Values(running.who);
    const text = `
      SELECT count(*) <= ${FEW} AND COALESCE(sum(c.message_count), 0) <= ${MOST} AS "areFew"
      FROM (${chatsOf(source(values))}) c WHERE $2::text IS NOT DISTINCT FROM $2`;
    const [row] = await queryInOrder<{ areFew: boolean }>(client, text, values);
    if (row!.areFew) return source;
  }
  return null;
}

// A bitmap scan would read all chats of a source before the LIMIT applies.
async function queryInOrder<Row extends object>(client: PoolClient, text: string, { list }: Values): Promise<Row[]> {
  await client.query('SET LOCAL enable_bitmapscan = off');
  const { rows } = await client.query<Row>(text, list);
  await client.query('SET LOCAL enable_bitmapscan = on');
  return rows;
}

/** The newest match of each chat of a source, if that match is before a place. */
export async function findInFew(
  client: PoolClient,
  running: Running,
  source: Source,
  before: Place,
  limit: number,
): Promise<Hit[]> {
  const { who, filter, words, start, named } = running;
  const values = new Values(who);
  const text = `
    WITH few AS MATERIALIZED (SELECT DISTINCT f.id FROM (${chatsOf(source(values))}) f)
    SELECT h.* FROM few f ${chatOf('f.id')} CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM search_entries e
      WHERE e.organization_id = $1 AND e.chat_id = c.id AND (e.words @@ ${values.add(words)}::tsquery) IS TRUE
        AND ${sqlMayMatch('e', values, filter, start)}
      ORDER BY e.created_at DESC, e.id DESC LIMIT 1
    ) h
    WHERE (h.at, h.id) < (${values.add(before.at)}, ${values.add(before.id)})
      AND c.id <> ALL (${values.add(named)}::text[]) AND ${sqlIsFound(values, withTogether(filter, false))}
    ORDER BY h.at DESC, h.id DESC LIMIT ${values.add(limit)}`;
  return queryInOrder(client, text, values);
}
