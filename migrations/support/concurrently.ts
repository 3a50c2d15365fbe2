import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while others write to its table; only for a migration with `transaction = false`. Has no lock
 * timeout: it waits for every earlier transaction, but blocks no other. Removes the unfinished index of an earlier
 * attempt.
 * @param definition the text after the index's name in CREATE INDEX: `ON messages (…)`
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

/** Removes an index while others use its table, like `createIndexConcurrently`; does nothing when it is not there. */
export async function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query('RESET lock_timeout');
}
