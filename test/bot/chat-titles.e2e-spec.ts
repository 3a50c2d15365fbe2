import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';

describe('titles of chats', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const begin = async () => {
    const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
    const visitor = parley.visitor(chat.visitorToken);
    await visitor.post(`/chats/${chat.id}/messages`, { content: 'My shoes are too small' }).expect(201);
    const seen = async () => (await visitor.get('/chats').expect(200)).body.chats[0].title;
    return { id: chat.id as string, seen };
  };
  const rename = (id: string, body: object, by: Pick<Tenant['bot'], 'patch'> = tenant.bot) =>
    by.patch(`/chats/${id}`, body);

  it("a bot's title stands in the visitor's list until it is removed", async () => {
    const { id, seen } = await begin();
    expect(await seen()).toBe('My shoes are too small');
    expect((await rename(id, { title: '  Order 4711 ' }).expect(200)).body).toEqual({
      chatId: id,
      title: 'Order 4711',
      attributes: {},
    });
    expect(await seen()).toBe('Order 4711');
    expect((await tenant.bot.get(`/chats/${id}`).expect(200)).body.title).toBe('Order 4711');
    expect((await rename(id, {}).expect(200)).body.title).toBe('Order 4711');
    expect((await rename(id, { title: null }).expect(200)).body.title).toBeNull();
    expect(await seen()).toBe('My shoes are too small');
  });

  it('an agent who sees the chat may change its title, and others may not', async () => {
    const { id, seen } = await begin();
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const ben = await parley.signInAgent(tenant, { groupIds: [] });
    const read = async () => (await ada.client.get(`/chats/${id}`).expect(200)).body;
    const { rev, title } = await read();
    expect(title).toBeNull();
    await rename(id, { title: 'Returns' }, ada.client).expect(200);
    expect(await read()).toMatchObject({ title: 'Returns', rev: rev + 1 });
    await rename(id, { title: 'Returns' }, ada.client).expect(200);
    expect((await read()).rev).toBe(rev + 1);
    await rename(id, { title: 'Mine' }, ben.client).expect(404);
    expect(await seen()).toBe('Returns');
  });

  it('an open console learns of a new title immediately', async () => {
    const { id } = await begin();
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await ada.client.post(`/chats/${id}/claim`, {}).expect(200);
    const { rev } = (await ada.client.get(`/chats/${id}`).expect(200)).body;
    const socket = await parley.connectAgent(ada.token);
    await rename(id, { title: 'Returns' }).expect(200);
    for (let row = await socket.next('chat'); row.rev <= rev;) row = await socket.next('chat');
  });

  it.each([
    ['', 'must not be blank'],
    [' \u200b ', 'must not be blank'],
    ['x'.repeat(81), '80'],
    [7, ''],
    ['nul \u0000', ''],
    ['\ud800', ''],
  ])('an invalid title is answered 400: %j', async (title, detail) => {
    const { id } = await begin();
    const { body } = await rename(id, { title }).expect(400);
    expect(body.errors[0]).toMatchObject({ pointer: '/title', detail: expect.stringContaining(detail) });
    await rename(id, { title: '😀'.repeat(80) }).expect(200);
  });

  it('a chat of another organization, and one whose visitor was erased, are 404', async () => {
    const { id } = await begin();
    const stranger = await parley.createTenant();
    await rename(id, { title: 'Mine' }, stranger.bot).expect(404);
    const { body: chat } = await tenant.bot.get(`/chats/${id}`).expect(200);
    await rename(id, { title: 'Vera Miller' }).expect(200);
    const { text } = await tenant.admin.get(`/visitors/${chat.visitor.id}/export`).expect(200);
    expect(text).toContain('Vera Miller');
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
    await rename(id, { title: 'Mine' }).expect(404);
    expect((await tenant.bot.get(`/chats/${id}`).expect(200)).body.title).toBeNull();
  });
});
