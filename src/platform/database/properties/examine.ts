import type pg from 'pg';
import { isCluster } from '../citus/distribute.js';
import { READ_FACTS, SETTING_NAMES, type Facts } from './facts.js';
import { READ_RELEASE, type SchemaRelease } from '../migrating/release.js';
import { type Findings, isEarlierSchema } from './faults.js';
import {
  type DatabaseObject,
  FIND_OBJECTS,
  FIND_ODD_TRIGGERS,
  OBJECT_NAMES,
  type OddTrigger,
  TRIGGER_NAMES,
} from './objects.js';

interface Installation {
  poolSize: number;
  /** The names of this release's migrations; the first one makes a table `migrations` Parley's. */
  migrations: readonly string[];
  /** Opens another connection. */
  connect: () => Promise<pg.Client>;
}

const HAS_NAMES = `
  SELECT FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relname = 'migrations' AND a.attname = 'name'`;

const FIND_OTHER_SCHEMA = `
  SELECT s.name FROM unnest(current_schemas(false)) WITH ORDINALITY AS s (name, place)
  JOIN pg_namespace n ON n.nspname = s.name JOIN pg_class c ON c.relnamespace = n.oid
  WHERE n.nspname <> current_schema() AND c.relname IN ('migrations', 'chats', 'webhook_lanes')
  GROUP BY s.name, s.place HAVING count(*) = 3 ORDER BY s.place LIMIT 1`;

/** Reads everything that Parley takes for granted about a database, with statements that don't fail in any state of it. */
export async function examine(client: pg.Client, installation: Installation): Promise<Findings> {
  const read = async <T extends object>(text: string, values: unknown[] = []) =>
    (await client.query<T>(text, values)).rows;
  const [facts] = await read<Facts>(READ_FACTS, [SETTING_NAMES]);
  const objects = await read<DatabaseObject>(FIND_OBJECTS, OBJECT_NAMES);
  const { isParleys, isEarlier = false, done } = await readMigrations(read, objects, installation.migrations);
  const [other] = isParleys === true ? [] : await read<{ name: string }>(FIND_OTHER_SCHEMA);
  const isPooled = facts!.pid !== (client as unknown as { processID: number }).processID;
  return {
    facts: facts!,
    objects: isParleys === null ? objects.filter((object) => !object.name.startsWith('migrations')) : objects,
    triggers: await read<OddTrigger>(FIND_ODD_TRIGGERS, TRIGGER_NAMES),
    isParleys,
    isEarlier,
    pending: installation.migrations.filter((name) => !done.includes(name)).length,
    release: isParleys === true ? await readRelease(read, objects) : null,
    unknown: done.filter((name) => !installation.migrations.includes(name)).length,
    otherSchema: other?.name ?? null,
    isCluster: await isCluster(read as never),
    isPooled,
    losesStatements: isPooled && (await losesStatements(installation.connect)),
    poolSize: installation.poolSize,
  };
}

type Read = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;

async function readMigrations(read: Read, objects: DatabaseObject[], wanted: readonly string[]) {
  const tables = objects.filter(({ kind }) => kind === 'table');
  const table = tables.find(({ name }) => name === 'migrations');
  if (!table) return { isParleys: null, done: [] };
  if ((await read(HAS_NAMES)).length === 0) return { isParleys: false, done: [] };
  // Whose it is can't be read; other tables with the names of Parley's say so too.
  if (!table.mayUse) return { isParleys: tables.length > OBJECT_NAMES[0]!.length / 2, done: wanted };
  const done = (await read<{ name: string }>('SELECT name FROM migrations')).map(({ name }) => name);
  if (done.length === 0) return { isParleys: null, done };
  return { isParleys: done.includes(wanted[0]!), isEarlier: isEarlierSchema(done), done };
}

// Databases of earlier releases have no such table.
async function readRelease(read: Read, objects: DatabaseObject[]): Promise<SchemaRelease | null> {
  const table = objects.find(({ kind, name }) => kind === 'table' && name === 'schema_release');
  if (!table?.mayUse) return null;
  return (await read<SchemaRelease>(READ_RELEASE))[0] ?? null;
}

const LOST_STATEMENT = ['26000', '42P05', '08P01'];

// A pooler that gives each transaction another connection to the server has to move named statements too.
async function losesStatements(connect: () => Promise<pg.Client>): Promise<boolean> {
  const clients = [await connect(), await connect()];
  try {
    for (const [place, client] of [...clients, ...clients].entries()) {
      await client.query({ name: 'parley-check', text: `SELECT ${place % 2}` });
    }
    return false;
  } catch (error) {
    if (LOST_STATEMENT.includes((error as { code: string }).code)) return true;
    throw error;
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
