import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../support/client.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { until } from '../support/eventually.js';
import { begin, put, TEXT, upload } from './support/files.js';

const MB = 1_048_576;
const BODY = Buffer.alloc(2 * MB, 'full ');

// A file system of its own needs rights that not everyone has.
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

(mayMount ? describe : describe.skip)('a full disk', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'parley-full-disk-'));
  const folder = join(DATA_DIR, 'files');
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
    parley = await Parley.start({ DATA_DIR, FILES_MIN_FREE: '1' });
    tenant = await parley.createTenant();
  });
  afterAll(async () => {
    await parley?.stop();
    execFileSync('umount', [folder]);
    rmSync(DATA_DIR, { recursive: true });
  });

  it('answers 503, keeps what it has, and takes the same bytes when there is room', async () => {
    const { bot, chatId } = tenant;
    const kept = await upload(bot, chatId, 'kept.txt', TEXT);
    const started = await begin(bot, chatId, 'a.txt', BODY.length);
    const filler = join(folder, 'filler');
    writeFileSync(filler, Buffer.alloc(3 * MB));
    const refused = await put(started, BODY);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    const problem = (await refused.json()) as { code: string };
    expect([problem.code, JSON.stringify(problem).includes('ENOSPC')]).toEqual(['unavailable', false]);
    expect(readdirSync(join(folder, tenant.id, 'incoming')).filter((name) => name.startsWith(started.id))).toEqual([]);
    expect((await bot.post(`/uploads/${started.id}/complete`, {}).expect(409)).body.code).toBe('not_uploaded');
    const large = { chatId, name: 'b.txt', size: BODY.length };
    expect((await bot.post('/uploads', large).expect(503)).body.code).toBe('unavailable');
    await until('the node names both', async () => {
      const { body: node } = await new Client(parley.url, ADMIN_TOKEN).get('/health/node').expect(200);
      const causes = node.causes.filter(({ name }: { name: string }) => name === 'files_disk_full');
      return (
        causes
          .map(({ code }: { code?: string }) => code)
          .toSorted()
          .join() === 'ENOSPC,'
      );
    });
    // Messages without files and with completed ones go on.
    await bot.post('/messages', { chatId, content: 'hello' }).expect(200);
    await bot.post('/messages', { chatId, files: [kept.id] }).expect(200);
    const read = await fetch(kept.url, { headers: { Authorization: `Bearer ${tenant.token}` } });
    expect(await read.text()).toBe(TEXT.toString());
    rmSync(filler);
    expect((await put(started, BODY)).status).toBe(200);
    await bot.post(`/uploads/${started.id}/complete`, {}).expect(200);
    await bot.post('/messages', { chatId, files: [started.id] }).expect(200);
  });
});
