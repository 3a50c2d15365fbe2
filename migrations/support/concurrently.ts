import type { QueryRunner } from 'typeorm';

// The limit of each wait for another transaction. The service sets it; an hour is its default too.
const LIMIT_WAITS = `SELECT set_config('lock_timeout', COALESCE(NULLIF(current_setting('parley.index_wait', true), ''), '1h'), false)`;

/**
 * Builds an index while others write to its table; only for a migration with `transaction = false`. It waits for every
 * earlier transaction, an hour at most for each, but blocks no other. Removes the unfinished index of an earlier
 * attempt.
 * @param definition the text after the index's name in CREATE INDEX: `ON messages (…)`
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  name: string,
  definition: string,
  { isUnique = false } = {},
): Promise<void> {
  await patiently(runner, async () => {
    const unfinished: unknown[] = await runner.query(
      'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
      [name],
    );
    if (unfinished.length > 0) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY IF NOT EXISTS ${name} ${definition}`);
  });
}

/** Removes an index while others use its table, like `createIndexConcurrently`; does nothing when it is not there. */
export async function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  await patiently(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

// What comes after a failure must not wait as long.
async function patiently(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  await runner.query(LIMIT_WAITS);
  try {
    await work();
  } finally {
    await runner.query('RESET lock_timeout');
  }
}
