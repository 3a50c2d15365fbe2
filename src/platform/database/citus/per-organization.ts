import { Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { shardsOf } from './shards.js';
import { type SilentWorkers, WorkerSilentError } from './silent-workers.js';

/** A statement about rows of several organizations. */
interface SeveralQuery {
  name: string;
  text: string;
  values: readonly unknown[];
  /**
   * The places of the values that are arrays with an entry per item: for each kind of item, the place of the organizations' ids first.
   * By default, all values are arrays of one kind.
   */
  items?: readonly (readonly number[])[];
  /**
   * If a worker of a Citus cluster can't be reached, it gets the error of each item of the first kind by its place from 0, and the others'
   * rows are returned. Without it, or if all fail, the call fails.
   */
  failures?: Map<number, Error>;
  /**
   * Whether organizations on one shard of a Citus cluster share a statement. For frequent statements that only read: a failure
   * concerns all organizations of the shard.
   */
  sharesShards?: boolean;
}

/** How many organizations' statements run at the same time, so that they leave connections for others. */
const CONCURRENCY = 4;

/**
 * Runs a statement about rows of several organizations: one statement on one PostgreSQL. On a Citus cluster, one for each
 * organization or shard, because only a statement that compares `organization_id` with a parameter goes to one shard. A column `ordinal`
 * of the result counts the items from 1.
 */
export async function queryOrganizations<T extends QueryResultRow>(pool: Pool, query: SeveralQuery): Promise<T[]> {
  const { name, text, values, sharesShards } = query;
  if (!isDistributed(pool)) return (await pool.query<T>({ name, text, values: [...values] })).rows;
  const parameter = values.length + 1;
  const statement = sharesShards
    ? { name: `${name} of shard`, text: ofShard(text, parameter) }
    : { name: `${name} of one`, text: ofOne(text, parameter) };
  const parts = sharesShards ? await splitByShard(pool, query) : splitByOrganization(query);
  return forEachPart(query, parts, async (part) => {
    const { rows } = await pool
      .query<T & { ordinal?: number }>({ ...statement, values: part.values })
      .catch((error: unknown) => {
        // The shard may be divided since it was read.
        if (sharesShards) shardsOf(pool).forget();
        throw error;
      });
    return rows.map((row) =>
      row.ordinal === undefined ? row : { ...row, ordinal: part.places[row.ordinal - 1]! + 1 },
    );
  });
}

/** The part of a statement about several organizations that one of them has. */
export interface PartOfOne {
  /** A connection in a transaction. */
  client: PoolClient;
  organizationId: string;
  query: QueryConfig;
}

/**
 * Runs `work` in a transaction for each organization of a statement. On a Citus cluster, a statement that inserts rows that depend on
 * others becomes several ones, which need only the worker with the organization.
 */
export function transactOrganizations<T>(
  pool: Pool,
  query: SeveralQuery,
  work: (part: PartOfOne) => Promise<T[]>,
): Promise<T[]> {
  const { name, values } = query;
  const text = ofOne(query.text, values.length + 1);
  return forEachPart(query, splitByOrganization(query), ({ organizationIds: [organizationId], values: own }) =>
    transact(pool, (client) =>
      work({ client, organizationId: organizationId!, query: { name: `${name} of one`, text, values: own } }),
    ),
  );
}

/** Runs `work` in a transaction of a connection. */
async function transact<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // The connection may be lost. Closing it ends the transaction.
    client.release(error as Error);
    throw error;
  }
}

async function forEachPart<T>(
  query: SeveralQuery,
  parts: readonly Part[],
  work: (part: Part) => Promise<T[]>,
): Promise<T[]> {
  const limit = pLimit(CONCURRENCY);
  const results = await Promise.allSettled(parts.map((part) => limit(() => work(part))));
  const rejected = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ error: result.reason as Error, places: parts[index]!.places }] : [],
  );
  if (rejected.length > 0 && (!query.failures || rejected.length === parts.length)) throw rejected[0]!.error;
  for (const { error, places } of rejected) {
    warnOfWorker(error);
    for (const place of places) query.failures!.set(place, error);
  }
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

/** Restricts the rows of a table, by its alias, to one or several organizations. */
export type IsOf = (alias: string) => string;
const IS_OF_ALL: IsOf = () => 'true';

/** A statement about rows of all organizations. */
interface EverywhereQuery {
  name?: string;
  /** The statement, with the condition that `isOf` gives for the alias of a table. */
  text: (isOf: IsOf) => string;
  values: readonly unknown[];
  /** Called if the organizations of a worker are left out. */
  onLeftOut?: (error: Error) => void;
}

const FIND_WORKERS = `
  SELECT array_agg(o.id) AS ids FROM organizations o
  JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('chats', o.id)
  GROUP BY p.groupid`;

/**
 * Runs a statement about rows of all organizations. If that fails on a Citus cluster, it runs for each worker's organizations, so that a
 * worker that can't be reached leaves out only its own. The rows are then in the order of each worker, and a LIMIT is one of each worker.
 */
export async function queryEverywhere<T extends QueryResultRow>(pool: Pool, query: EverywhereQuery): Promise<T[]> {
  const { name, text, values, onLeftOut } = query;
  const ofAll = text(IS_OF_ALL);
  try {
    if (silentWorkersOf(pool)?.hasAny) throw new WorkerSilentError('a worker of the cluster is silent');
    return (await pool.query<T>({ name, text: ofAll, values: [...values] })).rows;
  } catch (error) {
    const isOfWorker: IsOf = (alias) => `${alias}.organization_id = ANY ($${values.length + 1}::text[])`;
    const ofWorker = alsoInSubqueries(text(isOfWorker), isOfWorker);
    if (!isDistributed(pool) || ofWorker === ofAll) throw error;
    const { rows: workers } = await pool.query<{ ids: string[] }>(FIND_WORKERS);
    const results = await Promise.allSettled(
      workers.map(({ ids }) => pool.query<T>({ text: ofWorker, values: [...values, ids] })),
    );
    const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (answers.length === 0) throw error;
    warnOfWorker(error);
    onLeftOut?.(error as Error);
    return answers.flatMap(({ rows }) => rows);
  }
}

/** Restricts each table that the text joins by its organization. A cluster applies a condition to subqueries only if they have it too. */
function alsoInSubqueries(text: string, isOf: IsOf): string {
  return text.replaceAll(
    /\b(\w+)\.organization_id = \w+\.organization_id\b/g,
    (condition, alias: string) => `(${condition} AND ${isOf(alias)})`,
  );
}

/** Rows of one kind in all organizations: a condition without parameters on the columns of a table. The table is `r`. */
export interface RowKind {
  table: string;
  condition: string;
}

/**
 * Finds out which kinds have rows. On a Citus cluster, one statement asks all shards. On one PostgreSQL, the statement of each
 * kind finds out itself, so all kinds are returned without asking.
 */
export async function findKinds<K extends string>(
  pool: Pool,
  name: string,
  kinds: Record<K, RowKind>,
): Promise<Set<K>> {
  const all = Object.keys(kinds) as K[];
  if (!isDistributed(pool)) return new Set(all);
  const rowsOf = (kind: K, isOf: IsOf) => {
    const { table, condition } = kinds[kind];
    return `SELECT organization_id, '${kind}' AS kind FROM ${table} r WHERE ${condition} AND ${isOf('r')}`;
  };
  const text = (isOf: IsOf) =>
    `SELECT DISTINCT kind FROM (${all.map((kind) => rowsOf(kind, isOf)).join(' UNION ALL ')}) AS found`;
  const rows = await queryEverywhere<{ kind: K }>(pool, { name, text, values: [] });
  return new Set(rows.map(({ kind }) => kind));
}

const logger = new Logger('Cluster');
/** Sweeps run every second, and requests at any time. */
const WARNING_INTERVAL_MS = 60_000;
let warnedAt = -Infinity;

function warnOfWorker(err: unknown): void {
  if (performance.now() - warnedAt < WARNING_INTERVAL_MS) return;
  warnedAt = performance.now();
  logger.warn({ err }, 'a worker of the cluster failed; its organizations are left out for now');
}

/** A statement that finds its rows in all organizations, and locks them. */
interface SweepQuery extends EverywhereQuery {
  name: string;
  /** Finds the organizations (`id`) with such rows, by the same values. */
  find: (isOf: IsOf) => string;
  /** Called if the statement fails for an organization. By default, it's left out. */
  onError?: (error: Error) => void;
}

/**
 * Runs a statement that finds its rows in all organizations. On a Citus cluster, it reads which organizations have such rows, from all
 * shards, and then runs for each of them, because rows can be locked on one shard only.
 */
export async function sweepOrganizations<T extends QueryResultRow>(
  pool: Pool,
  { name, text, values, find, onError = warnOfWorker }: SweepQuery,
): Promise<T[]> {
  if (!isDistributed(pool)) return (await pool.query<T>({ name, text: text(IS_OF_ALL), values: [...values] })).rows;
  const organizations = await queryEverywhere<{ id: string }>(pool, { text: find, values });
  const parameter = values.length + 1;
  const own = ofOne(
    text((alias) => `${alias}.organization_id = $${parameter}`),
    parameter,
  );
  const limit = pLimit(CONCURRENCY);
  const parts = organizations.map(({ id }) =>
    limit(async () => {
      try {
        return (await pool.query<T>({ name: `${name} of one`, text: own, values: [...values, id] })).rows;
      } catch (error) {
        onError(error as Error);
        return [];
      }
    }),
  );
  return (await Promise.all(parts)).flat();
}

/** Whether the database of a pool, or of one of its connections, is a Citus cluster. */
export function isDistributed(client: Pool | PoolClient): boolean {
  const { isDistributed: own, options } = client as { isDistributed?: boolean; options?: { isDistributed?: boolean } };
  return (own ?? options?.isDistributed) === true;
}

function silentWorkersOf(pool: Pool): SilentWorkers | undefined {
  return (pool.options as { silentWorkers?: SilentWorkers }).silentWorkers;
}

interface Part {
  organizationIds: readonly string[];
  /** The values with the items of these organizations, and the id of the one or the ids of all. */
  values: unknown[];
  /** The places of the first kind's items. */
  places: number[];
}

function splitByOrganization(query: SeveralQuery): Part[] {
  const ids = organizationsOf(query);
  // Without items, a statement still takes its time: an attacker measures it when signing in.
  return (ids.length > 0 ? ids : ['']).map((id) => partOf(query, [id], id));
}

async function splitByShard(pool: Pool, query: SeveralQuery): Promise<Part[]> {
  const shards = shardsOf(pool);
  const ids = organizationsOf(query);
  const places = await Promise.all(ids.map((id) => shards.of(id)));
  return Array.from(new Set(places), (shard) => {
    const together = ids.filter((_, index) => places[index] === shard);
    return partOf(query, together, together);
  });
}

const kindsOf = ({ values, items = [values.map((_, place) => place)] }: SeveralQuery) => items;

function organizationsOf(query: SeveralQuery): string[] {
  return [...new Set(kindsOf(query).flatMap(([first]) => query.values[first!] as string[]))];
}

/** @param last the last value, which the statement compares with `organization_id` */
function partOf(query: SeveralQuery, organizationIds: readonly string[], last: unknown): Part {
  const { values } = query;
  const ids = new Set(organizationIds);
  const own: unknown[] = [...values, last];
  const kinds = kindsOf(query).map((kind) => {
    const owners = values[kind[0]!] as string[];
    const places = owners.flatMap((owner, place) => (ids.has(owner) ? [place] : []));
    for (const value of kind) own[value] = places.map((place) => (values[value] as unknown[])[place]);
    return places;
  });
  return { organizationIds, values: own, places: kinds[0]! };
}

/** The statement for organizations on one shard, the parameter of this number. */
function ofShard(text: string, parameter: number): string {
  return alsoInSubqueries(text, (alias) => `${alias}.organization_id = ANY ($${parameter}::text[])`);
}

const texts = new Map<string, string>();

/** The statement for one organization, the parameter of this number. */
function ofOne(text: string, parameter: number): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const own = forOrganization(text, `$${parameter}`);
  texts.set(text, own);
  return own;
}

/** Compares `organization_id` with this expression, wherever the text compares it with another row's or a list. */
function forOrganization(text: string, organization: string): string {
  return text
    .replaceAll(/\b(\w+\.organization_id = )\w+\.organization_id\b/g, (_, column: string) => column + organization)
    .replaceAll(
      /\b(\w+\.organization_id = )(ANY \(\$\d+::text\[\]\))/g,
      (_, column: string, list: string) => `(${column}${organization} AND ${organization} = ${list})`,
    );
}
