import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream';
import type pg from 'pg';
import { fileKey } from '../../files/removals.queries.js';
import type { FileStore } from '../../files/stores/store.js';
import { MIGRATION_NAMES } from '../../platform/database/data-source.js';
import { randomText } from '../../platform/lib/secrets.js';
import { COPIED_TABLES, type CopiedTable } from '../../platform/database/tenant-tables.js';
import { openStore, requireOwnStore } from '../files/files.js';
import { findStoreId } from '../files/stored-files.queries.js';
import { checkId } from '../organization.js';
import { out } from '../show.js';
import { toJson } from '../text.js';
import type { CopiedSecrets } from '../copy/copied-secrets.js';
import { OrganizationCopy, type Original, UnknownOutcome } from '../copy/organization-copy.js';
import { type Column, findColumns, type Row } from '../copy/organization-copy.queries.js';
import { closing, linesOf, openOwn } from '../copy/target.js';
import {
  FILE_LIST,
  type FileLine,
  FILES,
  Hashing,
  linesOfPart,
  type Manifest,
  readManifest,
  refused,
} from './archive.js';
import { claimStore, PAGE, parseLines, type StoredFile } from './archive.queries.js';
import { checkNamedFiles, findFault } from './row-checks.js';

const STORE_ID_LENGTH = 24;

/**
 * Creates the organization of an archive in the service's database and store, with the same ids: everything or nothing. The service keeps
 * running.
 * @param environment what the service has: DATABASE_URL or DATA_DIR, SECRET_KEY, FILES_URL; and FROM_SECRET_KEY, the archive's
 * @throws CliError if the organization exists, or the archive isn't whole or has another release's tables
 */
export async function importOrganization(
  environment: NodeJS.ProcessEnv,
  folder: string,
  options: { json?: boolean },
): Promise<void> {
  const manifest = await readManifest(folder);
  checkTables(manifest);
  const { id } = manifest.organization;
  checkId(id, "the archive's organization");
  await closing('nothing was imported', async (open) => {
    const { target, secrets } = await openOwn(environment);
    open.push(target);
    checkKey(manifest, secrets);
    const archive = new Archive(target, folder, manifest);
    const files = new ImportedFiles(target, openStore(environment), folder, manifest, archive);
    try {
      const copy = new OrganizationCopy(archive, target, secrets);
      const copied = await copy.run(id, 'organization.imported', {
        before: () => files.put(),
        last: async () => {
          await checkNamedFiles(target, id);
          await files.claim();
        },
      });
      const counts = { ...copied, files: manifest.files.lines };
      out(options.json ? toJson(counts) : [...linesOf(copied, 'imported'), `${counts.files} files`].join('\n'));
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) await files.undo();
      throw error;
    } finally {
      files.close();
    }
  });
}

function checkTables({ schema, parley, tables }: Manifest): void {
  const newest = MIGRATION_NAMES.at(-1)!;
  if (schema !== newest)
    throw refused(
      `the archive was written by release ${parley}, whose tables differ (${schema}, here ${newest}): ` +
        'import it with that release, and upgrade then',
    );
  const absent = COPIED_TABLES.find(({ name }) => !Object.hasOwn(tables, name));
  if (absent) throw refused(`the archive's manifest doesn't name the table ${absent.name}`);
}

function checkKey({ keyCheck }: Manifest, secrets: CopiedSecrets): void {
  const sealed = Buffer.from(keyCheck, 'base64');
  if (sealed.length > 0 && secrets.judge('source', sealed) === 'other')
    throw refused('the archive has another SECRET_KEY: set FROM_SECRET_KEY to its key');
}

class Archive implements Original {
  readonly name = 'the archive';
  readonly from: string;

  constructor(
    private readonly target: pg.Client,
    private readonly folder: string,
    private readonly manifest: Manifest,
  ) {
    this.from = basename(resolve(folder));
  }

  find(): Promise<{ name: string; removalBegan: boolean }> {
    return Promise.resolve({ name: this.manifest.organization.name, removalBegan: false });
  }

  async *pages(table: CopiedTable, columns: readonly Column[]): AsyncGenerator<Row[]> {
    const name = `${table.name}.jsonl`;
    const keyAt = columns.findIndex((column) => column.name === table.key);
    let read = 0;
    const parse = async (lines: string[]) => {
      const rows = await parseLines(this.target, table.name, columns, lines).catch(
        explain(`${name}, line ${read + 1}`),
      );
      // An archive may come from elsewhere: it brings rows of no other organization.
      const other = rows.findIndex((row) => row[keyAt] !== this.manifest.organization.id);
      if (other >= 0) throw refused(`${name}, line ${read + other + 1}: ${table.key} isn't the archive's organization`);
      rows.forEach((row, at) => {
        const fault = findFault(table.name, columns, row);
        if (fault) throw refused(`${name}, line ${read + at + 1}: ${fault}`);
      });
      read += lines.length;
      return rows;
    };
    let lines: string[] = [];
    for await (const line of linesOfPart(this.folder, name, this.manifest.tables[table.name]!)) {
      if (lines.push(line) < PAGE) continue;
      yield await parse(lines);
      lines = [];
    }
    if (lines.length > 0) yield await parse(lines);
  }

  count({ name }: CopiedTable): Promise<number> {
    return Promise.resolve(this.manifest.tables[name]!.lines);
  }
}

const explain = (place: string) => (error: { message: string }) => {
  throw refused(`from ${place} on, PostgreSQL can't read the archive: ${error.message}`);
};

/** The bytes of the archive's files, on their way to the store. */
class ImportedFiles {
  private readonly keys: string[] = [];
  /** The id that becomes the one of the database's store; undefined: it has one. */
  private newStoreId: string | undefined;

  constructor(
    private readonly target: pg.Client,
    private readonly store: FileStore,
    private readonly folder: string,
    private readonly manifest: Manifest,
    private readonly archive: Archive,
  ) {}

  /** Puts all bytes into the store, before the rows are stored. @throws CliError for bytes that aren't the exported ones */
  async put(): Promise<void> {
    const listed = new Map<string, FileLine>();
    for await (const line of linesOfPart(this.folder, FILE_LIST, this.manifest.files)) {
      const file = JSON.parse(line) as FileLine;
      listed.set(file.id, file);
    }
    if (listed.size > 0) await this.checkStore();
    for await (const { id, place } of this.completeFiles()) {
      const file = listed.get(id);
      if (file) await this.putOne(fileKey(this.manifest.organization.id, id, place), file);
    }
  }

  /** Makes the store the database's, if it had none. Call this in the transaction. */
  async claim(): Promise<void> {
    if (this.newStoreId !== undefined) await claimStore(this.target, this.newStoreId);
  }

  /** Removes what was put. What can't be removed now, `parley files check --fix` removes. */
  async undo(): Promise<void> {
    // Without the connection and its lock, another import may have put the same bytes since.
    const isLocked = await this.target.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    if (!isLocked) return;
    for (const key of this.keys) await this.store.remove(key).catch(() => undefined);
  }

  close(): void {
    this.store.close();
  }

  // Reading the rows checks them.
  private async *completeFiles(): AsyncGenerator<StoredFile> {
    const table = COPIED_TABLES.find(({ name }) => name === 'files')!;
    const columns = await findColumns(this.target, table.name);
    const [id, place, status] = ['id', 'place', 'status'].map((name) => columns.findIndex((one) => one.name === name));
    for await (const rows of this.archive.pages(table, columns))
      for (const row of rows) if (row[status!] === 'COMPLETE') yield { id: row[id!]!, place: row[place!]! };
  }

  private async checkStore(): Promise<void> {
    await requireOwnStore(this.target, this.store);
    if ((await findStoreId(this.target)) === undefined)
      this.newStoreId = (await this.store.readId()) ?? (await this.store.writeId(randomText(STORE_ID_LENGTH)));
  }

  private async putOne(key: string, { id, size, sha256 }: FileLine): Promise<void> {
    const path = join(this.folder, FILES, id);
    const found = await stat(path).catch(() => undefined);
    if (found?.size !== size)
      throw refused(`${FILES}/${id} has ${found?.size ?? 'no'} bytes, and ${size} were exported`);
    const hashing = new Hashing();
    const body = pipeline(createReadStream(path), hashing, () => undefined);
    this.keys.push(key);
    await this.store.put(key, body, size);
    if (hashing.sha256 !== sha256) throw refused(`${FILES}/${id} was changed since the export: its SHA-256 differs`);
    await this.store.sync(key);
  }
}
