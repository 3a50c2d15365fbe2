import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeCheck } from '../../src/platform/database/key/key-check.js';
import { begin, TEXT, upload } from '../files/support/files.js';
import { Cli } from '../support/cli.js';
import { Parley, type Tenant } from '../support/parley.js';
import { snapshot } from './support/full-organization.js';

const SECRET_KEY = 'the-key-of-both-services';

type Row = Record<string, unknown>;

describe('an archive that someone has written to harm other organizations', () => {
  let from: Parley;
  let to: Parley;
  let folder: string;

  const dataOf = new Map<Parley, string>();
  const start = async () => {
    const DATA_DIR = await mkdtemp(join(folder, 'data-'));
    const parley = await Parley.start({ SECRET_KEY, DATA_DIR });
    await storeCheck(async (text, values) => parley.query(text, values) as never, { SECRET_KEY });
    dataOf.set(parley, DATA_DIR);
    return parley;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-crafted-'));
    from = await start();
    to = await start();
  });
  afterAll(async () => {
    await to.stop();
    await from.stop();
    await rm(folder, { recursive: true });
  });

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const cli = (parley: Parley) =>
    new Cli({ DATABASE_URL: parley.databaseUrl, DATA_DIR: dataOf.get(parley), SECRET_KEY });
  const sendFile = async ({ bot, chatId }: Tenant) => {
    const { id } = await upload(bot, chatId, 'a.txt', TEXT);
    await bot.post('/messages', { chatId, files: [id] }).expect(200);
    return id;
  };
  /** An archive with a file that a message has, and an upload that isn't complete. */
  const exported = async () => {
    const tenant = await from.createTenant();
    const fileId = await sendFile(tenant);
    const { id: uploadId } = await begin(tenant.bot, tenant.chatId, 'b.txt', TEXT.length);
    const path = await mkdtemp(join(folder, 'archive-'));
    await cli(from).say('export', tenant.id, path);
    return { tenant, fileId, uploadId, path };
  };
  /** Changes the rows of a table, and the manifest, as an attacker does. */
  const forge = async (path: string, table: string, edit: (row: Row) => Row) => {
    const [rows, manifest] = [join(path, `${table}.jsonl`), join(path, 'manifest.json')];
    const text = await readFile(rows, 'utf8');
    const lines = text.split('\n').filter(Boolean);
    const forged = lines.map((line) => `${JSON.stringify(edit(JSON.parse(line) as Row))}\n`).join('');
    expect(forged).not.toBe(text);
    await writeFile(rows, forged);
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(sha256(text), sha256(forged)));
  };
  const refuses = async (id: string, path: string, stderr: RegExp) => {
    const result = await cli(to).run('import', path);
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
    expect(Object.values(await snapshot(to, id)).flat()).toEqual([]);
    expect(await readdir(join(dataOf.get(to)!, 'files', id, 'files')).catch(() => [])).toEqual([]);
  };

  it('the import refuses an upload whose id leads out of the store', async () => {
    const { tenant, path } = await exported();
    const id = '../../../secrets.json';
    const created_at = '2020-01-01T00:00:00+00:00';
    await forge(path, 'files', (row) => (row.status === 'PENDING' ? { ...row, id, created_at } : row));
    await refuses(tenant.id, path, /^parley: files\.jsonl, line \d: the id \.\.\/.* isn't one\n$/);
  });

  it("the import refuses a message that has another organization's file", async () => {
    const { tenant, path, fileId } = await exported();
    const stolen = await sendFile(await to.createTenant());
    const steal = (id: unknown) => (row: Row) =>
      row.files === null ? row : { ...row, files: [{ ...(row.files as Row[])[0], id }] };
    const named = new RegExp(`^parley: the archive names the file ${stolen}, which another organization has\\n$`);
    await forge(path, 'messages', steal(stolen));
    await refuses(tenant.id, path, named);
    // JavaScript reads a list of one text as that text.
    await forge(path, 'messages', steal([stolen]));
    await refuses(tenant.id, path, /^parley: the archive names a file by \["upl_/);
    await forge(path, 'messages', steal(fileId));
    await forge(path, 'files', (row) => (row.id === fileId ? { ...row, id: stolen } : row));
    await refuses(tenant.id, path, named);
  });
});
