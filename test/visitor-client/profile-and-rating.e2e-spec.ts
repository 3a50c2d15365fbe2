import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { introduce, listMessageRatings, rate, rateMessage } from 'parley/visitor';
import { ClientsOnRoad, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe("the visitor's profile and rating", () => {
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

  it('a name and an address are stored as unverified, before and after the chat started', async () => {
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

  it('a profile set while the session is being created is used, even from an object that changes', async () => {
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

  it('an ended chat can be rated, and has the rating', async () => {
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    const client = clients.connect();
    const { id } = await client.openChat();
    await expect(rate(client, id, 5)).rejects.toMatchObject({ code: 'not_ended' });
    await tenant.admin.patch(`/chats/${id}`, { status: 'CLOSED' }).expect(200);
    const rating = await rate(client, id, 4, 'Good');
    expect(rating).toMatchObject({ score: 4, comment: 'Good', changedAt: null });
    await until(client.chat, (chat) => JSON.stringify(chat?.rating) === JSON.stringify(rating));
  });

  it("a bot's message can be rated, and the ratings of a chat are listed", async () => {
    await tenant.admin.patch('/widget', { messageRating: true }).expect(200);
    const client = clients.connect();
    const { id: chatId } = await client.openChat();
    await tenant.bot.post('/messages', { chatId, content: 'An answer' }).expect(200);
    const [message] = await until(client.messages, ({ length }) => length === 1);
    const rating = await rateMessage(client, message!, 'DOWN', 'Too short');
    expect(rating).toMatchObject({ messageId: message!.id, rating: 'DOWN', comment: 'Too short' });
    expect(await listMessageRatings(client, chatId)).toEqual([rating]);
    const own = await client.send('Hello');
    await expect(rateMessage(client, own, 'UP')).rejects.toMatchObject({ code: 'conflict' });
  });
});
