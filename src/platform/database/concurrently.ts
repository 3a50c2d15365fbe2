import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while others write to its table. Only in a migration with `transaction = false`. It waits for every
 * transaction that began before it, in nobody's way, so without a limit; what an earlier try left unfinished is removed.
 * @param definition what follows the index's name in CREATE INDEX: `ON messages (…)`
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  name: string,
  definition: string,
  { isUnique = false } = {},
): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  const unfinished: unknown[] = await runner.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  if (unfinished.length > 0) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  await runner.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY IF NOT EXISTS ${name} ${definition}`);
  await runner.query('RESET lock_timeout');
}
