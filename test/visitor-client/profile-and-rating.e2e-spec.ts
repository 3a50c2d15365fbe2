import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientsOnRoad, memory, until } from '../support/observing.js';
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

  it('is kept before and after the chat began, beside what the page says, and forgotten with the visitor', async () => {
    const storage = memory();
    const client = clients.connect({ storage, visitor: { name: 'V', metadata: { plan: 'pro' } } });
    await client.introduce({ email: 'v@example.com' });
    const { id } = await client.openChat();
    expect(await visitorOf(id)).toMatchObject({ name: 'V', email: 'v@example.com', isVerified: false });
    expect(client.isIntroduced()).toBe(true);
    await client.introduce({ name: 'Vera' });
    expect(await visitorOf(id)).toMatchObject({ name: 'Vera', email: 'v@example.com', isVerified: false });
    expect(clients.connect({ storage }).isIntroduced()).toBe(true);
    await expect(client.introduce({ email: 'x'.repeat(321) })).rejects.toMatchObject({ code: 'validation_failed' });
    await client.identify(null);
    expect(client.isIntroduced()).toBe(false);
    const other = await client.openChat();
    expect(await visitorOf(other.id)).toMatchObject({ name: 'V', email: null });
  });

  it('is a rating of the chat that has ended, shown in the chat', async () => {
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    const client = clients.connect();
    const { id } = await client.openChat();
    await expect(client.rate(5)).rejects.toMatchObject({ code: 'not_ended' });
    await tenant.admin.patch(`/chats/${id}`, { status: 'CLOSED' }).expect(200);
    const rating = await client.rate(4, 'Good');
    expect(rating).toMatchObject({ score: 4, comment: 'Good', changedAt: null });
    expect(client.chat.value!.rating).toEqual(rating);
    await client.rate(5);
    await until(client.chat, (chat) => chat?.rating?.score === 5 && chat.status === 'CLOSED');
  });
});
