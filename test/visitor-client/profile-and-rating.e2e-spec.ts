import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { introduce, rate } from 'parley/visitor';
import { ClientsOnRoad, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe("what a visitor's client tells of the visitor and the chat", () => {
  let parley: Parley;
  let tenant: Tenant;
  let clients: ClientsOnRoad;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    clients = await ClientsOnRoad.to(parley.url, tenant);
  });
  afterEach(() => clients.close());

  const visitorOf = async (chatId: string) => (await tenant.bot.get(`/chats/${chatId}`).expect(200)).body.visitor;

  it('is a name or an address that is kept, unverified, before and after the chat began', async () => {
    const client = clients.connect({ visitor: { name: 'V', metadata: { plan: 'pro' } } });
    await introduce(client, tenant.widgetKey, { email: 'v@example.com' });
    const { id } = await client.openChat();
    expect(await visitorOf(id)).toMatchObject({ name: 'V', email: 'v@example.com', isVerified: false });
    await introduce(client, tenant.widgetKey, { name: 'Vera' });
    expect(await visitorOf(id)).toMatchObject({ name: 'Vera', email: 'v@example.com', isVerified: false });
    const tooLong = introduce(client, tenant.widgetKey, { email: 'x'.repeat(321) });
    await expect(tooLong).rejects.toMatchObject({ code: 'validation_failed' });
    await client.send('still here');
  });

  it('is what the page says while the session is being made, also of an object that it changes', async () => {
    const visitor = { name: 'First' };
    const client = clients.connect({ visitor });
    const opened = client.openChat();
    visitor.name = 'Second';
    await client.setVisitor(visitor);
    const { id } = await opened;
    expect(await visitorOf(id)).toMatchObject({ name: 'Second' });
    visitor.name = 'Third';
    await client.setVisitor(visitor);
    expect(await visitorOf(id)).toMatchObject({ name: 'Third' });
  });

  it('is a rating of the chat that has ended, which the chat then has', async () => {
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    const client = clients.connect();
    const { id } = await client.openChat();
    await expect(rate(client, id, 5)).rejects.toMatchObject({ code: 'not_ended' });
    await tenant.admin.patch(`/chats/${id}`, { status: 'CLOSED' }).expect(200);
    const rating = await rate(client, id, 4, 'Good');
    expect(rating).toMatchObject({ score: 4, comment: 'Good', changedAt: null });
    await until(client.chat, (chat) => JSON.stringify(chat?.rating) === JSON.stringify(rating));
  });
});
