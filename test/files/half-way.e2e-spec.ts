import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { FileRemovals } from '../../src/files/removals.service.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { temporaryDirectory } from '../support/process.js';
import { begin, type Started, TEXT, upload } from './support/files.js';

const DAY_MS = 86_400_000;
const CHATS = 5;
/** As many as a chat may have. */
const PER_CHAT = 200;
const AT_A_TIME = 20;

/** Sends a part of the body, and closes the connection. */
async function sendHalf({ url }: Started): Promise<void> {
  const sending = request(url, { method: 'PUT', headers: { 'Content-Length': TEXT.length } });
  sending.on('error', () => undefined);
  const closed = new Promise((resolve) => sending.on('close', resolve));
  await new Promise((resolve) => sending.write(TEXT.subarray(0, 5), resolve));
  sending.destroy();
  await closed;
}

describe('1,000 uploads that end half-way', () => {
  const DATA_DIR = temporaryDirectory();
  let parley: Parley;
  let tenant: Tenant;
  let chatIds: string[];

  beforeAll(async () => {
    parley = await Parley.start({ DATA_DIR });
    tenant = await parley.createTenant();
    const { bot, admin } = tenant;
    const open = async () => (await admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201)).body.id as string;
    chatIds = await Promise.all(Array.from({ length: CHATS }, open));
    const left = chatIds.flatMap((chatId) => Array.from({ length: PER_CHAT }, () => chatId));
    const send = async () => {
      for (let chatId = left.pop(); chatId; chatId = left.pop())
        await sendHalf(await begin(bot, chatId, 'half.txt', TEXT.length));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, send));
  }, 240_000);
  afterAll(async () => {
    await parley.stop();
    rmSync(DATA_DIR, { recursive: true });
  });

  const usage = async () => (await tenant.admin.get('/files').expect(200)).body;

  it('they count as unfinished, and only their own chats have no room for more', async () => {
    expect(await usage()).toMatchObject({ files: 0, bytes: 0, unfinished: CHATS * PER_CHAT * TEXT.length });
    const full = { chatId: chatIds[0]!, name: 'a.txt', size: 1 };
    const { headers } = await tenant.bot.post('/uploads', full).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await upload(tenant.bot, tenant.chatId, 'whole.txt', TEXT);
    expect(await usage()).toMatchObject({ files: 1, bytes: TEXT.length });
  });

  it('none of them can be completed, and nothing of them is in a chat', async () => {
    const [half] = await parley.query<{ id: string }>(`SELECT id FROM files WHERE status = 'PENDING' LIMIT 1`);
    const { body } = await tenant.bot.post(`/uploads/${half!.id}/complete`, {}).expect(409);
    expect(body.code).toBe('not_uploaded');
  });

  it('the clean-up leaves no row and no byte of them', async () => {
    const removals = parley.app.get(FileRemovals);
    const later = new Date(Date.now() + DAY_MS + 60_000);
    await removals.removeUnused(later);
    await until('all removals were done', async () => {
      const due = 'SELECT FROM file_removals WHERE cleared_at IS NULL';
      return (await parley.query(due)).length === 0;
    });
    // A killed node leaves a part of a picture that it was cleaning.
    const folder = join(DATA_DIR, 'files', tenant.id, 'files');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'upl_1.aa.bb.part'), 'a part');
    await removals.removeOldBodies(later);
    expect(await usage()).toMatchObject({ files: 0, bytes: 0, unfinished: 0 });
    expect(await parley.query('SELECT id FROM files')).toEqual([]);
    const bytes = readdirSync(join(DATA_DIR, 'files', tenant.id), { recursive: true, withFileTypes: true });
    expect(bytes.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
    await tenant.bot.post('/uploads', { chatId: chatIds[0]!, name: 'a.txt', size: 1 }).expect(201);
  });
});
