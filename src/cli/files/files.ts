import type pg from 'pg';
import { openFileStore } from '../../files/stores/file-store.provider.js';
import type { FileStore } from '../../files/stores/store.js';
import { addressOf } from '../../platform/config/database-url.js';
import { parseStoreUrl } from '../../platform/config/files-url.js';
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../platform/database/embedded-postgres.js';
import { writerClient } from '../../platform/database/hosts.js';
import { optionsOf } from '../../platform/database/properties/settings.js';
import { findDatabase } from '../copy/target.js';
import { CliError, EXIT, usage } from '../errors.js';
import { reasonOf } from '../service.js';
import { out } from '../show.js';
import { toJson } from '../text.js';
import { compareFiles, type Findings } from './check.js';
import { findStoreId } from './stored-files.queries.js';

const TIMEOUT_MS = 30_000;

/**
 * Compares the database's files with the store's bytes, and prints what's missing on either side.
 * @returns the exit code of the process: 0 if nothing is left, otherwise 1
 * @throws CliError if the store isn't the database's, or one of them can't be read
 */
export async function checkFiles(
  environment: NodeJS.ProcessEnv,
  options: { fix?: boolean; json?: boolean },
): Promise<number> {
  return connected(environment, async (client, store) => {
    const id = await findStoreId(client);
    if (id !== (await store.readId()))
      throw new CliError(EXIT.failed, "this store of files isn't the database's: see parley files adopt");
    const found = await compareFiles(client, store, options.fix === true);
    out(options.json ? toJson(found) : describe(found));
    return found.missing.length + found.orphans.length === 0 ? EXIT.ok : EXIT.failed;
  });
}

/** Gives the store the database's id, such as after files were lost. @throws CliError before the first file */
export async function adoptStore(environment: NodeJS.ProcessEnv): Promise<number> {
  return connected(environment, async (client, store) => {
    const id = await findStoreId(client);
    if (id === undefined) throw new CliError(EXIT.failed, 'the database has no store yet: start Parley instead');
    await store.writeId(id, true);
    out('This store has the id of the database now. Run parley files check.');
    return EXIT.ok;
  });
}

/** @throws CliError if the database has another store than this one; it has none before the first file */
export async function requireOwnStore(client: pg.Client, store: FileStore): Promise<void> {
  const stored = await findStoreId(client);
  if (stored !== undefined && stored !== (await store.readId()))
    throw new CliError(
      EXIT.failed,
      "this store of files isn't the database's: set DATA_DIR or FILES_URL as the service has it",
    );
}

async function connected(
  environment: NodeJS.ProcessEnv,
  work: (client: pg.Client, store: FileStore) => Promise<number>,
): Promise<number> {
  const store = openStore(environment);
  const stopped = await startStopped(environment);
  try {
    return await connectedTo(stopped?.url ?? (await findDatabase(environment)), (client) => work(client, store));
  } finally {
    store.close();
    await stopped?.stop();
  }
}

async function connectedTo(url: string, work: (client: pg.Client) => Promise<number>): Promise<number> {
  const client = writerClient(url, {
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    options: optionsOf(),
  });
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.failed, `the files of ${addressOf(url)} could not be compared: ${reasonOf(error)}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts the PostgreSQL of a stopped service that has its own: a service with another store of files doesn't start, and `adopt` is its
 * remedy. Undefined with DATABASE_URL, without such a database, and while it runs.
 */
async function startStopped({ DATABASE_URL, DATA_DIR }: NodeJS.ProcessEnv): Promise<EmbeddedPostgres | undefined> {
  const folder = DATA_DIR || './data';
  if (DATABASE_URL || !hasEmbeddedPostgres(folder) || (await findEmbeddedPostgres(folder))) return undefined;
  return startEmbeddedPostgres(folder).catch((error: unknown) => {
    throw new CliError(EXIT.failed, reasonOf(error));
  });
}

/** The store that the environment names. @throws CliError for a malformed FILES_URL or FILES_MIN_FREE */
export function openStore({ DATA_DIR, FILES_URL, FILES_MIN_FREE, FILES_PUBLIC_URL }: NodeJS.ProcessEnv): FileStore {
  try {
    if (FILES_URL) parseStoreUrl(FILES_URL);
  } catch (error) {
    throw usage(`FILES_URL ${(error as Error).message}`);
  }
  if (FILES_MIN_FREE && !/^\d{1,15}$/.test(FILES_MIN_FREE))
    throw usage('FILES_MIN_FREE must be a number of bytes, in digits alone');
  return openFileStore({
    DATA_DIR: DATA_DIR || './data',
    FILES_URL: FILES_URL || undefined,
    FILES_MIN_FREE: FILES_MIN_FREE ? Number(FILES_MIN_FREE) : undefined,
    FILES_PUBLIC_URL: FILES_PUBLIC_URL || undefined,
  });
}

function describe({ files, objects, missing, orphans, removed }: Findings): string {
  return [
    `${files} files, ${objects} objects`,
    ...missing.map((id) => `missing: ${id} has no bytes`),
    ...orphans.map((key) => `orphan: ${key} has no file`),
    ...(removed > 0 ? [`${removed} orphans were removed`] : []),
  ].join('\n');
}
