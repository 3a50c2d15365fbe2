import type pg from 'pg';

const STORE_ID = 'SELECT id FROM file_store';

/** The id of the store that the database uses; undefined before the first file. */
export async function findStoreId(client: pg.Client): Promise<string | undefined> {
  return (await client.query<{ id: string }>(STORE_ID)).rows[0]?.id;
}

/** A row of a file, as far as its bytes are concerned. */
export interface StoredRow {
  organizationId: string;
  id: string;
  place: string | null;
  status: string;
}

const COLUMNS = 'f.organization_id AS "organizationId", f.id, f.place, f.status';
const OF_IDS = `SELECT ${COLUMNS} FROM files f WHERE f.id = ANY ($1)`;

/** The rows with these ids. */
export async function findRows(client: pg.Client, ids: readonly string[]): Promise<StoredRow[]> {
  return (await client.query<StoredRow>(OF_IDS, [ids])).rows;
}

const WAITING = 'SELECT r.key FROM file_removals r WHERE r.organization_id = ANY ($1) AND r.key = ANY ($2)';

/** Which of these keys are about to be removed. */
export async function findRemovals(
  client: pg.Client,
  organizationIds: readonly string[],
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(WAITING, [organizationIds, keys]);
  return new Set(rows.map(({ key }) => key));
}

const COMPLETE = `
  SELECT ${COLUMNS} FROM files f WHERE f.status = 'COMPLETE' AND f.id > $1 ORDER BY f.id LIMIT $2`;

/** Completed files after an id, in the order of ids. */
export async function listComplete(client: pg.Client, after: string, limit: number): Promise<StoredRow[]> {
  return (await client.query<StoredRow>(COMPLETE, [after, limit])).rows;
}
