import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('chats that bots open and close', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const signIn = async (sub: string) => {
    const identity = await signIdentity(tenant, { sub, name: 'Vera' });
    const { body } = await parley.beginSession(tenant, { identity }).expect(201);
    return { id: body.visitor.id as string, visitor: parley.visitor(body.token) };
  };
  const open = (body: object) => tenant.bot.post('/chats', body);

  it('a bot learns its name and its organization', async () => {
    const { body } = await tenant.bot.get('/me').expect(200);
    const organization = { id: tenant.id, name: 'Acme', widgetKey: tenant.widgetKey };
    expect(body).toEqual({
      id: tenant.botId,
      name: 'Bot',
      organization,
      scopes: ['read', 'write', 'handover'],
      onlyOwnChats: false,
    });
  });

  it('a bot opens a chat with a known visitor, and a retry gets the same chat', async () => {
    const { id, visitor } = await signIn('customer-1');
    const { body: first } = await open({ externalId: 'customer-1', metadata: { order: 7 } }).expect(200);
    expect(first).toMatchObject({
      isNew: true,
      chat: { owner: 'BOT', visitor: { id, name: 'Vera' }, messageCount: 0 },
    });
    const { body: again } = await open({ visitorId: id }).expect(200);
    expect(again).toEqual({ chat: first.chat, isNew: false });
    await tenant.bot.post('/messages', { chatId: first.chat.id, content: 'Your parcel has left' }).expect(200);
    const { body: opened } = await visitor.post('/chats', {}).expect(201);
    expect(opened.chat).toMatchObject({ id: first.chat.id, metadata: { order: 7 } });
    expect(opened.messages[0].content).toBe('Your parcel has left');
  });

  it('simultaneous requests of several copies open one chat', async () => {
    const { id } = await signIn('customer-2');
    const answers = await Promise.all(Array.from({ length: 5 }, () => open({ visitorId: id }).expect(200)));
    expect(new Set(answers.map(({ body }) => body.chat.id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.isNew)).toHaveLength(1);
  });

  it('a chat is opened only for exactly one visitor who exists', async () => {
    const { id } = await signIn('customer-3');
    for (const body of [{}, { visitorId: id, externalId: 'customer-3' }, { visitorId: null }]) {
      expect((await open(body).expect(400)).body.errors).toEqual([
        { pointer: '/visitorId', detail: 'must be given, or externalId, and not both' },
      ]);
    }
    expect((await open({ visitorId: 'vis_none' }).expect(404)).body.detail).toBe('Visitor not found');
    await open({ externalId: 'nobody' }).expect(404);
    // The placeholder that owns the chats of erased visitors has an empty external id.
    await open({ externalId: '' }).expect(400);
    await tenant.admin.delete(`/visitors/${id}`).expect(204);
    await open({ visitorId: id }).expect(404);
    await open({ externalId: 'customer-3' }).expect(404);
  });

  it("another organization's visitor is unknown, by either id", async () => {
    const other = await parley.createTenant();
    const identity = await signIdentity(other, { sub: 'their-customer' });
    const { body } = await parley.beginSession(other, { identity }).expect(201);
    const chats = async () => parley.query('SELECT FROM chats WHERE organization_id = $1', [tenant.id]);
    const before = (await chats()).length;
    for (const ids of [{ visitorId: body.visitor.id }, { externalId: 'their-customer' }])
      expect((await open(ids).expect(404)).body.detail).toBe('Visitor not found');
    expect((await chats()).length).toBe(before);
  });

  it("the list can be limited to one visitor's chats", async () => {
    const { id } = await signIn('customer-4');
    const { body: first } = await open({ visitorId: id }).expect(200);
    await tenant.bot.post(`/chats/${first.chat.id}/close`).expect(200);
    const { body: second } = await open({ visitorId: id }).expect(200);
    const list = async (query: string) => (await tenant.bot.get(`/chats?visitorId=${id}${query}`).expect(200)).body;
    const ids = ({ chats }: { chats: { id: string }[] }) => chats.map((chat) => chat.id);
    expect(ids(await list(''))).toEqual([second.chat.id, first.chat.id]);
    expect(ids(await list('&owner=BOT'))).toEqual([second.chat.id]);
    const page = await list('&limit=1');
    expect(ids(await list(`&cursor=${page.nextCursor}`))).toEqual([first.chat.id]);
    await tenant.bot.get(`/chats?visitorId=`).expect(400);
  });

  it('a bot closes its chat once, and no chat that an agent has if it asks so', async () => {
    const { id } = await signIn('customer-5');
    const { body } = await open({ visitorId: id }).expect(200);
    const chatId: string = body.chat.id;
    const agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const close = (more: object = {}) => tenant.bot.post(`/chats/${chatId}/close`, more);
    await agent.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    expect((await close({ ifOwner: 'BOT' }).expect(409)).body).toMatchObject({ code: 'not_owner', owner: 'AGENT' });
    await agent.client.post(`/chats/${chatId}/return`, {}).expect(200);
    for (let time = 0; time < 2; time++) {
      expect((await close({ ifOwner: 'BOT' }).expect(200)).body).toEqual({ chatId, owner: 'NOBODY' });
    }
    const { messages } = (await tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).body;
    const closings = messages.filter((one: any) => one.metadata.event === 'chat.closed');
    expect(closings.map((one: any) => one.content)).toEqual(['Bot closed the chat']);
    await tenant.admin.patch(`/chats/${chatId}`, { status: 'ARCHIVED' }).expect(200);
    await close().expect(200);
    expect((await tenant.bot.get(`/chats/${chatId}`).expect(200)).body.status).toBe('ARCHIVED');
  });
});
