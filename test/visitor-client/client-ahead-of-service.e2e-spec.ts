import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createVisitorClient, type VisitorClient } from 'parley/visitor';
import { memory, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Road } from '../support/road.js';

describe('a client that knows more than a restored service', () => {
  let parley: Parley;
  let tenant: Tenant;
  let road: Road;
  let client: VisitorClient;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    road = await Road.to(parley.url);
    client = createVisitorClient({ url: road.url, widgetKey: tenant.widgetKey, storage: memory() });
  });
  afterEach(async () => {
    client.close();
    await road.close();
  });

  const say = (chatId: string, content: string) => tenant.bot.post('/messages', { chatId, content }).expect(200);
  const contents = () => client.messages.value.map(({ content }) => content);
  /** Deletes the latest messages, like restoring an older backup. */
  const rewind = (chatId: string, toSeq: number) =>
    parley.query(
      `WITH gone AS (DELETE FROM messages WHERE chat_id = $1 AND seq > $2)
      UPDATE chats SET message_count = $2 WHERE id = $1`,
      [chatId, toSeq],
    );

  it('a client ahead of the service gets the latest seq, and nothing after it', async () => {
    await say(tenant.chatId, 'one');
    const ahead = { messages: [], latestSeq: 1, hasMore: false };
    expect((await tenant.bot.get(`/chats/${tenant.chatId}/messages?afterSeq=5`).expect(200)).body).toEqual(ahead);
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    expect(await visitor.ask('sync', { chatId: tenant.chatId, afterSeq: 5 })).toEqual({ ok: true, ...ahead });
    expect(await visitor.ask('chat:open', { chatId: tenant.chatId, afterSeq: 5 })).toMatchObject({
      ok: true,
      ...ahead,
    });
  });

  it("the client discards messages that the restored service doesn't have, and misses no new one", async () => {
    const chat = await client.openChat();
    for (const content of ['one', 'two', 'three', 'four']) await say(chat.id, content);
    await until(client.messages, ({ length }) => length === 4);
    const heard: string[] = [];
    client.onMessage(({ content }) => heard.push(content));
    road.cut();
    await until(client.connection, ({ state }) => state === 'offline');
    await rewind(chat.id, 2);
    road.isCut = false;
    await until(client.messages, () => contents().join() === 'one,two');
    await say(chat.id, 'another three');
    await until(client.messages, ({ length }) => length === 3);
    expect(contents()).toEqual(['one', 'two', 'another three']);
    expect(heard).toEqual(['another three']);
    expect(client.chat.value?.id).toBe(chat.id);
    expect(await client.send('mine')).toMatchObject({ seq: 4 });
  });

  it('the client starts a new chat as a new visitor when its visitor was erased', async () => {
    const chat = await client.openChat();
    const { sender } = await client.send('my name is Vera');
    await tenant.admin.delete(`/visitors/${sender.id}`).expect(204);
    await until(client.chat, (now) => now !== null && now.id !== chat.id);
    expect(contents()).toEqual([]);
    expect(await client.send('hello again')).toMatchObject({ seq: 1 });
  });
});
