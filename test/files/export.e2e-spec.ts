import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileMetrics } from '../../src/files/file-metrics.js';
import { awayFromEnd, HOUR_MS } from '../support/day.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { PNG, TEXT, upload } from './support/files.js';

const HEADERS = { Authorization: 'Bearer test-admin-token' };

describe('the export of a visitor with files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-export-'));
  const data = join(folder, 'data');
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start({ DATA_DIR: data });
  });
  afterAll(async () => {
    await parley.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const addressOf = ({ id, visitorId }: Tenant, query = '?files=true') =>
    `${parley.url}/api/admin/organizations/${id}/visitors/${visitorId}/export${query}`;

  /** The texts of the zip's files, by their path. */
  async function unzipped(tenant: Tenant): Promise<Map<string, Buffer>> {
    const response = await fetch(addressOf(tenant), { headers: HEADERS });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const target = mkdtempSync(join(folder, 'zip-'));
    writeFileSync(`${target}.zip`, Buffer.from(await response.arrayBuffer()));
    execFileSync('python3', ['-m', 'zipfile', '-e', `${target}.zip`, target]);
    const names = readdirSync(target, { recursive: true, encoding: 'utf8', withFileTypes: true });
    return new Map(
      names
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => [path.slice(target.length + 1), readFileSync(path)]),
    );
  }

  it('the zip has the JSON, and the bytes of each message', async () => {
    await awayFromEnd(HOUR_MS); // The addresses of files change with the hour.
    const tenant = await parley.createTenant();
    const { chatId, bot } = tenant;
    const page = await upload(bot, chatId, 'straße <ü>.html', TEXT);
    const picture = await upload(bot, chatId, 'a.png', PNG);
    await upload(bot, chatId, 'unused.txt', TEXT);
    await bot.post('/messages', { chatId, files: [page.id, picture.id] }).expect(200);
    const files = await unzipped(tenant);
    expect([...files.keys()].toSorted()).toEqual(
      [`files/${picture.id}/a.png`, `files/${page.id}/straße <ü>.html.txt`, 'person.json'].toSorted(),
    );
    expect(files.get(`files/${page.id}/straße <ü>.html.txt`)).toEqual(TEXT);
    expect(files.get(`files/${picture.id}/a.png`)).toEqual(PNG);
    const { body } = await tenant.admin.get(`/visitors/${tenant.visitorId}/export`).expect(200);
    expect(JSON.parse(String(files.get('person.json')))).toEqual(body);
    expect(body.chats[0].messages.at(-1).files.map(({ id }: { id: string }) => id)).toEqual([page.id, picture.id]);
  });

  it('names files whose bytes are lost, and has the others', async () => {
    const tenant = await parley.createTenant();
    const { chatId, bot } = tenant;
    const [lost, kept] = [await upload(bot, chatId, 'lost.txt', TEXT), await upload(bot, chatId, 'kept.txt', TEXT)];
    await bot.post('/messages', { chatId, files: [lost.id, kept.id] }).expect(200);
    const bytes = join(data, 'files', tenant.id, 'files');
    for (const name of readdirSync(bytes)) if (name.startsWith(lost.id)) rmSync(join(bytes, name));
    const files = await unzipped(tenant);
    expect([...files.keys()].toSorted()).toEqual([`files/${kept.id}/kept.txt`, 'missing.txt', 'person.json']);
    expect(String(files.get('missing.txt'))).toBe(`files/${lost.id}/lost.txt\n`);
  });

  it('a reader who disconnects ends the download', async () => {
    const tenant = await parley.createTenant();
    const { chatId, bot } = tenant;
    const { id } = await upload(bot, chatId, 'long.txt', Buffer.alloc(20_000_000, 'a'));
    await bot.post('/messages', { chatId, files: [id] }).expect(200);
    const ending = new AbortController();
    const response = await fetch(addressOf(tenant), { headers: HEADERS, signal: ending.signal });
    await response.body!.getReader().read();
    const metrics = parley.app.get(FileMetrics);
    await until('the file is being sent', () => metrics.downloads === 1);
    ending.abort();
    await until('the file is no longer sent', () => metrics.downloads === 0);
  });

  it('refuses another value of files, and strangers', async () => {
    const [tenant, stranger] = [await parley.createTenant(), await parley.createTenant()];
    const refused = await fetch(addressOf(tenant, '?files=yes'), { headers: HEADERS });
    expect([refused.status, JSON.stringify(await refused.json())]).toEqual([400, expect.stringContaining('files')]);
    await stranger.admin.get(`/visitors/${tenant.visitorId}/export?files=true`).expect(404);
  });
});
