import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { FileRemovals } from '../../src/files/removals.service.js';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { allowVisitors, begin, PNG, put, TEXT, upload } from './support/files.js';
import { StandInS3 } from './support/stand-in-s3.js';

const PHOTO = readFileSync(new URL('fixtures/photo.jpg', import.meta.url));
const MOVIE = readFileSync(new URL('fixtures/movie.mp4', import.meta.url));

describe('a store of files that speaks the S3 API', () => {
  let store: StandInS3;
  let parley: Parley;
  let tenant: Tenant;
  let agent: SignedInAgent;

  beforeAll(async () => {
    store = await StandInS3.start();
    parley = await Parley.start({ FILES_URL: store.url });
    tenant = await parley.createTenant();
    await allowVisitors(tenant);
    agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  });
  afterEach(() => {
    expect(store.refused.splice(0)).toEqual([]);
    store.behavior = {};
  });
  afterAll(async () => {
    await parley.stop();
    await store.stop();
  });

  const send = (name: string, bytes: Buffer) =>
    fetch(`${parley.url}/api/bot/uploads?chatId=${tenant.chatId}&name=${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.token}` },
      body: new Uint8Array(bytes),
    });
  const urlOf = async (id: string) => (await agent.client.get(`/files/${id}`).expect(200)).body.file.url as string;

  it('receives bodies from browsers, and Parley checks them there', async () => {
    const visitor = parley.visitor(tenant.visitorToken);
    const started = await begin(visitor, tenant.chatId, 'a photo.jpg', PHOTO.length);
    expect([started.url.startsWith(`${store.origin}/bucket/`), started.headers]).toEqual([true, {}]);
    expect((await put(started, PHOTO)).status).toBe(200);
    const { file } = (await visitor.post(`/uploads/${started.id}/complete`).expect(200)).body;
    expect(file).toMatchObject({ type: 'image/jpeg', name: 'a photo.jpg' });
    expect(file.size).toBeLessThan(PHOTO.length);
    const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer());
    expect([bytes.length, bytes.includes('Exif')]).toEqual([file.size, expect.any(Boolean)]);
    await until('nothing is incoming', () => !store.keys().some((key) => key.includes('/incoming/')));
    expect(store.keys()).toContainEqual(expect.stringMatching(new RegExp(`^${tenant.id}/files/${file.id}\\.\\w+$`)));
  });

  it('takes the one request, and Parley streams ranges of it', async () => {
    const response = await send('a.txt', TEXT);
    expect(response.status).toBe(201);
    const { file } = (await response.json()) as { file: { url: string; id: string } };
    const headers = { Authorization: `Bearer ${tenant.token}`, Range: 'bytes=2-4' };
    const part = await fetch(`${parley.url}/api/bot/files/${file.id}`, { headers });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/13', 'llo']);
  });

  it('takes one length only, and keeps no body that arrives after the upload has ended', async () => {
    const started = await begin(tenant.bot, tenant.chatId, 'a.txt', TEXT.length);
    expect((await put(started, Buffer.concat([TEXT, TEXT]))).status).toBe(403);
    expect(store.refused.splice(0)).toHaveLength(1);
    await put(started, TEXT);
    const { file } = (await tenant.bot.post(`/uploads/${started.id}/complete`).expect(200)).body;
    expect((await put(started, Buffer.from('Another one.\n'))).status).toBe(200);
    const headers = { Authorization: `Bearer ${tenant.token}` };
    expect(await (await fetch(file.url, { headers })).text()).toBe(TEXT.toString());
    await parley.query(`UPDATE file_removals SET due_at = now() - interval '1 s', last_at = now() - interval '1 s'`);
    parley.app.get(FileRemovals).wake();
    await until('the late body is gone', () => !store.keys().some((key) => key.includes('/incoming/')));
  });

  it('loses nothing to a removal whose key leads to another object', async () => {
    const { id } = await upload(tenant.bot, tenant.chatId, 'a.txt', TEXT);
    const [kept] = store.keys().filter((key) => key.includes(id));
    const keys = [`${tenant.id}/incoming/../../${kept}`, `${kept}?x`, `${tenant.id}\\..\\${kept}`];
    await parley.query(
      `INSERT INTO file_removals (organization_id, key, chat_id, due_at, last_at)
       SELECT $1, key, $2, now(), now() FROM unnest($3::text[]) AS key`,
      [tenant.id, tenant.chatId, keys],
    );
    parley.app.get(FileRemovals).wake();
    const waiting = () => parley.query('SELECT FROM file_removals WHERE key = ANY ($1)', [keys]);
    await until('no such removal waits', async () => (await waiting()).length === 0);
    expect(store.keys()).toContain(kept);
  });

  it('sends large media itself', async () => {
    const movie = Buffer.concat([MOVIE, Buffer.from([0, 0x90, 0, 0]), Buffer.from('free'), Buffer.alloc(0x90_00_00)]);
    const large = await upload(tenant.bot, tenant.chatId, 'movie.mp4', movie);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, files: [large.id] }).expect(200);
    const url = await urlOf(large.id);
    const response = await fetch(url, { redirect: 'manual' });
    expect([response.status, response.headers.get('cache-control'), response.headers.get('referrer-policy')]).toEqual([
      302,
      'no-store',
      'no-referrer',
    ]);
    const moved = await fetch(response.headers.get('location')!);
    expect(Object.fromEntries(moved.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': expect.stringContaining('inline'),
      'cache-control': 'private, max-age=3600, immutable',
    });
    expect((await moved.arrayBuffer()).byteLength).toBe(large.size);
    expect((await fetch(url, { method: 'HEAD', redirect: 'manual' })).status).toBe(200);
  });

  it.each([
    ['answers 500', { status: 500 }],
    ['answers 403', { status: 403 }],
  ])('makes file calls 503 without a word of it while it %s, and messages go on', async (_, behavior) => {
    const file = await upload(tenant.bot, tenant.chatId, 'a.png', PNG);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, files: [file.id] }).expect(200);
    const url = await urlOf(file.id);
    const started = await begin(tenant.bot, tenant.chatId, 'a.txt', TEXT.length);
    await put(started, TEXT);
    store.behavior = behavior;
    const answers = [await fetch(url), await send('b.txt', TEXT)];
    const completed = await tenant.bot.post(`/uploads/${started.id}/complete`).expect(503);
    expect(completed.body.code).toBe('unavailable');
    for (const answer of answers) {
      const text = await answer.text();
      expect([answer.status, answer.headers.has('retry-after'), /secret|127\.0|bucket/.test(text)]).toEqual([
        503,
        true,
        false,
      ]);
    }
    await begin(tenant.bot, tenant.chatId, 'c.txt', 1);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Hello' }).expect(200);
    expect((await fetch(`${parley.url}/health/ready`)).status).toBe(200);
    store.behavior = {};
    await tenant.bot.post(`/uploads/${started.id}/complete`).expect(200);
  });

  it('fails a copy after its 200, and the upload can be completed later', async () => {
    const started = await begin(tenant.bot, tenant.chatId, 'a.txt', TEXT.length);
    await put(started, TEXT);
    store.behavior = { failsToCopy: true };
    await tenant.bot.post(`/uploads/${started.id}/complete`).expect(503);
    store.behavior = {};
    await tenant.bot.post(`/uploads/${started.id}/complete`).expect(200);
  });

  it('ends the download when it breaks off', async () => {
    const file = await upload(tenant.bot, tenant.chatId, 'a.png', PNG);
    store.behavior = { isCut: true };
    const headers = { Authorization: `Bearer ${tenant.token}` };
    await expect(fetch(file.url, { headers }).then((response) => response.arrayBuffer())).rejects.toThrow();
  });

  it('loses the bytes of a removed upload, even when it was down', async () => {
    const file = await upload(agent.client, tenant.chatId, 'a.png', PNG);
    store.behavior = { status: 503 };
    await agent.client.delete(`/uploads/${file.id}`).expect(204);
    await until('the removal failed once', async () => {
      const rows = await parley.query(`SELECT FROM file_removals WHERE due_at > now() AND cleared_at IS NULL`);
      return rows.length > 0;
    });
    store.behavior = {};
    await until('the bytes are gone', () => !store.keys().some((key) => key.includes(file.id)));
  });

  it('gets the id that the database has', async () => {
    const [row] = (await parley.query('SELECT id FROM file_store')) as { id: string }[];
    expect(store.objects.get('store-id')?.bytes.toString().trim()).toBe(row!.id);
  });
});
