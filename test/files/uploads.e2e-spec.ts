import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { allowVisitors, begin, PNG, put, type SentFile, TEXT, upload } from './support/files.js';

describe('uploads', () => {
  let parley: Parley;
  let tenant: Tenant;
  let visitor: Client;
  let agent: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    await allowVisitors(tenant);
    visitor = parley.visitor(tenant.visitorToken);
    agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const senders = (): [string, Client][] => [
    ['a bot', tenant.bot],
    ['an agent', agent.client],
    ['a visitor', visitor],
  ];

  it('takes three calls, for bots, agents, and visitors', async () => {
    for (const [who, api] of senders()) {
      const started = await begin(api, tenant.chatId, 'note.md', TEXT.length);
      expect(started).toMatchObject({ id: expect.stringMatching(/^upl_/), method: 'PUT', headers: {} });
      expect((await api.post(`/uploads/${started.id}/complete`, {}).expect(409)).body.code).toBe('not_uploaded');
      const response = await put(started, TEXT);
      expect([who, response.status, await response.text()]).toEqual([who, 200, '']);
      const { file } = (await api.post(`/uploads/${started.id}/complete`).expect(200)).body;
      expect(file).toEqual({ id: started.id, name: 'note.md', size: 13, type: 'text/plain', url: expect.any(String) });
      expect((await api.post(`/uploads/${started.id}/complete`, {}).expect(200)).body.file.id).toBe(started.id);
      expect((await put(started, TEXT)).status).toBe(403);
    }
  });

  it('takes one request with the bytes, and says what a picture is', async () => {
    const tokens = { bot: tenant.token, agent: agent.token, visitor: tenant.visitorToken };
    for (const [audience, token] of Object.entries(tokens)) {
      const response = await fetch(
        `${parley.url}/api/${audience}/uploads?chatId=${tenant.chatId}&name=${encodeURIComponent('a ä.png')}`,
        { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: new Uint8Array(PNG) },
      );
      expect([audience, response.status]).toEqual([audience, 201]);
      const body = (await response.json()) as { file: SentFile };
      expect(body.file).toMatchObject({ name: 'a ä.png', size: PNG.length, type: 'image/png', width: 3, height: 2 });
    }
  });

  it('completes once, however often it is called at the same time', async () => {
    const started = await begin(tenant.bot, tenant.chatId, 'a.txt', TEXT.length);
    await put(started, TEXT);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.bot.post(`/uploads/${started.id}/complete`, {})),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [row] = await parley.query('SELECT count(*)::int AS count FROM file_removals WHERE key LIKE $1', [
      `%/files/${started.id}.%`,
    ]);
    expect(row).toEqual({ count: 0 });
  });

  it('refuses a body of another length, and lets the right one follow', async () => {
    const started = await begin(tenant.bot, tenant.chatId, 'a.txt', TEXT.length);
    for (const bytes of [TEXT.subarray(1), Buffer.concat([TEXT, TEXT])]) {
      const response = await put(started, bytes);
      expect([response.status, ((await response.json()) as { errors: object[] }).errors]).toMatchObject([
        400,
        [{ pointer: 'Content-Length' }],
      ]);
    }
    expect((await put(started, TEXT)).status).toBe(200);
    await tenant.bot.post(`/uploads/${started.id}/complete`, {}).expect(200);
  });

  it('gives one answer for every address that takes no bytes', async () => {
    const started = await begin(tenant.bot, tenant.chatId, 'a.txt', TEXT.length);
    const other = await begin(tenant.bot, tenant.chatId, 'a.txt', TEXT.length);
    const addresses = [
      started.url.replace(/signature=(.)/, (_, first: string) => `signature=${first === '_' ? '-' : '_'}`),
      started.url.replace(started.id, other.id),
      started.url.replace(/expires=\d+/, 'expires=99999999999'),
      started.url.replace(/\?.*/, ''),
    ];
    for (const url of addresses) {
      const response = await put({ ...started, url }, TEXT);
      expect([url, response.status]).toEqual([url, 403]);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('refuses types forever, and removes their bytes', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const started = await begin(visitor, tenant.chatId, 'a.png', svg.length);
    await put(started, svg);
    for (const _ of [1, 2]) {
      const { body } = await visitor.post(`/uploads/${started.id}/complete`, {}).expect(409);
      expect(body.code).toBe('type_not_allowed');
    }
    expect((await put(started, svg)).status).toBe(403);
    const rows = await parley.query('SELECT key FROM file_removals WHERE key LIKE $1 AND cleared_at IS NULL', [
      `%${started.id}%`,
    ]);
    expect(rows).toEqual([]);
  });

  it('checks names, sizes, and the form of one request', async () => {
    const { chatId, bot } = tenant;
    const given: [object, string][] = [
      [{ chatId, name: 'a/b', size: 1 }, '/name'],
      [{ chatId, name: ' ', size: 1 }, '/name'],
      [{ chatId, size: 1 }, '/name'],
      [{ chatId, name: 'a', size: 0 }, '/size'],
      [{ chatId, name: 'a', size: 1.5 }, '/size'],
      [{ chatId, name: 'a', size: 26_214_401 }, '/size'],
      [{ name: 'a', size: 1 }, '/chatId'],
    ];
    for (const [body, pointer] of given)
      expect((await bot.post('/uploads', body).expect(400)).body.errors).toMatchObject([{ pointer }]);
    const send = (query: string, headers: Record<string, string>, body = 'x') =>
      fetch(`${parley.url}/api/bot/uploads?${query}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenant.token}`, ...headers },
        body,
      });
    expect((await send(`chatId=${chatId}&name=a`, { 'Content-Type': 'multipart/form-data; boundary=a' })).status).toBe(
      415,
    );
    expect((await send(`chatId=${chatId}&name=a`, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await send(`chatId=${chatId}&name=a`, {}, '')).status).toBe(400);
    expect((await send(`chatId=${chatId}&name=a%2Fb`, {})).status).toBe(400);
    const large = await send(`chatId=${chatId}&name=a`, {}, 'x'.repeat(8_388_609));
    expect([large.status, ((await large.json()) as { code: string }).code]).toEqual([400, 'body_too_large']);
  });

  it('hides an upload from everyone but its uploader', async () => {
    const mine = await upload(tenant.bot, tenant.chatId, 'a.txt', TEXT);
    for (const api of [visitor, agent.client]) {
      await api.post(`/uploads/${mine.id}/complete`, {}).expect(404);
      await api.delete(`/uploads/${mine.id}`).expect(404);
      await api.get(`/files/${mine.id}`).expect(404);
    }
    const stranger = await parley.createTenant();
    await stranger.bot.post(`/uploads/${mine.id}/complete`, {}).expect(404);
    await stranger.bot.post('/uploads', { chatId: tenant.chatId, name: 'a', size: 1 }).expect(404);
    await tenant.bot.delete(`/uploads/${mine.id}`).expect(204);
    await tenant.bot.delete(`/uploads/${mine.id}`).expect(404);
    await tenant.bot.post(`/uploads/${mine.id}/complete`, {}).expect(404);
  });

  it('lets visitors upload only into their own open chat, where the organization allows it', async () => {
    const closed = await parley.createTenant();
    const api = parley.visitor(closed.visitorToken);
    const file = { chatId: closed.chatId, name: 'a', size: 1 };
    await api.post('/uploads', file).expect(403);
    await api.post('/uploads', { ...file, chatId: 'cht_unknown' }).expect(403);
    await allowVisitors(closed);
    await api.post('/uploads', { ...file, chatId: tenant.chatId }).expect(404);
    expect((await api.post('/chats', { chatId: closed.chatId }).expect(201)).body.visitorUploads).toEqual({
      maxSize: 26_214_400,
    });
    await api.post(`/chats/${closed.chatId}/close`, {}).expect(200);
    expect((await api.post('/uploads', file).expect(409)).body.code).toBe('conflict');
  });

  it('counts what visitors upload, and what an organization stores', async () => {
    const small = await parley.createTenant();
    await allowVisitors(small);
    const api = parley.visitor(small.visitorToken);
    for (let count = 0; count < 10; count++) await begin(api, small.chatId, 'a', 5);
    const limited = await api.post('/uploads', { chatId: small.chatId, name: 'a', size: 5 }).expect(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    await small.admin.patch('', { fileQuota: 60 }).expect(200);
    await upload(small.bot, small.chatId, 'a.txt', Buffer.from('12345'));
    const full = await small.bot.post('/uploads', { chatId: small.chatId, name: 'a', size: 6 }).expect(409);
    expect(full.body.code).toBe('quota_exceeded');
    await begin(small.bot, small.chatId, 'a', 5);
    expect((await small.admin.get('/files').expect(200)).body).toEqual({
      files: 1,
      bytes: 5,
      unfinished: 55,
      quota: 60,
    });
  });

  it('completes no upload that does not count anymore, so that the quota holds', async () => {
    const small = await parley.createTenant();
    await small.admin.patch('', { fileQuota: TEXT.length }).expect(200);
    const late = await begin(small.bot, small.chatId, 'late.txt', TEXT.length);
    expect((await put(late, TEXT)).status).toBe(200);
    await parley.query("UPDATE files SET created_at = created_at - interval '75 minutes' WHERE id = $1", [late.id]);
    await upload(small.bot, small.chatId, 'next.txt', TEXT);
    await small.bot.post(`/uploads/${late.id}/complete`, {}).expect(404);
    expect((await small.admin.get('/files').expect(200)).body).toMatchObject({ files: 1, bytes: TEXT.length });
  });

  it('gives the right bytes to the right sender of two files', async () => {
    const files: SentFile[] = [];
    for (const text of ['one', 'two']) files.push(await upload(tenant.bot, tenant.chatId, 'n.txt', Buffer.from(text)));
    for (const [index, { url }] of files.entries()) {
      const response = await fetch(url, { headers: { Authorization: `Bearer ${tenant.token}` } });
      expect(await response.text()).toBe(['one', 'two'][index]);
    }
  });
});
