import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApi } from '../support/openapi.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('the OpenAPI document of the agent API', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sue: SignedInAgent;
  let openApi: OpenApi;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    openApi = await OpenApi.read(parley.url, '/api/agent/docs');
  });
  afterAll(() => parley.stop());

  const check = (...args: Parameters<OpenApi['check']>) => openApi.check(...args);

  it('the agent document is OpenAPI 3.1 of this API only', async () => {
    const { document } = openApi;
    expect(document.openapi).toBe('3.1.0');
    const paths = Object.keys(document.paths);
    expect(paths).toEqual(
      expect.arrayContaining(['/api/agent/chats', '/api/agent/chats/{chatId}', '/api/agent/reports']),
    );
    expect(paths.filter((path) => !path.startsWith('/api/agent/'))).toEqual([]);
    expect(document.components.securitySchemes.agentSession).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it("the service's responses match the agent document", async () => {
    const chat = '/api/agent/chats/{chatId}';
    const { chatId } = tenant;
    const { client } = sue;
    const get = async (path: string, asked: string) => check(path, 'get', await client.get(asked));
    await get('/api/agent/chats', '/chats?view=BOT');
    await tenant.bot.post('/messages', { chatId, content: 'hello' }).expect(200);
    await tenant.bot.post('/transfer', { chatId, reason: 'Wants a person' }).expect(200);
    await get('/api/agent/chats', '/chats?view=WAITING');
    await get('/api/agent/chats', '/chats?view=ALL');
    await get('/api/agent/chats', '/chats?groupId=none');
    await get('/api/agent/chats/counts', '/chats/counts');
    await client.post(`/chats/${chatId}/claim`, {}).expect(200);
    await get('/api/agent/chats', '/chats');
    await get(chat, `/chats/${chatId}`);
    await get(chat, '/chats/none');
    await get(`${chat}/messages`, `/chats/${chatId}/messages?beforeSeq=9`);
    await get(`${chat}/messages`, `/chats/${chatId}/messages?beforeSeq=9&afterSeq=1`);
    const bodies = { read: { seq: 1 }, typing: { isTyping: true }, notes: { content: 'a note' } };
    for (const [name, body] of Object.entries(bodies)) {
      check(`${chat}/${name}`, 'post', await client.post(`/chats/${chatId}/${name}`, body));
      check(`${chat}/${name}`, 'post', await client.post(`/chats/${chatId}/${name}`, {}));
      check(`${chat}/${name}`, 'post', await client.post(`/chats/none/${name}`, body));
    }
    await get(`${chat}/notes`, `/chats/${chatId}/notes`);
    const note = await client.post(`/chats/${chatId}/notes`, { content: 'mine' });
    const ofNote = `${chat}/notes/{noteId}`;
    check(ofNote, 'patch', await client.patch(`/chats/${chatId}/notes/${note.body.id}`, { content: 'changed' }));
    check(ofNote, 'patch', await client.patch(`/chats/${chatId}/notes/${note.body.id}`, {}));
    check(ofNote, 'delete', await client.delete(`/chats/${chatId}/notes/${note.body.id}`));
    check(ofNote, 'delete', await client.delete(`/chats/${chatId}/notes/${note.body.id}`));
    await get('/api/agent/chats', `/chats?view=OPEN&agentId=${sue.id}`);
    await get('/api/agent/chats', `/chats?agentId=${sue.id}`);
    const mentioned = await client.post(`/chats/${chatId}/notes`, { content: 'look', mentions: [sue.id] });
    check(`${chat}/notes`, 'post', mentioned);
    check(`${chat}/notes`, 'post', await client.post(`/chats/${chatId}/notes`, { content: 'x', mentions: ['none'] }));
    await get('/api/agent/mentions', '/mentions');
    check(`${chat}/mentions/seen`, 'post', await client.post(`/chats/${chatId}/mentions/seen`, {}));
    check(`${chat}/mentions/seen`, 'post', await client.post('/chats/none/mentions/seen', {}));
    await get('/api/agent/chats/search', '/chats/search?search=ve');
    await get('/api/agent/chats/search', '/chats/search');
    await get('/api/agent/visitors/{visitorId}/chats', `/visitors/${tenant.visitorId}/chats`);
    await get('/api/agent/visitors/{visitorId}/chats', '/visitors/none/chats');
    const replies = '/api/agent/replies';
    const made = await client.post('/replies', { shortcut: 'hi', content: 'Hello' });
    check(replies, 'post', made);
    check(replies, 'post', await client.post('/replies', { shortcut: 'hi', content: 'Hello' }));
    await get(replies, '/replies');
    const one = `${replies}/{replyId}`;
    await get(one, `/replies/${made.body.id}`);
    check(one, 'patch', await client.patch(`/replies/${made.body.id}`, { content: 'Hi' }));
    check(one, 'delete', await client.delete(`/replies/${made.body.id}`));
    check(one, 'delete', await client.delete(`/replies/${made.body.id}`));
    check('/api/agent/session', 'patch', await client.patch('/session', { name: 'Sue' }));
    check('/api/agent/session', 'patch', await client.patch('/session', { name: '' }));
    await get('/api/agent/groups', '/groups');
    await get('/api/agent/agents', '/agents');
    await get('/api/agent/offers', '/offers');
    await get('/api/agent/reports', '/reports?from=2026-01-01&to=2026-01-02');
    await get('/api/agent/reports', '/reports');
    await get('/api/agent/team', '/team');
    await get('/api/agent/team', '/team?limit=0');
    await get('/api/agent/team/groups', '/team/groups');
    const ada = await parley.signInAgent(tenant);
    check('/api/agent/reports', 'get', await ada.client.get('/reports'));
    check(replies, 'post', await ada.client.post('/replies', {}));
    check('/api/agent/chats', 'get', await parley.agent().get('/chats'));
  });
});
