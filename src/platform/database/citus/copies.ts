import type { Pool, QueryResultRow } from 'pg';
import { databaseCode } from '../database-problem.js';
import { isDistributed } from './per-organization.js';

const RUN = 'SELECT success, result FROM run_command_on_placements($1, $2)';

/**
 * On a Citus cluster, runs a statement on each copy of a reference table by itself, so that it needs no worker that's down. The copies
 * may differ afterward, so it's only for rows that are soon written again. A statement that is sent as usual changes all copies or none.
 * @param statement returns one value; `%1$s` is the name of the copy
 * @returns the values, and whether every copy was written
 */
export async function writeCopies(
  pool: Pool,
  table: string,
  statement: string,
): Promise<{ results: string[]; isComplete: boolean }> {
  const { rows } = await pool.query<{ success: boolean; result: string }>(RUN, [table, statement]);
  const results = rows.filter(({ success }) => success).map(({ result }) => result);
  if (results.length === 0) throw new Error(rows[0]?.result ?? `${table} has no copy`);
  return { results, isComplete: results.length === rows.length };
}

interface ReferenceQuery {
  name: string;
  text: string;
  values: unknown[];
}

const FIND_OWN = `
  SELECT s.logicalrelid::text AS "table", s.logicalrelid || '_' || s.shardid AS copy
  FROM pg_dist_shard s JOIN pg_dist_partition t ON t.logicalrelid = s.logicalrelid
  JOIN pg_dist_placement p ON p.shardid = s.shardid JOIN pg_dist_local_group own ON own.groupid = p.groupid
  WHERE t.partmethod = 'n' AND t.repmodel = 't'`;
const UNDEFINED_TABLE = '42P01';

/** The names of the coordinator's own copies, by the names of the tables. */
type Copies = ReadonlyMap<string, string>;
const known = new WeakMap<Pool, Copies>();

/**
 * Reads reference tables, for frequent statements. On a Citus cluster, it reads the coordinator's own copies by their names: such a statement
 * is planned once, and Citus would plan it at every call. A write is committed to all copies before it returns, so none is behind.
 * @param pool for reads of reference tables
 */
export async function readReferences<T extends QueryResultRow>(pool: Pool, query: ReferenceQuery): Promise<T[]> {
  if (!isDistributed(pool)) return (await pool.query<T>(query)).rows;
  try {
    const copies = known.get(pool) ?? (await findOwn(pool));
    const text = query.text.replaceAll(
      /\b(FROM|JOIN) (\w+)\b/g,
      (_, word: string, table: string) => `${word} ${copies.get(table) ?? table}`,
    );
    return (await pool.query<T>({ ...query, name: `${query.name} of copies`, text })).rows;
  } catch (error) {
    if (databaseCode(error) !== UNDEFINED_TABLE) throw error;
    // A table was distributed again.
    known.delete(pool);
    return (await pool.query<T>(query)).rows;
  }
}

async function findOwn(pool: Pool): Promise<Copies> {
  const { rows } = await pool.query<{ table: string; copy: string }>(FIND_OWN);
  const copies = new Map(rows.map(({ table, copy }) => [table, copy]));
  known.set(pool, copies);
  return copies;
}
