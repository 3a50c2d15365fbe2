import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { storeCheck } from '../../src/platform/database/key/key-check.js';
import { PictureUpkeep } from '../../src/pictures/picture-upkeep.js';
import { pictureIdOf } from '../../src/platform/lib/web-url.js';
import { upload } from '../files/support/files.js';
import { PNG } from '../support/pictures.js';
import { Cli } from '../support/cli.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { createFullOrganization, snapshot } from './support/full-organization.js';

const [OWN_KEY, OTHER_KEY] = ['the-key-of-the-service', 'the-key-of-the-other'];

describe('parley export and parley import', () => {
  let from: Parley;
  let to: Parley;
  let receiver: Receiver;
  let folder: string;

  const dataOf = new Map<Parley, string>();
  const start = async (SECRET_KEY: string) => {
    const DATA_DIR = await mkdtemp(join(folder, 'data-'));
    const parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', SECRET_KEY, DATA_DIR });
    await storeCheck(async (text, values) => parley.query(text, values) as never, { SECRET_KEY });
    dataOf.set(parley, DATA_DIR);
    return parley;
  };
  const sendFile = async ({ bot, chatId }: Tenant, name: string, bytes: Buffer) => {
    const { id } = await upload(bot, chatId, name, bytes);
    await bot.post('/messages', { chatId, files: [id] }).expect(200);
    return id;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-archives-'));
    receiver = await Receiver.start();
    from = await start(OTHER_KEY);
    to = await start(OWN_KEY);
  });
  afterAll(async () => {
    await receiver.close();
    await to.stop();
    await from.stop();
    await rm(folder, { recursive: true });
  });

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const newFolder = () => mkdtemp(join(folder, 'archive-'));
  const cli = (parley: Parley, environment: NodeJS.ProcessEnv = {}) =>
    new Cli({ DATABASE_URL: parley.databaseUrl, DATA_DIR: dataOf.get(parley), ...environment });
  const take = (path: string, environment: NodeJS.ProcessEnv = {}) =>
    cli(to, { SECRET_KEY: OWN_KEY, FROM_SECRET_KEY: OTHER_KEY, ...environment }).run('import', path);
  const manifestOf = async (path: string) => JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
  const linesOf = async (path: string, name: string) =>
    (await readFile(join(path, name), 'utf8')).split('\n').filter(Boolean);
  const exported = async () => {
    const full = await createFullOrganization(from, receiver);
    const path = await newFolder();
    await cli(from).say('export', full.tenant.id, path);
    return { ...full, path };
  };
  const nothingOf = async (id: string) => {
    expect(Object.values(await snapshot(to, id)).flat()).toEqual([]);
    expect(await readdir(join(dataOf.get(to)!, 'files', id, 'files')).catch(() => [])).toEqual([]);
  };

  it('moves an organization with everything to another service, where it goes on', async () => {
    const { tenant } = await createFullOrganization(from, receiver);
    const bytes = Buffer.from('a file of 30 bytes, or so, \u{1f600}');
    const fileId = await sendFile(tenant, 'notes.txt', bytes);
    const path = await newFolder();
    const said = await cli(from).say('export', tenant.id, path);
    expect(said).toMatch(new RegExp(`^exported organization ${tenant.id} .*: 1 chats, 1\\d{3} messages, 1 files`));
    const original = await snapshot(from, tenant.id);
    const { code, stdout, stderr } = await take(path);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^imported organization .*\n(.*\n)*3 secrets were encrypted with SECRET_KEY\n(.*\n)*1 files\n$/,
    );
    const moved = await snapshot(to, tenant.id);
    const secret = { organizations: [], webhooks: [] };
    expect({ ...moved, ...secret }).toEqual({ ...original, ...secret });
    await to.bot(tenant.token).post('/messages', { chatId: tenant.chatId, content: 'goes on' }).expect(200);
    const { messages } = (await to.bot(tenant.token).get(`/chats/${tenant.chatId}/messages?afterSeq=1200`).expect(200))
      .body;
    const [file] = messages.flatMap((message: { files?: { id: string; url: string }[] }) => message.files ?? []);
    expect(file.id).toBe(fileId);
    expect(await (await fetch(file.url, { headers: { authorization: `Bearer ${tenant.token}` } })).text()).toBe(
      bytes.toString(),
    );
  });

  it('the pictures of agents move too, and get the address of the other service', async () => {
    const { tenant } = await createFullOrganization(from, receiver);
    const ada = await from.signInAgent(tenant, { name: 'Ada' });
    const avatarUrl = `data:image/png;base64,${PNG}`;
    const { body } = await ada.client.patch('/session', { avatarUrl }).expect(200);
    const id = pictureIdOf(body.agent.avatarUrl)!;
    const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer()).toString('base64');
    const bytes = await bytesOf(body.agent.avatarUrl);
    // As if it had a PUBLIC_URL.
    await from.app.get(PictureUpkeep).onModuleDestroy();
    const published = `https://chat.example.com/files/${id}/picture`;
    await from.query('UPDATE agents SET avatar_url = $2 WHERE id = $1', [ada.id, published]);
    const path = await newFolder();
    await cli(from).say('export', tenant.id, path);
    expect((await take(path)).code).toBe(0);
    await to.app.get(PictureUpkeep).run();
    const { body: agent } = await to.admin.below(`/${tenant.id}`).get(`/agents/${ada.id}`).expect(200);
    expect(agent.avatarUrl).toBe(`${to.url}/files/${id}/picture`);
    expect(await bytesOf(agent.avatarUrl)).toBe(bytes);
    const checked = await cli(to).run('files', 'check', '--json');
    expect(JSON.parse(checked.stdout)).toMatchObject({ missing: [], orphans: [] });
  });

  it('the archive has readable lines, whose counts and hashes are the same after a round trip', async () => {
    const { tenant, path } = await exported();
    const [line] = (await linesOf(path, 'messages.jsonl')).filter((text) => text.includes('quotes'));
    expect(JSON.parse(line!)).toMatchObject({ chat_id: tenant.chatId, seq: expect.any(Number) });
    expect(line).toContain('9007199254740991');
    expect((await take(path)).code).toBe(0);
    const again = await newFolder();
    await cli(to).say('export', tenant.id, again);
    const [before, after] = [await manifestOf(path), await manifestOf(again)];
    const differing = Object.keys(before.tables).filter(
      (name) => before.tables[name].sha256 !== after.tables[name].sha256,
    );
    // Secrets are encrypted with another key, and absences begin again.
    expect(differing.toSorted()).toEqual(['organizations', 'subscriptions', 'webhooks']);
    const counts = ({ tables }: any) => Object.values(tables).map(({ lines }: any) => lines);
    expect(counts(after)).toEqual(counts(before));
  });

  it('only the owner can read an archive, and both ends are in the audit log', async () => {
    const { tenant, path } = await exported();
    for (const name of await readdir(path)) expect((await stat(join(path, name))).mode & 0o077).toBe(0);
    expect((await take(path)).code).toBe(0);
    const entry = (parley: Parley) =>
      parley.query('SELECT action, details FROM installation_entries WHERE target = $1 ORDER BY at DESC LIMIT 1', [
        tenant.id,
      ]);
    expect(await entry(from)).toEqual([
      { action: 'organization.exported', details: expect.objectContaining({ chats: 1 }) },
    ]);
    expect(await entry(to)).toEqual([
      { action: 'organization.imported', details: expect.objectContaining({ chats: 1 }) },
    ]);
  });

  it('refuses what exists, what is absent, and a folder in use', async () => {
    const { tenant, path } = await exported();
    expect((await take(path)).code).toBe(0);
    expect(await take(path)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/ exists\. To replace it: parley /),
    });
    const used = await cli(from).run('export', tenant.id, path);
    expect(used).toMatchObject({ code: 1, stderr: `parley: ${path} isn't empty: name a new folder\n` });
    const absent = await cli(from).run('export', 'org_01h455vb4pex5vsknk084sn02q', await newFolder());
    expect(absent.stderr).toBe('parley: the database has no organization org_01h455vb4pex5vsknk084sn02q\n');
    const below = join(path, 'manifest.json', 'acme');
    const blocked = await cli(from).run('export', tenant.id, below);
    expect(blocked.stderr).toBe(`parley: the export failed: ENOTDIR: not a directory, mkdir '${below}'\n`);
    const empty = await newFolder();
    expect((await take(empty)).stderr).toBe(
      `parley: ${empty} has no manifest.json: it isn't an archive, or its export didn't end\n`,
    );
  });

  it('refuses an archive that was changed, cut, or is of another release or key, and leaves nothing', async () => {
    const { tenant, path } = await exported();
    const refuses = async (stderr: RegExp, environment?: NodeJS.ProcessEnv) => {
      expect(await take(path, environment)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(stderr),
      });
      await nothingOf(tenant.id);
    };
    const change = async (name: string, edit: (text: string) => string, stderr: RegExp) => {
      const file = join(path, name);
      const text = await readFile(file, 'utf8');
      await writeFile(file, edit(text));
      await refuses(stderr);
      await writeFile(file, text);
    };
    // An attacker changes the manifest too.
    const forge = async (name: string, edit: (text: string) => string, stderr: RegExp) => {
      const text = await readFile(join(path, name), 'utf8');
      const manifest = await readFile(join(path, 'manifest.json'), 'utf8');
      await writeFile(join(path, 'manifest.json'), manifest.replace(sha256(text), sha256(edit(text))));
      await change(name, edit, stderr);
      await writeFile(join(path, 'manifest.json'), manifest);
    };
    await refuses(/the archive has another SECRET_KEY: set FROM_SECRET_KEY to its key/, { FROM_SECRET_KEY: '' });
    await change(
      'messages.jsonl',
      (text) => text.replace('quotes', 'quoted'),
      /messages\.jsonl was changed since the export: its SHA-256 differs/,
    );
    await change(
      'messages.jsonl',
      (text) => text.slice(0, text.indexOf('\n') + 1),
      /messages\.jsonl has 1 lines, and \d+ were exported/,
    );
    await forge(
      'notes.jsonl',
      (text) => text.replace('{', '['),
      /from notes\.jsonl, line 1 on, PostgreSQL can't read the archive/,
    );
    await forge(
      'visitors.jsonl',
      (text) => text.replace(tenant.id, 'org_01h455vb4pex5vsknk084sn02q'),
      /visitors\.jsonl, line 1: organization_id isn't the archive's organization/,
    );
    await change(
      'manifest.json',
      (text) => text.replace('"format": 1', '"format": 2'),
      /the archive has format 2, and this release reads format 1/,
    );
    await change(
      'manifest.json',
      (text) => text.replace(/"schema": "[^"]*"/, '"schema": "Later1"'),
      /whose tables differ \(Later1, here /,
    );
    await change('manifest.json', () => '[]', /isn't the manifest of an archive/);
    await appendFile(join(path, 'bots.jsonl'), 'x');
    await refuses(/bots\.jsonl has 2 lines, and 1 were exported/);
  });

  it('an export refuses a store that is not the one of the database, and fails with lost bytes', async () => {
    const { tenant } = await createFullOrganization(from, receiver);
    const id = await sendFile(tenant, 'one.txt', Buffer.from('the bytes of this file'));
    const path = await newFolder();
    const wrong = await cli(from, { DATA_DIR: await newFolder() }).run('export', tenant.id, path);
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^parley: this store of files/) });
    expect(await readdir(path)).toEqual([]);
    await rm(join(dataOf.get(from)!, 'files', tenant.id, 'files'), { recursive: true });
    const { code, stdout, stderr } = await cli(from).run('export', tenant.id, path, '--json');
    expect([code, JSON.parse(stdout).files]).toEqual([1, expect.objectContaining({ lines: 0, missing: 1 })]);
    expect(stderr).toContain(`file ${id} has no bytes in the store: the archive has its row alone`);
    expect((await take(path)).code).toBe(0);
  });

  it('an import puts all bytes before its transaction, because no index advances during that', async () => {
    const { tenant } = await createFullOrganization(from, receiver);
    await sendFile(tenant, 'one.txt', Buffer.from('the bytes of this file'));
    const path = await newFolder();
    await cli(from).say('export', tenant.id, path);
    const other = new pg.Client(to.databaseUrl);
    await other.connect();
    await other.query('BEGIN');
    await other.query('LOCK TABLE bots IN EXCLUSIVE MODE');
    const taking = take(path);
    const bytes = () => readdir(join(dataOf.get(to)!, 'files', tenant.id, 'files')).catch(() => []);
    await until('the bytes are there', async () => (await bytes()).some((name) => !name.endsWith('.part')));
    expect((await take(path)).stderr).toBe(`parley: another import or copy of organization ${tenant.id} is running\n`);
    await other.query('COMMIT');
    await other.end();
    expect(await taking).toMatchObject({ code: 0, stderr: '' });
    expect(await bytes()).toHaveLength(1);
  });

  it('an import removes no bytes if the connection is lost during the commit, which may be done', async () => {
    const { tenant } = await createFullOrganization(from, receiver);
    await sendFile(tenant, 'one.txt', Buffer.from('the bytes of this file'));
    const path = await newFolder();
    await cli(from).say('export', tenant.id, path);
    await to.query(`CREATE FUNCTION lose_connection() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END $$`);
    await to.query(`CREATE CONSTRAINT TRIGGER lose_connection AFTER INSERT ON organizations
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION lose_connection()`);
    const { code, stderr } = await take(path);
    await to.query('DROP FUNCTION lose_connection CASCADE');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^parley: the commit had no answer, so organization org_\w+ may exist now .*repeat this;/),
    ]);
    expect(await readdir(join(dataOf.get(to)!, 'files', tenant.id, 'files'))).toHaveLength(1);
    expect((await take(path)).code).toBe(0);
  });

  it('leaves no bytes behind if a file was changed', async () => {
    const { tenant } = await createFullOrganization(from, receiver);
    const id = await sendFile(tenant, 'one.txt', Buffer.from('the bytes of this file'));
    await sendFile(tenant, 'other.txt', Buffer.from('another one'));
    const path = await newFolder();
    await cli(from).say('export', tenant.id, path);
    await writeFile(join(path, 'files', id), 'THE bytes of this file');
    expect((await take(path)).stderr).toBe(`parley: files/${id} was changed since the export: its SHA-256 differs\n`);
    await nothingOf(tenant.id);
    await rm(join(path, 'files', id));
    expect((await take(path)).stderr).toBe(`parley: files/${id} has no bytes, and 22 were exported\n`);
    await nothingOf(tenant.id);
  });
});
