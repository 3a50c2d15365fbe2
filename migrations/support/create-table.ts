import type { QueryRunner } from 'typeorm';

/**
 * Creates a table, with its keys. On a Citus cluster, a table can't refer to a distributed one before it's distributed itself, so Citus
 * isn't asked here: the service distributes the table after the migrations (`platform/database/citus/distribute.ts`). On one PostgreSQL,
 * the setting has no effect. If the statement fails, the next try begins with the default.
 * @param statement one CREATE TABLE, and nothing else
 */
export async function createTable(runner: QueryRunner, statement: string): Promise<void> {
  const propagate = (value: 'on' | 'off') =>
    runner.query(`SELECT set_config('citus.enable_ddl_propagation', '${value}', false)`);
  await propagate('off');
  await runner.query(statement);
  await propagate('on');
}

/** Runs statements in order, and a CREATE TABLE as `createTable` does. */
export async function createAll(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    if (statement.startsWith('CREATE TABLE')) await createTable(runner, statement);
    else await runner.query(statement);
  }
}
