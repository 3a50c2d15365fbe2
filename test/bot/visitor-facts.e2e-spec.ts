import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('what bots know about a visitor', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', {}).expect(200);
  });
  afterAll(() => parley.stop());

  const poll = async () => (await tenant.bot.get('/events?wait=0').expect(200)).body.events as any[];
  const begin = async (body: object) => (await parley.beginSession(tenant, body).expect(201)).body;

  it('reads and events have the external id, and the metadata of the visitor and the chat', async () => {
    const profile = { plan: 'pro', nested: { "it's": ['"quoted"', null, 1.5] } };
    const identity = await signIdentity(tenant, { sub: 'customer "7"', name: 'Vera' });
    const session = await begin({ identity, visitor: { metadata: profile } });
    const visitor = parley.visitor(session.token);
    const page = { page: 'https://shop.example/cart?a=1&b=2', language: 'de' };
    const { body: opened } = await visitor.post('/chats', { metadata: page }).expect(201);
    const chatId: string = opened.chat.id;
    await visitor.post(`/chats/${chatId}/messages`, { content: 'hello' }).expect(201);
    // Together with others, messages are stored by another statement.
    const others = Array.from({ length: 5 }, (_, index) => `hello ${index}`);
    await Promise.all(others.map((content) => visitor.post(`/chats/${chatId}/messages`, { content }).expect(201)));
    const known = {
      metadata: page,
      visitor: {
        id: session.visitor.id,
        name: 'Vera',
        email: null,
        isVerified: true,
        externalId: 'customer "7"',
        metadata: profile,
      },
    };
    const events = await poll();
    expect(events.map(({ type }) => type)).toEqual(['chat.created', ...Array<string>(6).fill('message.created')]);
    for (const { data } of events) expect(data.chat).toMatchObject(known);
    expect((await tenant.bot.get(`/chats/${chatId}`).expect(200)).body).toMatchObject(known);
    expect((await tenant.bot.get('/chats').expect(200)).body.chats[0]).toMatchObject(known);
    expect((await tenant.admin.get(`/chats/${chatId}`).expect(200)).body).toMatchObject(known);
  });

  it('an anonymous visitor has no external id, and empty metadata', async () => {
    const { token } = await begin({});
    const { body: opened } = await parley.visitor(token).post('/chats', {}).expect(201);
    const { body } = await tenant.bot.get(`/chats/${opened.chat.id}`).expect(200);
    expect(body).toMatchObject({ metadata: {}, visitor: { externalId: null, metadata: {} } });
    const event = (await poll()).find(({ data }) => data.chat.id === opened.chat.id);
    expect(event.data.chat).toMatchObject({ metadata: {}, visitor: { externalId: null, metadata: {} } });
  });

  it('an erased visitor leaves neither an external id nor metadata', async () => {
    const identity = await signIdentity(tenant, { sub: 'to-be-erased' });
    const session = await begin({ identity, visitor: { metadata: { plan: 'pro' } } });
    const visitor = parley.visitor(session.token);
    const { body: opened } = await visitor.post('/chats', { metadata: { page: '/' } }).expect(201);
    await visitor.post(`/chats/${opened.chat.id}/messages`, { content: 'hello' }).expect(201);
    await tenant.admin.delete(`/visitors/${session.visitor.id}`).expect(204);
    const { body } = await tenant.bot.get(`/chats/${opened.chat.id}`).expect(200);
    expect(body).toMatchObject({ metadata: {}, visitor: { name: null, externalId: null, metadata: {} } });
    expect((await poll()).filter(({ data }) => data.chat.id === opened.chat.id)).toEqual([]);
  });
});
