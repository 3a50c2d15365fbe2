import type { Pool } from 'pg';

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
