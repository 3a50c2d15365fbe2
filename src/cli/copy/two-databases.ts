import pg from 'pg';
import { parametersOf } from '../../platform/config/database-connection.js';
import { addressOf, hostsOf } from '../../platform/config/database-url.js';
import { MIGRATION_NAMES, NO_TIME_LIMITS } from '../../platform/database/data-source.js';
import { writerClient } from '../../platform/database/hosts.js';
import { READ_CHECK } from '../../platform/database/key/key-check.js';
import { EARLIER_SCHEMA, isEarlierSchema } from '../../platform/database/properties/faults.js';
import { optionsOf } from '../../platform/database/properties/settings.js';
import { CliError, EXIT, usage } from '../errors.js';
import { reasonOf } from '../service.js';
import type { CopiedSecrets } from './copied-secrets.js';

/** The timeout of a connection, in milliseconds. */
const TIMEOUT_MS = 10_000;
const OPTIONS = `${NO_TIME_LIMITS} ${optionsOf()}`;
const HOW_TO_MIGRATE = 'start this release once with it and DRILL=1 (docs/operate/backup.md#inspect-a-copy)';

/** Connects to the database of the service. @throws CliError if this release or SECRET_KEY don't fit it */
export async function openTarget(url: string, secrets: CopiedSecrets): Promise<pg.Client> {
  const name = `the service's database (${addressOf(url)})`;
  const config = { application_name: 'parley-copy', connectionTimeoutMillis: TIMEOUT_MS, options: OPTIONS };
  return connect(name, writerClient(url, config), async (client) => {
    await checkSchema(client, name, 'start this release with it');
    const sealed = await readKeyCheck(client);
    if (sealed.length === 0 || secrets.judge('target', sealed) === 'other')
      throw new CliError(EXIT.failed, `SECRET_KEY isn't the key of ${name}: set it to the key of the service`);
  });
}

/** Connects to the service's database. @throws CliError if it has another schema */
export async function openWriting(url: string): Promise<pg.Client> {
  const name = `the service's database (${addressOf(url)})`;
  const config = { application_name: 'parley-import', connectionTimeoutMillis: TIMEOUT_MS, options: OPTIONS };
  return connect(name, writerClient(url, config), (client) => checkSchema(client, name, 'start this release with it'));
}

const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Connects to the service's database, and begins a transaction that sees one moment of it. @throws CliError if it has another schema */
export async function openReading(url: string): Promise<pg.Client> {
  const client = await openWriting(url);
  await client.query(BEGIN_READING);
  return client;
}

/**
 * Connects to the database to copy from, which may be a standby, and begins a transaction that sees one moment of it.
 * @throws CliError if it has another schema or key
 */
export async function openSource(url: string, secrets: CopiedSecrets): Promise<pg.Client> {
  const client = new pg.Client({ ...readFrom(url), connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => undefined);
  const name = `the database of --from (${addressOf(url)})`;
  return connect(name, client, async () => {
    await client.query(BEGIN_READING);
    await checkSchema(client, name, HOW_TO_MIGRATE);
    const sealed = await readKeyCheck(client);
    // A database whose key was given up has secrets of several keys. What can't be read is counted.
    if (sealed.length > 0 && secrets.judge('source', sealed) === 'other')
      throw new CliError(EXIT.failed, `${name} has another SECRET_KEY: set FROM_SECRET_KEY to its key`);
  });
}

function readFrom(url: string): pg.ClientConfig {
  try {
    const [host, ...others] = hostsOf(url);
    if (others.length > 0) throw new Error('must have one host');
    const { options = '', ...parameters } = parametersOf(host!.url);
    return { application_name: 'parley-copy', ...parameters, options: `${options} ${OPTIONS}` };
  } catch (error) {
    throw usage(`--from ${(error as Error).message}`);
  }
}

async function connect(name: string, client: pg.Client, check: (client: pg.Client) => Promise<void>) {
  try {
    await client.connect();
    await check(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error instanceof CliError ? error : new CliError(EXIT.failed, `${name} said: ${reasonOf(error)}`);
  }
}

async function checkSchema(client: pg.Client, name: string, remedy: string): Promise<void> {
  const found = await client.query<{ schema: string | null }>(`SELECT to_regclass('migrations')::text AS schema`);
  if (found.rows[0]!.schema === null) throw new CliError(EXIT.failed, `${name} has no schema of Parley`);
  const done = (await client.query<{ name: string }>('SELECT name FROM migrations')).rows.map((row) => row.name);
  if (isEarlierSchema(done)) throw new CliError(EXIT.failed, `${name}: ${EARLIER_SCHEMA.problem}`);
  if (done.some((one) => !MIGRATION_NAMES.includes(one)))
    throw new CliError(EXIT.failed, `${name} has the schema of a newer release: use the command line of that release`);
  if (done.length < MIGRATION_NAMES.length)
    throw new CliError(EXIT.failed, `${name} has the schema of an older release: ${remedy}`);
}

export async function readKeyCheck(client: pg.Client): Promise<Buffer> {
  return (await client.query<{ sealed: Buffer }>(READ_CHECK)).rows[0]?.sealed ?? Buffer.alloc(0);
}
