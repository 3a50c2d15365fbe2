import type pg from 'pg';
import { isFileId } from '../../files/file.js';
import type { Column, Row } from '../copy/organization-copy.queries.js';
import { findRows } from '../files/stored-files.queries.js';
import { refused } from './archive.js';
import { listNamedFiles } from './archive.queries.js';

/** The form of every id, which becomes a part of paths, addresses, and headers; and of the random part of a file's key. */
const NAME = /^[\w-]{1,64}$/;
/** Times that JavaScript doesn't have. They would end a pass over the files of all organizations. */
const STRANGE_TIME = /infinity$|BC$|^\d{5}/;
/** All organizations share the sequence of positions. It must not end. */
const MAX_POSITION = 2 ** 52;

/**
 * Why an archive's row is refused, although the table takes it: an archive may come from elsewhere, and must not harm other organizations.
 * Undefined for a good row.
 */
export function findFault(table: string, columns: readonly Column[], row: Row): string | undefined {
  const of = (name: string) => row[columns.findIndex((column) => column.name === name)] ?? null;
  const id = of('id');
  if (id !== null && !NAME.test(id)) return `the id ${id} isn't one`;
  if (STRANGE_TIME.test(of('created_at') ?? '')) return 'created_at is no time of a row';
  if (table === 'files') return findFileFault(id, of('status'), of('place'));
  if (table === 'deliveries' && Number(of('position')) > MAX_POSITION) return 'the position is too large';
  return undefined;
}

function findFileFault(id: string | null, status: string | null, place: string | null): string | undefined {
  if (!isFileId(id ?? '')) return `the id ${id} isn't a file's`;
  if (place === null ? status === 'COMPLETE' : !NAME.test(place)) return `the place of ${id} isn't one`;
  return undefined;
}

/**
 * Checks that an imported organization names no file of another one: a signed address has no organization, so it would show the other
 * one's bytes. Files that were removed may still be named.
 * @throws CliError
 */
export async function checkNamedFiles(client: pg.Client, organizationId: string): Promise<void> {
  for await (const ids of listNamedFiles(client, organizationId)) {
    const wrong = ids.find((id) => id === null || !isFileId(id));
    if (wrong !== undefined) throw refused(`the archive names a file by ${wrong ?? 'no id'}`);
    const other = (await findRows(client, ids as string[])).find((row) => row.organizationId !== organizationId);
    if (other) throw refused(`the archive names the file ${other.id}, which another organization has`);
  }
}
