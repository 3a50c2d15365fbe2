import type pg from 'pg';
import type { EntryDetails, InstallationAction } from '../../auth/audit/installation-action.js';
import { newId } from '../../platform/lib/ids.js';
import type { CopiedTable } from '../../platform/database/tenant-tables.js';

/** The most rows in memory. A message has at most some 100 KB. */
const PAGE = 500;

export interface Column {
  name: string;
  type: string;
  isRequired: boolean;
}

/** The values of a row as PostgreSQL writes them, in the order of the columns. */
export type Row = (string | null)[];

const FIND_ORGANIZATION = `
  SELECT name, deleted_at IS NOT NULL AS "isDeleted",
    deleted_at IS NOT NULL AND (remove_at IS NULL OR removal_began_at IS NOT NULL) AS "removalBegan"
  FROM organizations WHERE id = $1`;

/** Undefined if there's none with this id. */
export async function findOrganization(client: pg.Client, id: string) {
  type Found = { name: string; isDeleted: boolean; removalBegan: boolean };
  return (await client.query<Found>(FIND_ORGANIZATION, [id])).rows[0];
}

const LOCK = `SELECT pg_try_advisory_lock(hashtextextended('copy of ' || $1, 0)) AS "isOurs"`;

/** Keeps others from copying the same organization while this connection is open. False: another one copies it. */
export async function lockOrganization(client: pg.Client, id: string): Promise<boolean> {
  return (await client.query<{ isOurs: boolean }>(LOCK, [id])).rows[0]!.isOurs;
}

const FIND_COLUMNS = `
  SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS "isRequired" FROM pg_attribute
  WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;

/** The columns of a table that can be written. */
export async function findColumns(client: pg.Client, table: string): Promise<Column[]> {
  return (await client.query<Column>(FIND_COLUMNS, [table])).rows;
}

/** The rows of an organization in a table, some at a time. */
export function pagesOf(client: pg.Client, { name, key }: CopiedTable, columns: readonly Column[], id: string) {
  const texts = columns.map((column) => `"${column.name}"::text`).join(', ');
  return fetchPages(client, `SELECT ${texts} FROM ${name} WHERE ${key} = ${client.escapeLiteral(id)}`);
}

/** The rows of a query, some at a time. It has no parameters, because DECLARE takes none. */
export async function* fetchPages(client: pg.Client, query: string): AsyncGenerator<Row[]> {
  await client.query(`DECLARE copied NO SCROLL CURSOR FOR ${query}`);
  const fetch = { text: `FETCH ${PAGE} FROM copied`, rowMode: 'array' as const };
  for (;;) {
    const { rows } = await client.query<Row>(fetch);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE copied');
}

/** Inserts rows with the values that their columns had as text, which loses nothing of any type. */
export async function insertRows(
  client: pg.Client,
  { name }: CopiedTable,
  columns: readonly Column[],
  rows: Row[],
): Promise<void> {
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const values = columns.map(({ type }, at) => `c${at}::${type}`).join(', ');
  const lists = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const given = columns.map((_, at) => `c${at}`).join(', ');
  await client.query(
    `INSERT INTO ${name} (${names}) SELECT ${values} FROM unnest(${lists}) AS given (${given})`,
    columns.map((_, at) => rows.map((row) => row[at])),
  );
}

export async function countRows(client: pg.Client, { name, key }: CopiedTable, id: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM ${name} WHERE ${key} = $1`,
    [id],
  );
  return rows[0]!.count;
}

// New deliveries come after the copied ones. The sequence only moves forward, even when others use it.
const ADVANCE_POSITIONS = `
  SELECT setval('deliveries_position', max) FROM (
    SELECT max(position) FROM deliveries WHERE organization_id = $1) AS copied, deliveries_position
  WHERE max > last_value`;

export async function advancePositions(client: pg.Client, id: string): Promise<void> {
  await client.query(ADVANCE_POSITIONS, [id]);
}

const RECORD = `
  INSERT INTO installation_entries (id, at, actor_type, action, target, target_name, details)
  VALUES ($1, statement_timestamp(), 'SYSTEM', $2, $3, $4, $5)`;

export interface CopyEntry {
  action: InstallationAction;
  target: string;
  targetName: string;
  details: EntryDetails;
}

/** Adds an entry to the installation's audit log. The command line knows no name of a person. */
export async function recordCopy(client: pg.Client, { action, target, targetName, details }: CopyEntry): Promise<void> {
  await client.query(RECORD, [newId('aud'), action, target, targetName, JSON.stringify(details)]);
}
