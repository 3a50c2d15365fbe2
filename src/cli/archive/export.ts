import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { fileKey } from '../../files/removals.queries.js';
import { type FileStore, MissingBytes } from '../../files/stores/store.js';
import { MIGRATION_NAMES } from '../../platform/database/data-source.js';
import { COPIED_TABLES, type CopiedTable } from '../../platform/database/tenant-tables.js';
import { EXIT } from '../errors.js';
import { openStore, requireOwnStore } from '../files/files.js';
import { checkId } from '../organization.js';
import { note, out } from '../show.js';
import { toJson } from '../text.js';
import { findColumns, findOrganization, recordCopy } from '../copy/organization-copy.queries.js';
import { closing, findDatabase } from '../copy/target.js';
import { openReading, readKeyCheck } from '../copy/two-databases.js';
import {
  FILE_LIST,
  FILES,
  type FilesPart,
  FORMAT,
  Hashing,
  MANIFEST,
  type Manifest,
  type Part,
  refused,
} from './archive.js';
import { linesOfTable, listFiles, type StoredFile } from './archive.queries.js';

/** Archives have password hashes and people's words: only their owner reads them. */
const [FOLDER_MODE, FILE_MODE] = [0o700, 0o600];

/**
 * Writes an organization into a folder: a file of JSON lines for each table, and the bytes of its files (docs/operate/moving.md). Reads one
 * moment of the database, while the service keeps running.
 * @param environment what the service has: DATABASE_URL or DATA_DIR, and FILES_URL
 * @returns the exit code of the process: 1 if the store has lost bytes, which the archive then doesn't have
 * @throws CliError if there's no such organization, the folder isn't empty, or the store isn't the database's
 */
export async function exportOrganization(
  environment: NodeJS.ProcessEnv,
  id: string,
  folder: string,
  options: { json?: boolean; version: string },
): Promise<number> {
  checkId(id);
  const store = openStore(environment);
  const manifest = await closing('the export failed', async (open) => {
    open.push({ end: () => Promise.resolve(store.close()) });
    const url = await findDatabase(environment);
    const client = await openReading(url);
    open.push(client);
    const organization = await findExported(client, id);
    await requireOwnStore(client, store);
    await prepareFolder(folder);
    const writer = new ArchiveWriter(client, store, folder, id);
    const written = await writer.write(organization.name, options.version);
    await client.query('COMMIT');
    const { tables, files } = written;
    const details = { chats: tables.chats!.lines, messages: tables.messages!.lines, files: files.lines };
    await recordCopy(client, { action: 'organization.exported', target: id, targetName: organization.name, details });
    return written;
  });
  await complete(folder, manifest);
  out(options.json ? toJson(manifest) : describe(manifest, folder));
  return manifest.files.missing === 0 ? EXIT.ok : EXIT.failed;
}

async function findExported(client: pg.Client, id: string): Promise<{ name: string }> {
  const found = await findOrganization(client, id);
  if (!found) throw refused(`the database has no organization ${id}`);
  if (found.removalBegan) throw refused(`the removal of organization ${id} has begun`);
  return found;
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if ((await readdir(folder)).length > 0) throw refused(`${folder} isn't empty: name a new folder`);
  await mkdir(join(folder, FILES), { mode: FOLDER_MODE });
}

// The manifest comes last, and whole.
async function complete(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST);
  await writeFile(`${path}.part`, `${toJson(manifest)}\n`, { mode: FILE_MODE, flush: true });
  await rename(`${path}.part`, path);
}

function describe({ organization, tables, files }: Manifest, folder: string): string {
  const [chats, messages] = [tables.chats!.lines, tables.messages!.lines];
  return [
    `exported organization ${organization.id} (${organization.name}) to ${folder}: ` +
      `${chats} chats, ${messages} messages, ${files.lines} files (${files.bytes} bytes)`,
    ...(files.missing > 0
      ? [`${files.missing} files have no bytes in the store: the archive has their rows alone`]
      : []),
    'it has password hashes and all words of visitors: keep it like a backup',
  ].join('\n');
}

class ArchiveWriter {
  constructor(
    private readonly client: pg.Client,
    private readonly store: FileStore,
    private readonly folder: string,
    private readonly id: string,
  ) {}

  async write(name: string, parley: string): Promise<Manifest> {
    // Times are then the same wherever the database is.
    await this.client.query(`SET LOCAL TimeZone = 'UTC'`);
    const tables: Record<string, Part> = {};
    for (const table of COPIED_TABLES) tables[table.name] = await this.writeTable(table);
    const files = await this.writeFiles();
    const keyCheck = (await readKeyCheck(this.client)).toString('base64');
    const schema = MIGRATION_NAMES.at(-1)!;
    const exportedAt = new Date().toISOString();
    return { format: FORMAT, organization: { id: this.id, name }, parley, schema, exportedAt, keyCheck, tables, files };
  }

  private async writeTable(table: CopiedTable): Promise<Part> {
    const columns = await findColumns(this.client, table.name);
    const pages = linesOfTable(this.client, table, columns, this.id);
    return this.writePart(`${table.name}.jsonl`, pages);
  }

  private async writeFiles(): Promise<FilesPart> {
    let bytes = 0;
    const missing: string[] = [];
    const lines = async function* (this: ArchiveWriter) {
      for await (const files of listFiles(this.client, this.id)) {
        for (const file of files) {
          const found = await this.copyBytes(file);
          if (!found) missing.push(file.id);
          else {
            bytes += found.size;
            yield [JSON.stringify({ id: file.id, ...found })];
          }
        }
      }
    }.call(this);
    const part = await this.writePart(FILE_LIST, lines);
    for (const id of missing) note(`file ${id} has no bytes in the store: the archive has its row alone`);
    return { ...part, bytes, missing: missing.length };
  }

  private async copyBytes({ id, place }: StoredFile): Promise<{ size: number; sha256: string } | undefined> {
    const key = fileKey(this.id, id, place);
    const size = await this.store.size(key);
    if (size === undefined) return undefined;
    const path = join(this.folder, FILES, id);
    const hashing = new Hashing();
    try {
      const body = await this.store.read(key, { start: 0, end: size - 1 });
      await pipeline(body, hashing, createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true }));
      return { size, sha256: hashing.sha256 };
    } catch (error) {
      if (!(error instanceof MissingBytes)) throw error;
      await rm(path, { force: true });
      return undefined;
    }
  }

  private async writePart(name: string, pages: AsyncIterable<string[]>): Promise<Part> {
    const file = await open(join(this.folder, name), 'wx', FILE_MODE);
    const hash = createHash('sha256');
    let lines = 0;
    try {
      for await (const page of pages) {
        const bytes = Buffer.from(page.map((line) => `${line}\n`).join(''));
        hash.update(bytes);
        lines += page.length;
        await file.writeFile(bytes);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    return { lines, sha256: hash.digest('hex') };
  }
}
