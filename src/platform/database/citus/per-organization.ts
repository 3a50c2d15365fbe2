import pLimit from 'p-limit';
import type { Pool, PoolClient, QueryResultRow } from 'pg';

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
}

/** How many organizations' statements run at the same time, so that they leave connections for others. */
const CONCURRENCY = 4;

/**
 * Runs a statement about rows of several organizations: one statement on one PostgreSQL. On a Citus cluster, one for each
 * organization, because only a statement that compares `organization_id` with a parameter goes to one shard. A column `ordinal` of
 * the result counts the items from 1.
 */
export async function queryOrganizations<T extends QueryResultRow>(pool: Pool, query: SeveralQuery): Promise<T[]> {
  const { name, text, values } = query;
  if (!isDistributed(pool)) return (await pool.query<T>({ name, text, values: [...values] })).rows;
  const limit = pLimit(CONCURRENCY);
  const parts = splitByOrganization(query).map((part) =>
    limit(async () => {
      const one = { name: `${name} of one`, text: ofOne(text, values.length + 1), values: part.values };
      const { rows } = await pool.query<T & { ordinal?: number }>(one);
      return rows.map((row) =>
        row.ordinal === undefined ? row : { ...row, ordinal: part.places[row.ordinal - 1]! + 1 },
      );
    }),
  );
  return (await Promise.all(parts)).flat();
}

/** A statement that finds its rows in all organizations, and locks them. */
interface SweepQuery {
  name: string;
  /** The statement. `isOf` gives the condition that a table's alias has to meet. */
  text: (isOf: (alias: string) => string) => string;
  values: readonly unknown[];
  /** Finds the organizations (`id`) with such rows, by the same values. */
  find: string;
}

/**
 * Runs a statement that finds its rows in all organizations. On a Citus cluster, it reads which organizations have such rows, from all
 * shards, and then runs for one after the other, because rows can be locked on one shard only.
 */
export async function sweepOrganizations<T extends QueryResultRow>(
  pool: Pool,
  { name, text, values, find }: SweepQuery,
): Promise<T[]> {
  if (!isDistributed(pool)) return (await pool.query<T>({ name, text: text(() => 'true'), values: [...values] })).rows;
  const { rows: organizations } = await pool.query<{ id: string }>(find, [...values]);
  const parameter = values.length + 1;
  const own = ofOne(
    text((alias) => `${alias}.organization_id = $${parameter}`),
    parameter,
  );
  const found: T[] = [];
  for (const { id } of organizations) {
    found.push(...(await pool.query<T>({ name: `${name} of one`, text: own, values: [...values, id] })).rows);
  }
  return found;
}

/** Whether the database of a pool, or of one of its connections, is a Citus cluster. */
export function isDistributed(client: Pool | PoolClient): boolean {
  const { isDistributed: own, options } = client as { isDistributed?: boolean; options?: { isDistributed?: boolean } };
  return (own ?? options?.isDistributed) === true;
}

interface Part {
  /** The values with the items of one organization, and its id. */
  values: unknown[];
  /** The places of the first kind's items. */
  places: number[];
}

function splitByOrganization({ values, items = [values.map((_, place) => place)] }: SeveralQuery): Part[] {
  const ids = new Set(items.flatMap(([first]) => values[first!] as string[]));
  // Without items, a statement still takes its time: an attacker measures it when signing in.
  return Array.from(ids.size > 0 ? ids : [''], (id) => {
    const own: unknown[] = [...values, id];
    const kinds = items.map((kind) => {
      const owners = values[kind[0]!] as string[];
      const places = owners.flatMap((owner, place) => (owner === id ? [place] : []));
      for (const value of kind) own[value] = places.map((place) => (values[value] as unknown[])[place]);
      return places;
    });
    return { values: own, places: kinds[0]! };
  });
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

/** Compares `organization_id` with this expression, wherever the text compares it with another row's. */
export function forOrganization(text: string, organization: string): string {
  return text.replaceAll(
    /\b(\w+\.organization_id = )\w+\.organization_id\b/g,
    (_, column: string) => column + organization,
  );
}
