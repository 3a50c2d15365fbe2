import pg from 'pg';
import { MIGRATION_NAMES } from '../../platform/database/data-source.js';
import { findEmbeddedPostgres } from '../../platform/database/embedded-postgres.js';
import { reasonOf } from '../service.js';
import { addressOf, type Check, failed, ok, warning } from './check.js';

const NAME = 'database';
/** PostgreSQL 15, as `server_version_num` has it. */
const OLDEST = 150_000;
/** Milliseconds to wait for a connection, and for an answer. */
const PATIENCE = 5_000;

/** The database as it is seen from here. */
export interface Database {
  checks: Check[];
  /** How far its clock is ahead of ours, in milliseconds. */
  clockAhead?: number;
  /** Whether it holds this organization; undefined when it cannot be asked. */
  hasOrganization?: (id: string) => Promise<boolean>;
  close(): Promise<void>;
}

/** Looks at the database; where the service is elsewhere and nothing here names one, that is no failure. */
export async function checkDatabase(environment: NodeJS.ProcessEnv, isServiceUp: boolean): Promise<Database> {
  const directory = environment.DATA_DIR || './data';
  let url: string | null = null;
  try {
    url = environment.DATABASE_URL || (await findEmbeddedPostgres(directory));
  } catch (error) {
    return without(failed(NAME, `${directory}: ${reasonOf(error)}`, 'run this as the user of the service'));
  }
  if (url) return look(url);
  const nothing = `DATABASE_URL is not set, and no embedded PostgreSQL is running under ${directory}`;
  if (!isServiceUp) return without(failed(NAME, nothing, 'start the service: it starts its database too'));
  return without(warning(NAME, `left out: ${nothing}`, 'run this where the service runs, with its variables'));
}

async function look(url: string): Promise<Database> {
  let close = async (): Promise<void> => undefined;
  try {
    // Throws for an address that cannot be read.
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE, query_timeout: PATIENCE });
    close = () => client.end().catch(() => undefined);
    client.on('error', () => undefined);
    await client.connect();
    const { clockAhead, check } = await checkServer(client, url);
    const checks = [check, await checkMigrations(client)];
    const hasOrganization = async (id: string) =>
      (await client.query('SELECT FROM organizations WHERE id = $1', [id])).rowCount === 1;
    return { checks, clockAhead, hasOrganization, close };
  } catch (error) {
    await close();
    const advice = 'see that PostgreSQL runs and that DATABASE_URL has the right host, user, password and name';
    return without(failed(NAME, `PostgreSQL at ${addressOf(url)} said: ${reasonOf(error)}`, advice));
  }
}

async function checkServer(client: pg.Client, url: string): Promise<{ check: Check; clockAhead: number }> {
  const before = Date.now();
  const { rows } = await client.query<{ number: number; version: string; now: Date }>(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version,
            clock_timestamp() AS now`,
  );
  const [after, { number, version, now }] = [Date.now(), rows[0]!];
  const detail = `PostgreSQL ${version} at ${addressOf(url)} answers in ${after - before} ms`;
  const check =
    number >= OLDEST ? ok(NAME, detail) : failed(NAME, detail, 'upgrade it: Parley needs PostgreSQL 15 or newer');
  return { check, clockAhead: now.getTime() - (before + after) / 2 };
}

async function checkMigrations(client: pg.Client): Promise<Check> {
  const name = 'migrations';
  const restart = 'start the service once with this database: it migrates at start';
  let done: string[];
  try {
    done = (await client.query<{ name: string }>('SELECT name FROM migrations')).rows.map((row) => row.name);
  } catch {
    return failed(name, 'the database has no schema of Parley', `${restart}; or correct DATABASE_URL`);
  }
  const missing = MIGRATION_NAMES.filter((one) => !done.includes(one));
  const foreign = done.filter((one) => !MIGRATION_NAMES.includes(one));
  if (missing.length === MIGRATION_NAMES.length && foreign.length > 0) {
    return failed(name, 'the database has the schema of something else', 'correct DATABASE_URL');
  }
  if (missing.length > 0) return failed(name, `missing: ${missing.join(', ')}`, restart);
  if (foreign.length === 0) return ok(name, `all ${done.length} are done`);
  return warning(name, `unknown here: ${foreign.join(', ')}`, 'a newer Parley made them: run its version here too');
}

function without(check: Check): Database {
  return { checks: [check], close: async () => undefined };
}
