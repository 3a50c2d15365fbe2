import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('agents find chats by their visitor', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sales: string;
  let support: string;
  let ada: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    support = (await tenant.admin.post('/groups', { name: 'Support' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [sales] });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  interface Made {
    id: string;
    visitor: { id: string };
  }
  const chatOf = async (visitor: { name: string; email?: string }, group_id: string): Promise<Made> => {
    const { body: chat } = await tenant.admin.post('/chats', { visitor }).expect(201);
    await setChat(parley, chat.id, { group_id });
    return chat;
  };
  const anotherOf = async ({ id }: { id: string }, group_id: string): Promise<Made> => {
    const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
    await setChat(parley, chat.id, { group_id, visitor_id: id });
    return chat;
  };
  const find = async ({ client }: SignedInAgent, search: string) => {
    const { body } = await client.get(`/chats/search?search=${encodeURIComponent(search)}`).expect(200);
    return (body.chats as { id: string }[]).map(({ id }) => id);
  };
  const ofVisitor = async ({ client }: SignedInAgent, visitorId: string, query = '') =>
    (await client.get(`/visitors/${visitorId}/chats?${query}`).expect(200)).body as {
      chats: { id: string }[];
      nextCursor: string | null;
    };

  it('by the beginning of the name, the last name, and the email, and by the ids, also in ended chats', async () => {
    const vera = await chatOf({ name: 'Vera Ölmann-Ost', email: 'vera@example.org' }, sales);
    const walter = await chatOf({ name: 'Walter Vess' }, sales);
    await tenant.admin.patch(`/chats/${walter.id}`, { status: 'CLOSED' }).expect(200);
    expect(await find(ada, 've')).toEqual([vera.id, walter.id]);
    for (const search of ['vera', ' VERA@ex', 'Ölmann', 'ÖLMANN-o', vera.visitor.id, vera.id]) {
      expect([search, await find(ada, search)]).toEqual([search, [vera.id]]);
    }
    for (const search of ['mann', 'example', 'cht_none', 'vis_none', '%', '_']) {
      expect([search, await find(ada, search)]).toEqual([search, []]);
    }
    const { body } = await ada.client.get('/chats/search?search=vess').expect(200);
    expect(body.chats[0]).toMatchObject({ status: 'CLOSED', visitor: { name: 'Walter Vess' }, lastMessage: null });
  });

  it('only among the chats that the agent sees, of no other organization, and the latest three of each visitor', async () => {
    const first = await chatOf({ name: 'Zoe Quill' }, sales);
    const { visitor } = first;
    const hidden = await anotherOf(visitor, support);
    const later = [await anotherOf(visitor, sales), await anotherOf(visitor, sales), await anotherOf(visitor, sales)];
    const [second, third, fourth] = later.map(({ id }) => id);
    expect(await find(ada, 'zoe')).toEqual([fourth, third, second]);
    expect(await find(ada, hidden.id)).toEqual([]);
    expect(await find(sue, hidden.id)).toEqual([hidden.id]);
    const other = await parley.createTenant();
    const stranger = await parley.signInAgent(other, { role: 'ADMIN' });
    for (const search of ['zoe', first.id, visitor.id]) expect(await find(stranger, search)).toEqual([]);
    await stranger.client.get(`/visitors/${visitor.id}/chats`).expect(404);
    expect((await ofVisitor(ada, visitor.id)).chats.map(({ id }) => id)).toEqual([fourth, third, second, first.id]);
    expect((await ofVisitor(sue, visitor.id)).chats).toHaveLength(5);
  });

  it("a visitor's chats come in pages, latest first, with their last words, rating, and agent", async () => {
    const { id, visitor } = await chatOf({ name: 'Paula' }, sales);
    await tenant.bot.post('/messages', { chatId: id, content: 'The parcel is on its way' }).expect(200);
    const { id: later } = await anotherOf(visitor, sales);
    const page = await ofVisitor(ada, visitor.id, 'limit=1');
    expect(page.chats.map((chat) => chat.id)).toEqual([later]);
    const rest = await ofVisitor(ada, visitor.id, `limit=1&cursor=${page.nextCursor}`);
    expect(rest).toMatchObject({
      chats: [{ id, owner: 'BOT', score: null, lastMessage: { content: 'The parcel is on its way' } }],
      nextCursor: null,
    });
  });

  it('a visitor without a chat that the agent sees is not found, nor is an erased one', async () => {
    const { visitor, id } = await chatOf({ name: 'Erik' }, support);
    await ada.client.get(`/visitors/${visitor.id}/chats`).expect(404);
    expect((await ofVisitor(sue, visitor.id)).chats.map((chat) => chat.id)).toEqual([id]);
    await tenant.admin.delete(`/visitors/${visitor.id}`).expect(204);
    await sue.client.get(`/visitors/${visitor.id}/chats`).expect(404);
    expect([await find(sue, 'erik'), await find(sue, id), await find(sue, visitor.id)]).toEqual([[], [], []]);
  });

  it("a problem names what's wrong with the query", async () => {
    for (const [path, pointer] of [
      ['/chats/search', '?search'],
      ['/chats/search?search=', '?search'],
      ['/chats/search?search=%20%20', '?search'],
      [`/chats/search?search=${'x'.repeat(201)}`, '?search'],
      ['/chats/search?search=a&search=b', '?search'],
      [`/visitors/${tenant.visitorId}/chats?limit=0`, '?limit'],
      [`/visitors/${tenant.visitorId}/chats?limit=101`, '?limit'],
      [`/visitors/${tenant.visitorId}/chats?cursor=x`, '?cursor'],
    ] as const) {
      const { body } = await ada.client.get(path).expect(400);
      expect([path, body.code, body.errors[0].pointer]).toEqual([path, 'validation_failed', pointer]);
    }
  });
});
