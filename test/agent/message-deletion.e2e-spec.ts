import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { defaultGroupOf } from '../support/tenant.js';
import { findTraces } from '../support/traces.js';

const SECRET = 'the wrong password is 4711';

describe("deleting an agent's message", () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let bob: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    const groupIds = [await defaultGroupOf(tenant)];
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds });
    bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds });
    await ada.client.post(on('/claim'), {}).expect(200);
  });

  const on = (path: string) => `/chats/${tenant.chatId}${path}`;
  const send = async (content = SECRET) =>
    (await ada.client.post(on('/messages'), { content, metadata: { ref: content } }).expect(201)).body.message;
  const remove = (seq: number | string, agent = ada) => agent.client.delete(on(`/messages/${seq}`));
  const open = async (body: object = {}) => {
    const socket = await parley.connectVisitor(tenant.visitorToken);
    return { socket, opened: await socket.ask('chat:open', { chatId: tenant.chatId, ...body }) };
  };

  it('the message becomes a tombstone, which visitors and agents are sent', async () => {
    const message = await send();
    const { socket: visitor } = await open();
    const agent = await parley.connectAgent(bob.token);
    const { chat } = await agent.ask('chat:follow', { chatId: tenant.chatId });
    await remove(message.seq).expect(204);
    const tombstone = {
      ...message,
      content: '',
      metadata: {},
      deletedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(await visitor.next('message:deleted')).toEqual(tombstone);
    expect(await agent.next('message:deleted')).toEqual(tombstone);
    await agent.until(() =>
      agent.all('chat').some(({ rev, lastMessage }) => rev > chat.rev && lastMessage.content === ''),
    );
    const { body } = await bob.client.get(on('/messages')).expect(200);
    expect(body.messages.at(-1)).toEqual(tombstone);
  });

  it('an agent or a visitor who was offline gets the tombstone when opening the chat again', async () => {
    const message = await send();
    const last = await send('The right one follows');
    await remove(message.seq).expect(204);
    const { opened } = await open({ afterSeq: last.seq });
    expect(opened).toMatchObject({ messages: [], deleted: [{ seq: message.seq, content: '' }] });
    const agent = await parley.connectAgent(bob.token);
    const followed = await agent.ask('chat:follow', { chatId: tenant.chatId, afterSeq: last.seq });
    expect(followed).toMatchObject({ messages: [], deleted: [{ seq: message.seq, content: '' }] });
    expect((await open()).opened.deleted).toEqual([]);
  });

  it('deleting again changes nothing, and a message in an ended chat can be deleted', async () => {
    const message = await send();
    await ada.client.post(on('/close'), {}).expect(200);
    await remove(message.seq).expect(204);
    const { body: before } = await bob.client.get(on('')).expect(200);
    await remove(message.seq).expect(204);
    expect((await bob.client.get(on('')).expect(200)).body).toEqual(before);
  });

  it("other senders' messages can't be deleted, and unknown ones are 404", async () => {
    const message = await send();
    const bot = await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Beep' }).expect(200);
    expect(bot.body.status).toBe('sent');
    for (const seq of [message.seq + 1, message.seq - 1]) await remove(seq).expect(403);
    await remove(message.seq, bob).expect(403);
    for (const seq of [999, 0, -1, 1.5, 'x', '99999999999']) await remove(seq).expect(404);
    const stranger = await parley.signInAgent(await parley.createTenant());
    await remove(message.seq, stranger).expect(404);
    expect((await bob.client.get(on('/messages')).expect(200)).body.messages).toContainEqual(message);
  });

  it('nothing of the text stays in the database, and a delivery that waits is not sent', async () => {
    const receiver = await Receiver.start((_, response) => void response.writeHead(503).end());
    const { body: webhook } = await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    const words = 'only in this test: 0815';
    const message = await send(words);
    await receiver.until((received) => received.some(({ event }) => event.data.message?.id === message.id));
    await remove(message.seq).expect(204);
    expect(await findTraces(parley, words)).toEqual([]);
    const { body } = await tenant.admin.get(`/webhooks/${webhook.id}/deliveries`).expect(200);
    expect(JSON.stringify(body)).not.toContain(message.id);
    await receiver.close();
  });
});
