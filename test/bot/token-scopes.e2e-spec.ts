import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { Parley, type Tenant } from '../support/parley.js';

type Method = 'get' | 'post' | 'put' | 'delete';

describe("access tokens' scopes", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const create = async (body: object) =>
    (await tenant.admin.post(`/bots/${tenant.botId}/tokens`, body).expect(201)).body;
  const withScopes = async (...scopes: string[]) => parley.bot((await create({ scopes })).token);

  /** What each route of the bot API needs. */
  const NEEDED: Record<string, 'read' | 'write' | 'handover' | 'search' | null> = {
    'get /me': null,
    'get /groups': 'read',
    'get /groups/availability': 'read',
    'get /chats': 'read',
    'get /chats/:id': 'read',
    'get /chats/:id/messages': 'read',
    'get /chats/:id/read': 'read',
    'get /chats/:id/state': 'read',
    'get /files/:fileId': 'read',
    'get /events?wait=0': 'read',
    'get /search?q=x&visitorId=vis_none': 'search',
    'get /subscription': 'read',
    'get /tags': 'read',
    'put /subscription': 'read',
    'delete /subscription': 'read',
    'post /messages': 'write',
    'post /chats': 'write',
    'post /uploads': 'write',
    'post /uploads/:uploadId/complete': 'write',
    'delete /uploads/:uploadId': 'write',
    'post /chats/:id/typing': 'write',
    'post /chats/:id/read': 'write',
    'post /chats/:id/close': 'write',
    'patch /chats/:id': 'write',
    'patch /visitors/:visitorId': 'write',
    'put /chats/:id/state': 'write',
    'put /chats/:id/tags': 'write',
    'post /chats/:id/tags': 'write',
    'post /transfer': 'handover',
    'post /chats/:id/return': 'handover',
  };

  it('every route is in the table', async () => {
    const { paths } = (await parley.bot('').get('/docs').expect(200)).body;
    const routes = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map(
        (method) =>
          `${method} ${path
            .replace('/api/bot', '')
            .replace('{chatId}', ':id')
            .replace(/\{(\w+)\}/, ':$1')}`,
      ),
    );
    const known = Object.keys(NEEDED).map((route) => route.split('?')[0]);
    expect(new Set(known)).toEqual(new Set(routes));
  });

  it.each(['read', 'write', 'handover', 'search'])(
    'a token with the scope %s alone may do nothing else',
    async (scope) => {
      const bot = await withScopes(scope);
      for (const [route, needed] of Object.entries(NEEDED)) {
        const [method, path] = route.split(' ') as [Method, string];
        const { status, body } = await bot[method](path.replace(/:\w+/, 'cht_none'), undefined as never);
        const isAllowed = needed === null || needed === scope;
        expect([route, status === 403]).toEqual([route, !isAllowed]);
        if (isAllowed) continue;
        expect(body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining(needed) });
      }
    },
  );

  it('a token without scopes may do everything besides searching, and one says what it may do', async () => {
    expect((await create({})).scopes).toBeNull();
    expect((await tenant.bot.get('/me').expect(200)).body.scopes).toEqual(['read', 'write', 'handover']);
    const bot = await withScopes('write', 'read');
    expect((await bot.get('/me').expect(200)).body.scopes).toEqual(['write', 'read']);
    await bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    await bot.post('/transfer', { chatId: tenant.chatId }).expect(403);
    const { tokens } = (await tenant.admin.get(`/bots/${tenant.botId}/tokens`).expect(200)).body;
    expect(tokens.map(({ scopes }: any) => scopes)).toContainEqual(['write', 'read']);
  });

  it('unknown scopes and an empty list are answered 400', async () => {
    for (const scopes of [[], ['admin'], 'read', ['read', 7]]) {
      const { body } = await tenant.admin.post(`/bots/${tenant.botId}/tokens`, { scopes }).expect(400);
      expect(body.errors[0].pointer).toBe('/scopes');
    }
  });

  it('a token with the scope read changes nothing, with any request', async () => {
    const { token } = await create({ scopes: ['read'] });
    const bot = parley.bot(token);
    const { chatId, visitorId } = tenant;
    const requests: [Method, string, object][] = [
      ['post', '/messages', { chatId, content: 'x' }],
      ['post', '/transfer', { chatId }],
      ['post', '/chats', { visitorId }],
      ['post', '/uploads', { chatId, name: 'a.txt', size: 1 }],
      ['post', '/uploads/upl_none/complete', {}],
      ['delete', '/uploads/upl_none', {}],
      ['post', `/chats/${chatId}/typing`, { isTyping: true, text: 'x' }],
      ['post', `/chats/${chatId}/read`, { seq: 1 }],
      ['post', `/chats/${chatId}/close`, {}],
      ['post', `/chats/${chatId}/return`, {}],
      ['put', `/chats/${chatId}/state`, { state: { a: 1 } }],
    ];
    const rows = async () => {
      const tables = ['chats', 'messages', 'chat_reads', 'bot_states', 'handoffs', 'files', 'idempotency_keys'];
      return Promise.all(tables.map((name) => parley.query(`SELECT t::text FROM ${name} t ORDER BY 1`)));
    };
    const before = await rows();
    for (const [method, path, body] of requests) {
      await bot[method](path, body).set('Idempotency-Key', 'a key').expect(403);
      await bot[method](`${path}/`, body).expect(403);
      // No other method reaches the route.
      await bot.get(path).set('X-HTTP-Method-Override', method.toUpperCase());
    }
    expect(await rows()).toEqual(before);
  });

  it("a bot's token opens no socket, and no other API", async () => {
    const { token } = await create({ scopes: ['read', 'write', 'handover'] });
    await expect(parley.connectVisitor(token)).rejects.toThrow();
    await expect(parley.connectAgent(token)).rejects.toThrow();
    const admin = new Client(`${parley.url}/api/admin/organizations/${tenant.id}`, token);
    await admin.get('/bots').expect(401);
    await admin.post(`/bots/${tenant.botId}/tokens`, {}).expect(401);
  });

  it('what a token may do does not change with another token of the bot', async () => {
    const { token } = await create({ scopes: ['read'] });
    await withScopes('write', 'handover');
    await parley.bot(token).post('/messages', { chatId: tenant.chatId, content: 'x' }).expect(403);
  });

  it('a request without the scope is refused before its body is read', async () => {
    const bot = await withScopes('read');
    await bot.post('/messages', '{').set('Content-Type', 'text/plain').expect(403);
  });
});
