import type pg from 'pg';
import { addressOf } from '../../platform/config/database-url.js';
import { Config, ConfigError, loadConfig } from '../../platform/config/config.js';
import { MIGRATION_NAMES, MIGRATIONS, NO_TIME_LIMITS } from '../../platform/database/data-source.js';
import { DatabaseError } from '../../platform/database/database-error.js';
import { writerClient } from '../../platform/database/hosts.js';
import { findPending, migrate, MIGRATION_LOCK } from '../../platform/database/migrate.js';
import {
  describeWait,
  durationOf,
  MigrationProgress,
  remedyOfWait,
} from '../../platform/database/migrating/migration-progress.js';
import { findLockHolder } from '../../platform/database/migrating/migration-waits.queries.js';
import { examine } from '../../platform/database/properties/examine.js';
import { findFaults } from '../../platform/database/properties/faults.js';
import { optionsOf } from '../../platform/database/properties/settings.js';
import { CliError, EXIT, usage } from '../errors.js';
import { reasonOf } from '../service.js';
import { out } from '../show.js';
import { type Column, renderTable } from '../table.js';
import { toJson } from '../text.js';
import { findIdleSlots, findInvalidIndexes, findTransactions, readSizes } from './obstacles.queries.js';
import { type PlannedStep, planSteps, type StepKind } from './planned-steps.js';

/** The timeout of the connection and of each query, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Bytes of a table per second, on a slow and on a fast machine. Without a row, the step takes a moment. */
const RATES: Partial<Record<StepKind, readonly [slow: number, fast: number]>> = {
  build: [5e6, 100e6],
  read: [50e6, 1e9],
  write: [2e6, 50e6],
};

type Step = PlannedStep & { bytes: number };

interface Obstacle {
  problem: string;
  remedy: string;
}

interface Report {
  database: string;
  pending: readonly string[];
  steps: readonly Step[];
  /** A guess from the sizes, without waits for others. */
  seconds: { min: number; max: number };
  obstacles: readonly Obstacle[];
}

/**
 * Prints what a start of this release would do to the database of DATABASE_URL, and what's in its way now. Changes nothing.
 * @returns the exit code of the process: 0 if nothing is in the way, otherwise 1
 * @throws CliError without DATABASE_URL, or if the database can't be read
 */
export async function checkUpgrade(environment: NodeJS.ProcessEnv, options: { json?: boolean }) {
  const url = urlOf(environment);
  const report = await read(url, Number(environment.DATABASE_POOL_SIZE) || new Config().DATABASE_POOL_SIZE);
  out(options.json ? toJson(report) : linesOf(report).join('\n'));
  return report.obstacles.length > 0 ? EXIT.failed : EXIT.ok;
}

/**
 * Migrates the database of DATABASE_URL, as a start of the service does, and prints what it does and waits for. Reads the same variables.
 *
 * @throws CliError without DATABASE_URL, for another variable that the service would reject, or if the database can't be migrated
 */
export async function upgrade(environment: NodeJS.ProcessEnv): Promise<void> {
  const url = urlOf(environment);
  try {
    const keys = loadConfig(environment);
    const { DATABASE_POOL_SIZE: poolSize, MIGRATION_WAIT_MINUTES: minutes } = keys;
    const faults = await migrate(url, {
      poolSize,
      keys,
      indexWait: minutes * 60_000,
      progress: new MigrationProgress(out),
    });
    for (const { problem, remedy } of faults) out(`${problem}; ${remedy}`);
    out(`${addressOf(url)} has all migrations of this release`);
  } catch (error) {
    if (error instanceof ConfigError) throw usage(error.message);
    if (error instanceof DatabaseError) throw new CliError(EXIT.failed, error.message);
    throw error;
  }
}

function urlOf({ DATABASE_URL: url }: NodeJS.ProcessEnv): string {
  if (!url) throw usage('set DATABASE_URL to the address of the database that you want to upgrade');
  return url;
}

async function read(url: string, poolSize: number): Promise<Report> {
  let close = async (): Promise<void> => undefined;
  try {
    const client = connectTo(url);
    close = () => client.end().catch(() => undefined);
    await client.connect();
    await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY');
    const pending = await findPending(client);
    const steps = await readSteps(client, pending);
    const obstacles = await findObstacles(client, url, poolSize);
    return { database: addressOf(url), pending, steps, seconds: estimate(steps), obstacles };
  } catch (error) {
    throw new CliError(EXIT.failed, `PostgreSQL at ${addressOf(url)} said: ${reasonOf(error)}`);
  } finally {
    await close();
  }
}

function connectTo(url: string): pg.Client {
  const options = `${NO_TIME_LIMITS} ${optionsOf()}`;
  return writerClient(url, { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS, options });
}

// Tables that the upgrade itself creates are empty.
async function readSteps(client: pg.Client, pending: readonly string[]): Promise<Step[]> {
  const wanted = MIGRATIONS.filter(({ name }) => pending.includes(name)).map((Migration) => new Migration());
  const steps = await planSteps(wanted);
  const sizes = await readSizes(client, [...new Set(steps.map(({ table }) => table))]);
  return steps.flatMap((step) => (sizes.has(step.table) ? [{ ...step, bytes: sizes.get(step.table)! }] : []));
}

function estimate(steps: readonly Step[]): { min: number; max: number } {
  const sum = (place: 0 | 1) =>
    steps.reduce(
      (total, { kind, bytes, times }) => total + (RATES[kind] ? (times * bytes) / RATES[kind][place] : 0),
      0,
    );
  return { min: Math.round(sum(1)), max: Math.round(sum(0)) };
}

async function findObstacles(client: pg.Client, url: string, poolSize: number): Promise<Obstacle[]> {
  const connect = async () => connectTo(url).connect();
  const faults = findFaults(await examine(client, { poolSize, migrations: MIGRATION_NAMES, connect }));
  const holder = await findLockHolder(client, MIGRATION_LOCK);
  const [transactions, slots, indexes] = [
    await findTransactions(client),
    await findIdleSlots(client),
    await findInvalidIndexes(client),
  ];
  return [
    ...faults.filter(({ isFatal }) => isFatal).map(({ problem, remedy }) => ({ problem, remedy })),
    ...(holder
      ? [{ problem: `another node migrates: ${describeWait(holder)}`, remedy: 'wait until it has ended' }]
      : []),
    ...transactions
      .filter(({ pid }) => pid !== holder?.pid)
      .map((wait) => ({ problem: `index builds wait for ${describeWait(wait)}`, remedy: remedyOfWait(wait) })),
    ...slots.map(({ name, bytes }) => ({
      problem: `the replication slot ${name} is inactive and keeps ${sizeOf(bytes)} of log; new indexes add more`,
      remedy: `start its standby, or SELECT pg_drop_replication_slot('${name}')`,
    })),
    ...indexes.map(({ name, table }) => ({
      problem: `the index ${name} of ${table} is invalid: its build was interrupted`,
      remedy: `an upgrade that builds it does so again; otherwise DROP INDEX CONCURRENTLY ${name}`,
    })),
  ];
}

const COLUMNS: Column<Step>[] = [
  { title: 'migration', of: ({ migration }) => migration, isFlexible: true },
  { title: 'does', of: ({ action, times }) => (times > 1 ? `${action}, ${times} times` : action) },
  { title: 'table', of: ({ table }) => table },
  { title: 'size', of: ({ bytes }) => sizeOf(bytes) },
  {
    title: 'others',
    of: ({ blocks, kind }) => (blocks ? 'wait until it ends' : kind === 'lock' ? 'wait for a moment' : 'go on'),
  },
];

function linesOf({ database, pending, steps, seconds, obstacles }: Report): string[] {
  const locked = new Set(steps.filter(({ kind, blocks }) => kind === 'lock' || blocks).map(({ table }) => table));
  const built = steps
    .filter(({ kind }) => kind === 'build')
    .reduce((total, { bytes, times }) => total + times * bytes, 0);
  const plan =
    pending.length === 0
      ? [`${database} has all migrations of this release`]
      : [
          `${database}: ${pending.length} of ${MIGRATION_NAMES.length} migrations to do`,
          '',
          ...(steps.length > 0
            ? renderTable(COLUMNS, steps, process.stdout.columns ?? 140)
            : ['They change no existing table.']),
          '',
          `Locks: ${locked.size} tables, each for a moment unless the list says otherwise`,
          `Time:  ${durationOf(seconds.min * 1000)} to ${durationOf(seconds.max * 1000)}, guessed from the sizes. Waits for transactions of others come on top`,
          `Disk:  new indexes take up to ${sizeOf(built)}, and the log as much. SQL can't show how much is free`,
        ];
  const found = obstacles.flatMap(({ problem, remedy }) => [`  ${problem}`, `    → ${remedy}`]);
  return [...plan, '', ...(found.length > 0 ? ['In the way now:', ...found] : ['Nothing is in the way.'])];
}

/** "312 MB". */
function sizeOf(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  const place = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3) - 1, 0), units.length - 1);
  const value = bytes / 1000 ** (place + 1);
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[place]!}`;
}
