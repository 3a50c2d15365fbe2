import type pg from 'pg';
import { FILE_ID_LENGTH } from '../../files/file.js';
import { fileKey } from '../../files/removals.queries.js';
import type { FileStore, StoredObject } from '../../files/stores/store.js';
import { findRemovals, findRows, listComplete, type StoredRow } from './stored-files.queries.js';

/** Objects and rows that are compared at a time. */
const BATCH = 1_000;
/** Orphans that are younger stay: a node may be about to use them. */
const ORPHAN_MS = 48 * 60 * 60 * 1000;

/** What `parley files check` found (CONTRACT: Removal of files). */
export interface Findings {
  /** Completed files in the database, and objects in the store. */
  files: number;
  objects: number;
  /** Ids of files without bytes, and keys of bytes without a file. */
  missing: string[];
  orphans: string[];
  /** Orphans that were removed. They aren't in `orphans`. */
  removed: number;
}

/** Compares the rows of files with the objects of the store. @param isFixing removes orphans older than 48 h */
export async function compareFiles(client: pg.Client, store: FileStore, isFixing: boolean): Promise<Findings> {
  const found: Findings = { files: 0, objects: 0, missing: [], orphans: [], removed: 0 };
  const seen = new Set<string>();
  let batch: StoredObject[] = [];
  const handle = async () => {
    for (const object of await findOrphans(client, store, batch)) {
      const isOld = Date.now() - object.modifiedAt.getTime() > ORPHAN_MS;
      if (isFixing && isOld) {
        await store.remove(object.key);
        found.removed++;
      } else found.orphans.push(object.key);
    }
    batch = [];
  };
  for await (const object of store.list()) {
    found.objects++;
    seen.add(object.key);
    if (batch.push(object) === BATCH) await handle();
  }
  await handle();
  await findMissing(client, store, seen, found);
  return found;
}

// A row comes before its bytes, and a removal stays until they're deleted. So bytes with neither are no longer expected.
async function findOrphans(client: pg.Client, store: FileStore, objects: StoredObject[]): Promise<StoredObject[]> {
  if (objects.length === 0) return [];
  const parsed = objects.map((object) => ({ object, ...parse(object.key) }));
  const found = await findRows(client, unique(parsed.map(({ id }) => id)));
  const rows = new Map(found.map((row) => [`${row.organizationId}/${row.id}`, row]));
  const keys = objects.map(({ key }) => key);
  const waiting = await findRemovals(client, unique(parsed.map(({ organizationId }) => organizationId)), keys);
  const others = parsed.filter(
    ({ object, id, ...rest }) => !waiting.has(object.key) && !isOf(rows.get(`${rest.organizationId}/${id}`), rest),
  );
  const orphans: StoredObject[] = [];
  // It may have been removed since it was listed.
  for (const { object } of others) if ((await store.size(object.key)) !== undefined) orphans.push(object);
  return orphans;
}

interface Place {
  organizationId: string;
  folder: string;
  place: string | undefined;
  /** Whether it's a body that a node was writing. */
  isPart: boolean;
}

function parse(key: string): Place & { id: string } {
  const [organizationId = '', folder = '', name = ''] = key.split('/');
  const place = folder === 'files' ? name.split('.')[1] : undefined;
  return { organizationId, folder, place, isPart: name.endsWith('.part'), id: name.slice(0, FILE_ID_LENGTH) };
}

function isOf(row: StoredRow | undefined, { folder, place, isPart }: Place): boolean {
  if (!row) return false;
  if (folder === 'incoming' || isPart) return row.status === 'PENDING';
  return folder === 'files' && row.place === place;
}

async function findMissing(client: pg.Client, store: FileStore, seen: Set<string>, found: Findings): Promise<void> {
  for (let after = '', rows: StoredRow[] | undefined; rows?.length !== 0; after = rows.at(-1)?.id ?? '') {
    rows = await listComplete(client, after, BATCH);
    found.files += rows.length;
    for (const { organizationId, id, place } of rows) {
      const key = fileKey(organizationId, id, place ?? '');
      // It may have been completed since the listing, or removed since the row was read.
      if (seen.has(key) || (await store.size(key)) !== undefined) continue;
      const left = await findRows(client, [id]);
      if (left.some((row) => row.organizationId === organizationId)) found.missing.push(id);
    }
  }
}

const unique = (texts: string[]): string[] => [...new Set(texts)];
