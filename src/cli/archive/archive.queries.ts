import type pg from 'pg';
import type { CopiedTable } from '../../platform/database/tenant-tables.js';
import { type Column, fetchPages, type Row } from '../copy/organization-copy.queries.js';

/** The most lines in memory. */
export const PAGE = 500;

const FIND_KEY = `
  SELECT a.attname AS name FROM pg_index i
  CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, at)
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
  WHERE i.indrelid = to_regclass($1) AND i.indisprimary ORDER BY k.at`;

/** The rows of an organization as lines of JSON, in the order of their primary key, some at a time. */
export async function* linesOfTable(
  client: pg.Client,
  { name, key, emptied }: CopiedTable,
  columns: readonly Column[],
  id: string,
): AsyncGenerator<string[]> {
  const order = (await client.query<{ name: string }>(FIND_KEY, [name])).rows;
  const kept = columns.filter((column) => !emptied.includes(column.name)).map((column) => `"${column.name}"`);
  // JSON as it was sent may have line breaks, which mean nothing outside of its strings.
  const query = `
    SELECT translate(row_to_json(r)::text, E'\\n\\r', '  ')
    FROM (SELECT ${kept.join(', ')} FROM ${name} WHERE ${key} = ${client.escapeLiteral(id)}) AS r
    ORDER BY ${order.map((column) => `r."${column.name}"`).join(', ')}`;
  for await (const rows of fetchPages(client, query)) yield rows.map(([line]) => line!);
}

/** The values of lines as PostgreSQL writes them, in the order of the columns. Its own JSON loses no digits. */
export async function parseLines(
  client: pg.Client,
  table: string,
  columns: readonly Column[],
  lines: readonly string[],
): Promise<Row[]> {
  const text = `
    SELECT ${columns.map(textOf).join(', ')}
    FROM unnest($1::text[]) WITH ORDINALITY AS l (line, at), json_populate_record(NULL::${table}, l.line::json) AS r
    ORDER BY l.at`;
  return (await client.query<Row>({ text, values: [lines], rowMode: 'array' })).rows;
}

// In a column that's never empty, null is JSON's.
function textOf({ name, type, isRequired }: Column): string {
  return isRequired && type.startsWith('json') ? `coalesce(r."${name}"::text, 'null')` : `r."${name}"::text`;
}

/** A file of an organization that has bytes. */
export interface StoredFile {
  id: string;
  place: string;
}

const FILES = `
  SELECT id, place FROM files WHERE organization_id = $1 AND status = 'COMPLETE' AND id > $2 ORDER BY id LIMIT ${PAGE}`;

/** The files whose bytes belong to an archive, some at a time. */
export async function* listFiles(client: pg.Client, organizationId: string): AsyncGenerator<StoredFile[]> {
  for (let after = ''; ;) {
    const { rows } = await client.query<StoredFile>(FILES, [organizationId, after]);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

// Wherever a row names a file that clients get an address of.
const NAMED = (id: string) => `
  SELECT f.id FROM files f WHERE f.organization_id = ${id}
  UNION ALL
  SELECT f->>'id' FROM messages m, json_array_elements(m.files) AS f WHERE m.organization_id = ${id}
  UNION ALL
  SELECT f->>'id' FROM notes n, json_array_elements(n.files) AS f WHERE n.organization_id = ${id}
  UNION ALL
  SELECT f->>'id' FROM inbound_mails i, json_array_elements(i.attachments) AS f WHERE i.organization_id = ${id}`;

/** The ids of the files that an organization has or names, some at a time; null for a file without one. */
export async function* listNamedFiles(client: pg.Client, organizationId: string): AsyncGenerator<(string | null)[]> {
  const pages = fetchPages(client, NAMED(client.escapeLiteral(organizationId)));
  for await (const rows of pages) yield rows.map(([id]) => id ?? null);
}

const CLAIM = `INSERT INTO file_store (id) VALUES ($1)`;

/** Stores the id of the database's store of files. */
export async function claimStore(client: pg.Client, id: string): Promise<void> {
  await client.query(CLAIM, [id]);
}
