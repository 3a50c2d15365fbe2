import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseCode, toDatabaseProblem } from '../common/database-problem.js';
import { migrationDataSource } from './data-source.js';

/** How long a database that is merely late is awaited, in milliseconds. */
const PATIENCE = 30_000;
/** "prly" as a number: the advisory lock of whoever migrates. */
const MIGRATION_LOCK = 0x70726c79;

/** The database cannot be used; the message is the one line to print. */
export class DatabaseError extends Error {}

/**
 * Waits until the database answers, then brings its schema up to date. Processes that start together take turns.
 * @throws DatabaseError when it refuses, or does not answer within 30 s
 */
export async function migrate(url: string, patience = PATIENCE): Promise<void> {
  const lock = await connect(url, patience);
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const dataSource = await migrationDataSource(url).initialize();
    await dataSource.runMigrations({ transaction: 'each' }).finally(() => dataSource.destroy());
  } catch (error) {
    throw new DatabaseError(`the database could not be migrated: ${(error as Error).message}`);
  } finally {
    await lock.end();
  }
}

async function connect(url: string, patience: number): Promise<pg.Client> {
  const deadline = Date.now() + patience;
  for (;;) {
    let client: pg.Client | undefined;
    try {
      client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    } catch (error) {
      await client?.end().catch(() => undefined);
      if (!isLate(error) || Date.now() > deadline) throw new DatabaseError(explain(error, url));
      await sleep(500);
    }
  }
}

// Refused for good (a wrong password, no such database) is no reason to wait.
function isLate(error: unknown): boolean {
  return toDatabaseProblem(error)?.code === 'unavailable' || /timeout/i.test((error as Error).message);
}

function explain(error: unknown, url: string): string {
  return `DATABASE_URL cannot be used: the database at ${addressOf(url)} said: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return (error as Error).message || databaseCode(error) || 'no answer';
}

// Never with its user and password.
function addressOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return host + pathname;
  } catch {
    return 'an address that cannot be read';
  }
}
