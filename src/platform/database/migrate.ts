import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { DatabaseError } from './database-error.js';
import { claimRelease } from './migrating/release.js';
import { claimKey, refuseOtherKey } from './key/key-check.js';
import { explainConnection, remedyOf } from './properties/connecting.js';
import { examine } from './properties/examine.js';
import { type Fault, findFaults, MIN_VERSION, TOO_OLD } from './properties/faults.js';
import { optionsOf, READ_SESSION, type Session } from './properties/settings.js';
import { isTransient, refusesForGood, toDatabaseProblem } from './database-problem.js';
import { MIGRATION_NAMES, migrationDataSource, NO_TIME_LIMITS, PLANNING } from './data-source.js';
import type { SecretKeys } from '../lib/secrets.js';
import { distribute, prepareSession } from './citus/distribute.js';
import { describeWait, durationOf, MigrationProgress, remedyOfWait } from './migrating/migration-progress.js';
import { findLockHolder } from './migrating/migration-waits.queries.js';
import { MigrationWatch } from './migrating/migration-watch.js';
import { NoWriterError, writerClient } from './hosts.js';

/** How long to wait for a database that is still starting. */
const CONNECT_TIMEOUT_MS = 30_000;
/** "prly" as a number: the advisory lock of the process that migrates. */
export const MIGRATION_LOCK = 0x70726c79;
/** How often other processes try to get the lock. */
const LOCK_INTERVAL_MS = 200;
/** How long to retry each migration while others use its tables, and the pause between two attempts. */
const LOCK_TIMEOUT_MS = 120_000;
const RETRY_INTERVAL_MS = 1_000;
/** How long building an index waits for the transactions of others, if nothing else is configured. */
const INDEX_WAIT_MS = 60 * 60_000;
/** How often a line says what the start waits for. */
const REPORT_INTERVAL_MS = 10_000;

interface MigrateOptions {
  /** The most connections of the service. */
  poolSize?: number;
  /** The keys that have to be the database's; left out, none is checked. */
  keys?: SecretKeys;
  connectTimeout?: number;
  /** Milliseconds that each migration may wait for tables, and an index build for each transaction of others. */
  lockTimeout?: number;
  indexWait?: number;
  /** Milliseconds between two lines about what the start waits for. */
  reportInterval?: number;
  progress?: MigrationProgress;
}

/**
 * Waits until the database responds, checks what Parley takes for granted, and migrates its schema. Nodes of the previous release may
 * keep using the database (docs/operate/upgrades.md). Processes that start together take turns, each waiting without a limit for the
 * one before it.
 * @returns what isn't right but lets Parley work
 * @throws DatabaseError when the database rejects the connection, doesn't respond within 30 s, can't be used, needs a newer release, has another
 * SECRET_KEY, or stays too busy for one of the migrations for 120 s. It names the migration, what it waited for, and the remedy
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<Fault[]> {
  const { poolSize = 1, keys, connectTimeout = CONNECT_TIMEOUT_MS, reportInterval = REPORT_INTERVAL_MS } = options;
  const progress = options.progress ?? new MigrationProgress();
  const lock = await connect(url, connectTimeout);
  try {
    const session = await readSession(lock);
    await waitForLock(lock, progress, reportInterval);
    const faults = await check(lock, url, poolSize);
    const read = async (text: string, values?: unknown[]) => (await lock.query(text, values)).rows as never;
    if (keys) await refuseOtherKey(read, keys);
    const pending = await findPending(lock);
    progress.start(pending, pending.length === MIGRATION_NAMES.length);
    await runPending(url, session, pending.length > 0, { ...options, progress, reportInterval });
    progress.finish();
    if (keys) await claimKey(read, keys);
    await claimRelease(read);
    await lock.query('COMMIT');
    return faults;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(explainFailure(error as Error, progress));
  } finally {
    await lock.end();
  }
}

function explainFailure(error: Error, progress: MigrationProgress): string {
  const failed = 'the database could not be migrated';
  if (progress.blocked === null) return `${failed}: ${error.message}`;
  const { name, wait } = progress.blocked;
  if (wait === null || !isTransient(error)) return `${failed}: ${name}: ${error.message}`;
  const waited = `${name} has waited for ${durationOf(progress.elapsed)} (${error.message}) for ${describeWait(wait)}`;
  return `${failed}: ${waited}. Nothing is half-done: ${remedyOfWait(wait)}, and start Parley again`;
}

/** The names of the migrations that a database doesn't have, in order; changes nothing. */
export async function findPending(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query(`SELECT FROM pg_class WHERE oid = to_regclass('migrations')`);
  if (found.length === 0) return [...MIGRATION_NAMES];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
  const done = new Set(rows.map(({ name }) => name));
  return MIGRATION_NAMES.filter((name) => !done.has(name));
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
async function waitForLock(lock: pg.Client, progress: MigrationProgress, interval: number): Promise<void> {
  for (let reportedAt = performance.now() - interval; ;) {
    await lock.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const { rows } = await lock.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]!.taken) break;
    await lock.query('ROLLBACK');
    if (performance.now() - reportedAt >= interval) {
      progress.waitsForNode(await findLockHolder(lock, MIGRATION_LOCK));
      reportedAt = performance.now();
    }
    await sleep(LOCK_INTERVAL_MS);
  }
  await lock.query(KEEP_LOCK);
}

// A change fails when it doesn't get its table lock within a second, so that queued statements proceed. Then it's
// retried. Each migration has the whole time.
async function runPending(url: string, session: Session, hasPending: boolean, options: RunOptions): Promise<void> {
  const { progress, lockTimeout = LOCK_TIMEOUT_MS, indexWait = INDEX_WAIT_MS } = options;
  const dataSource = await migrationDataSource(url, session, indexWait).initialize();
  observe(dataSource, progress);
  const watch = hasPending ? await watchOver(dataSource, url, options) : null;
  try {
    for (;;) {
      const error = await migrateOnce(dataSource).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) return;
      if (!isTransient(error) || progress.elapsed > lockTimeout) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  } finally {
    await watch?.stop();
    await dataSource.destroy();
  }
}

type RunOptions = MigrateOptions & { progress: MigrationProgress; reportInterval: number };

// The instances are shared by all data sources of the process, so they stay as they are.
function observe(dataSource: DataSource, progress: MigrationProgress): void {
  const migrations = dataSource.migrations.map((migration) => {
    const up = (runner: QueryRunner) => {
      progress.begin(migration.constructor.name);
      return migration.up(runner);
    };
    return Object.assign(Object.create(migration) as MigrationInterface, { up });
  });
  Object.assign(dataSource, { migrations });
}

async function watchOver(dataSource: DataSource, url: string, options: RunOptions): Promise<MigrationWatch> {
  const [{ pid }] = (await dataSource.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
  const client = await connect(url, CONNECT_TIMEOUT_MS);
  return new MigrationWatch(client, pid, options.progress, options.reportInterval).start();
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
