import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

/** A bot that polls. */
interface Poller {
  id: string;
  client: Client;
  /** The types of the events since the last call, with the contents of messages. */
  poll: () => Promise<string[]>;
}

describe('a group that names its bot', () => {
  let parley: Parley;
  let tenant: Tenant;
  let groupId: string;
  let own: Poller;
  let other: Poller;

  const toPoller = async (id: string, client: Client): Promise<Poller> => {
    await client.put('/subscription', { senderTypes: ['VISITOR', 'SYSTEM', 'AGENT', 'BOT'] }).expect(200);
    let ack = '';
    const poll = async () => {
      const { body } = await client.get(`/events?wait=0${ack}`).expect(200);
      ack = `&ack=${body.ack}`;
      return body.events.map(({ type, data }: any) => (data.message ? data.message.content : type));
    };
    return { id, client, poll };
  };
  const addBot = async (to = tenant): Promise<Poller> => {
    const { body: bot } = await to.admin.post('/bots', { name: 'Second' }).expect(201);
    const { body } = await to.admin.post(`/bots/${bot.id}/tokens`, {}).expect(201);
    return toPoller(bot.id, parley.bot(body.token));
  };
  const nameBot = (botId: string | null, id = groupId) => tenant.admin.patch(`/groups/${id}`, { botId });
  const say = (content: string) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    groupId = (await tenant.bot.get('/groups').expect(200)).body[0].id;
    own = await toPoller(tenant.botId, tenant.bot);
    other = await addBot();
  });

  it('every bot gets the chats of a group that names none', async () => {
    await say('one');
    expect([await own.poll(), await other.poll()]).toEqual([['one'], ['one']]);
    const send = { chatId: tenant.chatId, content: 'two', ifOwner: 'BOT' };
    await other.client.post('/messages', send).expect(200);
  });

  it('only the bot of the group gets its events', async () => {
    expect((await nameBot(own.id).expect(200)).body.botId).toBe(own.id);
    await Promise.all(['one', 'two', 'three'].map(say));
    await tenant.admin.post('/chats', {}).expect(201);
    await tenant.bot.post(`/chats/${tenant.chatId}/close`).expect(200);
    expect((await own.poll()).toSorted()).toEqual(
      ['Bot closed the chat', 'chat.closed', 'chat.created', 'one', 'three', 'two'].toSorted(),
    );
    expect(await other.poll()).toEqual([]);
    expect((await nameBot(null).expect(200)).body.botId).toBeNull();
    await say('four');
    expect(await other.poll()).toEqual(expect.arrayContaining(['four']));
  });

  it('another bot of the organization cannot write, type, transfer, or close with ifOwner', async () => {
    await nameBot(own.id).expect(200);
    const { chatId } = tenant;
    const requests: [string, object][] = [
      ['/messages', { chatId, content: 'mine?', ifOwner: 'BOT' }],
      [`/chats/${chatId}/typing`, { isTyping: true, ifOwner: 'BOT' }],
      ['/transfer', { chatId, ifOwner: 'BOT' }],
      [`/chats/${chatId}/close`, { ifOwner: 'BOT' }],
    ];
    for (const [path, body] of requests) {
      const answer = (await other.client.post(path, body).expect(409)).body;
      expect([path, answer.code, answer.owner]).toEqual([path, 'not_owner', 'BOT']);
      expect(answer.detail).toBe('ifOwner does not match: the chat is with another bot');
    }
    const together = Array.from({ length: 8 }, (_, index) =>
      other.client
        .post('/messages', { chatId, content: `${index}`, ifOwner: 'BOT' })
        .set('Idempotency-Key', `${index}`),
    );
    for (const { status } of await Promise.all(together)) expect(status).toBe(409);
    // After its transfer, the chat is with the queue.
    for (const [path, body] of requests.slice(0, 3)) await own.client.post(path, body).expect(200);
    const { messages } = (await tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).body;
    expect(messages.map(({ content }: any) => content)).toEqual(
      expect.arrayContaining(['mine?', 'Chat transferred by bot']),
    );
    expect(messages.filter(({ content }: any) => content === 'mine?')).toHaveLength(1);
  });

  it("a chat moves to another group's bot with its transfer, and that bot takes it back from the queue", async () => {
    const { body: sales } = await tenant.admin.post('/groups', { name: 'Sales', botId: other.id }).expect(201);
    await nameBot(own.id).expect(200);
    await say('one');
    await own.client.post('/transfer', { chatId: tenant.chatId, targetGroupId: sales.id, ifOwner: 'BOT' }).expect(200);
    expect(await own.poll()).toEqual(['one']);
    expect(await other.poll()).toEqual(expect.arrayContaining(['chat.transferred', 'Chat transferred by bot']));
    await other.client.post(`/chats/${tenant.chatId}/return`, {}).expect(200);
    await say('two');
    expect(await own.poll()).toEqual([]);
    expect(await other.poll()).toEqual(expect.arrayContaining(['chat.returned', 'two']));
    const chat = (await own.client.get(`/chats/${tenant.chatId}`).expect(200)).body;
    expect(chat.group).toEqual({ id: sales.id, name: 'Sales', botId: other.id });
    const refused = { chatId: tenant.chatId, content: 'late', ifOwner: 'BOT' };
    await own.client.post('/messages', refused).expect(409);
    await other.client.post('/messages', refused).expect(200);
  });

  describe('passed to another bot', () => {
    let sales: { id: string };
    const pass = (body: object) =>
      own.client.post('/transfer', { chatId: tenant.chatId, targetBotId: other.id, ...body });
    beforeEach(async () => {
      sales = (await tenant.admin.post('/groups', { name: 'Sales', botId: other.id }).expect(201)).body;
      await nameBot(own.id).expect(200);
    });

    it('a chat goes to the other bot in one call, with the note in the event', async () => {
      await say('one');
      const { body } = await pass({ summary: 'Wants a quote', reason: 'Sales', ifOwner: 'BOT' }).expect(200);
      expect(body).toEqual({ chatId: tenant.chatId, newStatus: 'ACTIVE', assignedTo: null, groupId: sales.id });
      const { events } = (await other.client.get('/events?wait=0').expect(200)).body;
      expect(events[0]).toMatchObject({
        type: 'chat.returned',
        data: { note: 'Wants a quote', reason: 'Sales', previousGroupId: groupId },
      });
      expect(events[0].data).toMatchObject({
        by: { type: 'BOT', id: own.id },
        chat: { owner: 'BOT', group: { id: sales.id } },
      });
      expect(events[1].data.message.metadata).toEqual({ event: 'chat.returned', reason: 'Sales' });
      expect(await own.poll()).toEqual(['one']);
      await own.client.post('/messages', { chatId: tenant.chatId, content: 'late', ifOwner: 'BOT' }).expect(409);
      await other.client.post('/messages', { chatId: tenant.chatId, content: 'here', ifOwner: 'BOT' }).expect(200);
    });

    it('a repeated call changes nothing, and a key is answered as the first time', async () => {
      const first = await pass({ summary: 'a' }).set('Idempotency-Key', 'pass').expect(200);
      const again = await pass({ summary: 'a' }).set('Idempotency-Key', 'pass').expect(200);
      expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
      await pass({ summary: 'a', targetBotId: own.id }).set('Idempotency-Key', 'pass').expect(422);
      await pass({}).expect(200);
      expect(await other.poll()).toEqual(['chat.returned', 'The chat continues with the bot']);
    });

    it('a chat that waits leaves the queue, and a chat of an agent stays', async () => {
      await own.client.post('/transfer', { chatId: tenant.chatId }).expect(200);
      await pass({}).expect(200);
      const agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
      await agent.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      expect((await pass({ targetBotId: own.id }).expect(409)).body).toMatchObject({
        code: 'not_owner',
        owner: 'AGENT',
      });
      const { body } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
      expect(body.assignedTo.id).toBe(agent.id);
    });

    it('a bot of several groups gets it in the one that is named', async () => {
      const { body: second } = await tenant.admin.post('/groups', { name: 'A', botId: other.id }).expect(201);
      expect((await pass({ targetGroupId: sales.id }).expect(200)).body.groupId).toBe(sales.id);
      expect(second.id).not.toBe(sales.id);
    });

    it('a bot that is unknown, or that no such group names, is refused, and nothing changes', async () => {
      const stranger = await parley.createTenant();
      await pass({ targetBotId: stranger.botId }).expect(404);
      await pass({ targetGroupId: groupId }).expect(409);
      await nameBot(null, sales.id).expect(200);
      expect((await pass({}).expect(409)).body.code).toBe('conflict');
      for (const wrong of [{ maxWaitSeconds: 5 }, { ifUnavailable: 'FAIL' }, { onUnanswered: 'KEEP' }]) {
        const { errors } = (await pass(wrong).expect(400)).body;
        expect(errors).toEqual([{ pointer: '/targetBotId', detail: expect.stringContaining(Object.keys(wrong)[0]!) }]);
      }
      await tenant.bot.post(`/chats/${tenant.chatId}/close`).expect(200);
      await pass({}).expect(409);
    });
  });

  it('a bot opens a chat in the group that it names', async () => {
    const { body: sales } = await tenant.admin.post('/groups', { name: 'Sales', botId: other.id }).expect(201);
    const identity = await signIdentity(tenant, { sub: 'customer-1' });
    await parley.beginSession(tenant, { identity }).expect(201);
    const open = (more: object) => other.client.post('/chats', { externalId: 'customer-1', ...more });
    expect((await open({ groupId: 'grp_none' }).expect(400)).body.errors[0].pointer).toBe('/groupId');
    expect((await open({ groupId: sales.id }).expect(200)).body.chat.group.id).toBe(sales.id);
    expect([await own.poll(), await other.poll()]).toEqual([[], ['chat.created']]);
  });

  it('webhooks get the chats of every group, and an event says which bot has the chat', async () => {
    await nameBot(other.id).expect(200);
    await say('one');
    const [event] = (await other.client.get('/events?wait=0').expect(200)).body.events;
    expect(event.data.chat.group).toMatchObject({ id: groupId, botId: other.id });
    const { body: webhook } = await tenant.admin.post('/webhooks', { url: 'https://bots.example.com/' }).expect(201);
    await say('two');
    const deliveries = await parley.query('SELECT event_type FROM deliveries WHERE receiver_id = $1', [webhook.id]);
    expect(deliveries).toEqual([{ event_type: 'message.created' }]);
  });

  it('every bot gets the chats again when the bot of the group is deleted', async () => {
    await nameBot(other.id).expect(200);
    await tenant.admin.delete(`/bots/${other.id}`).expect(204);
    expect((await tenant.admin.get(`/groups/${groupId}`).expect(200)).body.botId).toBeNull();
    await say('one');
    expect(await own.poll()).toEqual(['one']);
  });

  it('a group names only a bot of its organization', async () => {
    const stranger = await addBot(await parley.createTenant());
    for (const botId of [stranger.id, 'bot_none', '', 7]) {
      const { body } = await tenant.admin.patch(`/groups/${groupId}`, { botId }).expect(400);
      expect(body.errors[0].pointer).toBe('/botId');
      await tenant.admin.post('/groups', { name: 'New', botId }).expect(400);
    }
  });
});
