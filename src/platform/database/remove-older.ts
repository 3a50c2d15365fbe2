import type { Pool } from 'pg';

/** The most rows of one statement. */
const BATCH = 1_000;

/**
 * Removes the rows of a table whose time is before `before`, on all organizations, the oldest first. It leaves out rows that
 * another node is removing.
 * @param table a table with an index on `column`; part of the statement, as `column` is
 */
export async function removeOlder(pool: Pool, table: string, column: string, before: Date): Promise<void> {
  const statement = `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${column} < $1 ORDER BY ${column} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
  while ((await pool.query(statement, [before])).rowCount === BATCH);
}
