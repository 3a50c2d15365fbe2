import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseCode, isTransient, toDatabaseProblem } from './database-problem.js';
import { migrationDataSource } from './data-source.js';

/** How long a database that is merely late is awaited, in milliseconds. */
const PATIENCE = 30_000;
/** "prly" as a number: the advisory lock of whoever migrates. */
const MIGRATION_LOCK = 0x70726c79;
/** How often a process that is not the first looks whether it is its turn, in milliseconds. */
const TURN_INTERVAL = 200;
/** How long a migration is tried again while others use its tables, in milliseconds, and the pause between two tries. */
const LOCK_PATIENCE = 120_000;
const LOCK_PAUSE = 1_000;

/** The database cannot be used; the message is the one line to print. */
export class DatabaseError extends Error {}

/**
 * Waits until the database answers, then brings its schema up to date, while nodes of the release before serve on it
 * (docs/upgrading.md). Processes that start together take turns, however long the first one needs.
 * @throws DatabaseError when it refuses, does not answer within 30 s, or is too busy to be changed for two minutes
 */
export async function migrate(url: string, patience = PATIENCE, lockPatience = LOCK_PATIENCE): Promise<void> {
  const lock = await connect(url, patience);
  try {
    await waitForTurn(lock);
    await runPending(url, Date.now() + lockPatience);
    await lock.query('COMMIT');
  } catch (error) {
    throw new DatabaseError(`the database could not be migrated: ${(error as Error).message}`);
  } finally {
    await lock.end();
  }
}

// Whoever holds the turn does so for as long as its transaction is open: a pooler in between must not hand the connection
// to another meanwhile, and the server must not end it because it is idle, but must notice soon that we are gone.
const HOLD = `
  SELECT set_config(s.name, s.value, true) FROM pg_settings JOIN (VALUES ('idle_in_transaction_session_timeout', '0'),
    ('transaction_timeout', '0'), ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'),
    ('tcp_keepalives_count', '3')) AS s (name, value) USING (name)`;

// Asks again and again rather than wait in the database: who waits there holds a snapshot, and an index that is built
// concurrently by whoever has the turn waits for all snapshots, so neither would ever end. Nor may the turn itself hold
// one, as it would where transactions are REPEATABLE READ unless they say otherwise.
async function waitForTurn(lock: pg.Client): Promise<void> {
  for (;;) {
    await lock.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const { rows } = await lock.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]!.taken) break;
    await lock.query('ROLLBACK');
    await sleep(TURN_INTERVAL);
  }
  await lock.query(HOLD);
}

// A change that does not get its table within a second lets those who queued behind it pass, and tries again.
async function runPending(url: string, deadline: number): Promise<void> {
  const dataSource = await migrationDataSource(url).initialize();
  try {
    for (;;) {
      const error = await dataSource.runMigrations().then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) return;
      if (!isTransient(error) || Date.now() > deadline) throw error;
      await sleep(LOCK_PAUSE);
    }
  } finally {
    await dataSource.destroy();
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
