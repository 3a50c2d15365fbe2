import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseError } from './database-error.js';
import { claimKey, refuseOtherKey } from './key/key-check.js';
import { explainConnection, remedyOf } from './properties/connecting.js';
import { examine } from './properties/examine.js';
import { type Fault, findFaults, MIN_VERSION, TOO_OLD } from './properties/faults.js';
import { optionsOf, READ_SESSION, type Session } from './properties/settings.js';
import { isTransient, refusesForGood, toDatabaseProblem } from './database-problem.js';
import { MIGRATION_NAMES, migrationDataSource, NO_TIME_LIMITS, PLANNING } from './data-source.js';
import type { SecretKeys } from '../lib/secrets.js';
import { distribute, prepareSession } from './citus/distribute.js';
import { NoWriterError, writerClient } from './hosts.js';

/** How long to wait for a database that is still starting. */
const CONNECT_TIMEOUT_MS = 30_000;
/** "prly" as a number: the advisory lock of the process that migrates. */
const MIGRATION_LOCK = 0x70726c79;
/** How often other processes try to get the lock. */
const LOCK_INTERVAL_MS = 200;
/** How long to retry a migration while others use its tables, and the pause between two attempts. */
const LOCK_TIMEOUT_MS = 120_000;
const RETRY_INTERVAL_MS = 1_000;

interface MigrateOptions {
  /** The most connections of the service. */
  poolSize?: number;
  /** The keys that have to be the database's; left out, none is checked. */
  keys?: SecretKeys;
  connectTimeout?: number;
  lockTimeout?: number;
}

/**
 * Waits until the database responds, checks what Parley takes for granted, and migrates its schema. Nodes of the previous release may
 * keep using the database (docs/operate/upgrades.md). Processes that start together take turns, each waiting without a limit for the
 * one before it.
 * @returns what isn't right but lets Parley work
 * @throws DatabaseError when the database rejects the connection, doesn't respond within 30 s, can't be used, has another SECRET_KEY,
 * or stays too busy to change for 120 s
 */
export async function migrate(
  url: string,
  { poolSize = 1, keys, connectTimeout = CONNECT_TIMEOUT_MS, lockTimeout = LOCK_TIMEOUT_MS }: MigrateOptions = {},
): Promise<Fault[]> {
  const lock = await connect(url, connectTimeout);
  try {
    const session = await readSession(lock);
    await waitForLock(lock);
    const faults = await check(lock, url, poolSize);
    const read = async (text: string, values?: unknown[]) => (await lock.query(text, values)).rows as never;
    if (keys) await refuseOtherKey(read, keys);
    await runPending(url, session, Date.now() + lockTimeout);
    if (keys) await claimKey(read, keys);
    await lock.query('COMMIT');
    return faults;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`the database could not be migrated: ${(error as Error).message}`);
  } finally {
    await lock.end();
  }
}

async function readSession(client: pg.Client): Promise<Session> {
  const session = (await client.query<Session>(READ_SESSION)).rows[0]!;
  if (session.version >= MIN_VERSION) return session;
  throw new DatabaseError(`DATABASE_URL: it's PostgreSQL ${Math.floor(session.version / 10_000)}; ${TOO_OLD}`);
}

/** @throws DatabaseError whose message names the property that makes the database unusable, and the remedy */
async function check(client: pg.Client, url: string, poolSize: number) {
  const findings = await examine(client, {
    poolSize,
    migrations: MIGRATION_NAMES,
    connect: () => connect(url, CONNECT_TIMEOUT_MS),
  });
  const faults = findFaults(findings);
  const [first] = faults;
  if (first?.isFatal) throw new DatabaseError(`DATABASE_URL: ${first.problem}; ${first.remedy}`);
  return faults;
}

// An open transaction holds the lock, so a pooler in between must not give the connection to another client. These
// settings keep the server from ending the idle transaction, and let it notice quickly that this process has exited.
const KEEP_LOCK = `
  SELECT set_config(s.name, s.value, true) FROM pg_settings JOIN (VALUES ('idle_in_transaction_session_timeout', '0'),
    ('transaction_timeout', '0'), ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'),
    ('tcp_keepalives_count', '3')) AS s (name, value) USING (name)`;

// Polls instead of waiting in the database. A waiting statement holds a snapshot, and the lock's holder may be building
// an index concurrently, which waits for all snapshots, so neither would ever finish. The lock's own transaction must
// not hold a snapshot either, as it would where REPEATABLE READ is the default.
async function waitForLock(lock: pg.Client): Promise<void> {
  for (;;) {
    await lock.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const { rows } = await lock.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]!.taken) break;
    await lock.query('ROLLBACK');
    await sleep(LOCK_INTERVAL_MS);
  }
  await lock.query(KEEP_LOCK);
}

// A change fails when it doesn't get its table lock within a second, so that queued statements proceed. Then it's
// retried.
async function runPending(url: string, session: Session, deadline: number): Promise<void> {
  const dataSource = await migrationDataSource(url, session).initialize();
  try {
    for (;;) {
      const error = await migrateOnce(dataSource).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) return;
      if (!isTransient(error) || Date.now() > deadline) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Runs the pending migrations of a data source, whose only connection they share. */
export async function migrateOnce(dataSource: DataSource): Promise<void> {
  await prepareSession((text, values) => dataSource.query(text, values));
  await dataSource.runMigrations();
  const runner = dataSource.createQueryRunner();
  await distribute(runner).finally(() => runner.release());
}

async function connect(url: string, connectTimeout: number): Promise<pg.Client> {
  const deadline = Date.now() + connectTimeout;
  for (;;) {
    let client: pg.Client | undefined;
    try {
      const options = `${PLANNING} ${NO_TIME_LIMITS} ${optionsOf()}`;
      client = writerClient(url, { connectionTimeoutMillis: 5_000, application_name: 'parley', options });
      await client.connect();
      return client;
    } catch (error) {
      await client?.end().catch(() => undefined);
      if (!mayStillStart(error) || Date.now() > deadline) throw new DatabaseError(explainConnection(error, url));
      await sleep(500);
    }
  }
}

// A permanent rejection (wrong password, unknown database) isn't retried, unless another host may still start.
function mayStillStart(error: unknown): boolean {
  if (error instanceof NoWriterError && error.reasons.length > 0) return error.reasons.some(mayStillStart);
  if (error instanceof NoWriterError) return !error.isForGood;
  if (refusesForGood(error) || remedyOf(error, '') !== '') return false;
  return toDatabaseProblem(error)?.code === 'unavailable' || /timeout/i.test((error as Error).message);
}
