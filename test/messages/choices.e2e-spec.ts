import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

const OPTIONS = [
  { label: 'Yes', value: 'yes' },
  { label: 'No', value: 'no "way"\n' },
  { label: 'Whatever', value: '' },
];

describe('answers to choices', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const connect = () => parley.connectVisitor(tenant.visitorToken);
  const offer = async (type = 'QUICK_REPLY', metadata: object = { options: OPTIONS }, chatId = tenant.chatId) =>
    (await tenant.bot.post('/messages', { chatId, content: 'Well?', type, metadata }).expect(200)).body.id as string;
  const answer = (replyTo: unknown, more: object = {}) =>
    parley
      .visitor(tenant.visitorToken)
      .post(`/chats/${tenant.chatId}/messages`, { content: 'Yes', replyTo, ...more } as object);
  const count = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.messageCount as number;

  it('an answer is the same in the ack, live feed, lists, overviews, and webhook', async () => {
    const receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url, senderTypes: ['VISITOR'] }).expect(201);
    const [one, two] = [await connect(), await connect()];
    for (const tab of [one, two]) await tab.ask('chat:open', { chatId: tenant.chatId });
    const messageId = await offer();
    const replyTo = { messageId, value: 'no "way"\n' };
    const { ok, message } = await one.ask('message:send', { chatId: tenant.chatId, content: 'No', replyTo });
    expect([ok, message]).toMatchObject([true, { seq: 2, content: 'No', type: 'TEXT', replyTo }]);
    expect(Object.keys(message).at(-1)).toBe('replyTo');
    await two.until(() => two.all('message').length === 2);
    expect(two.all('message')[1]).toEqual(message);
    const sync = await two.ask('sync', { chatId: tenant.chatId, afterSeq: 1 });
    const { body: forVisitors } = await parley.visitor(tenant.visitorToken).get('/chats').expect(200);
    const { body: forBots } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    const { body: list } = await tenant.bot.get(`/chats/${tenant.chatId}/messages?afterSeq=1`).expect(200);
    for (const { messages } of [sync, forVisitors.chats[0], forBots, list]) expect(messages.at(-1)).toEqual(message);
    const [received] = await receiver.count(1);
    expect(JSON.stringify(received!.event.data.message)).toBe(JSON.stringify(message));
    await receiver.close();
  });

  it("webhooks get the answer, and messages of the same batch without one don't", async () => {
    const receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url, senderTypes: ['VISITOR'] }).expect(201);
    const messageId = await offer();
    const reply = await answer({ messageId, value: 'yes' }).expect(201);
    const [plain] = await Promise.all(Array.from({ length: 10 }, () => answer(null).expect(201)));
    const received = await receiver.count(11);
    const told = received.map(({ event }) => event.data.message);
    for (const { body } of [reply, plain!]) expect(told).toContainEqual(body.message);
    expect(told.filter((message) => 'replyTo' in message)).toHaveLength(1);
    await receiver.close();
  });

  it('any choice of a BUTTON with a value is accepted, even an empty value', async () => {
    const options = [
      5,
      null,
      { label: 'Site', url: 'https://example.com' },
      { label: 'Buy', value: 'buy' },
      { value: 7 },
    ];
    const button = await offer('BUTTON', { options });
    await answer({ messageId: button, value: 'buy' }).expect(201);
    for (const value of ['Site', 'https://example.com', '7', '5']) {
      const { body } = await answer({ messageId: button, value }).expect(400);
      expect(body.errors).toMatchObject([{ pointer: '/replyTo/value' }]);
    }
    await answer({ messageId: await offer(), value: '' }).expect(201);
  });

  it("an answer to something that wasn't offered in this chat is rejected with its field", async () => {
    const messageId = await offer();
    const text = await offer('TEXT');
    const { body: other } = await tenant.admin.post('/chats', {}).expect(201);
    const elsewhere = await offer('QUICK_REPLY', { options: OPTIONS }, other.id);
    const stranger = await parley.createTenant();
    const { body: foreign } = await stranger.bot
      .post('/messages', { chatId: stranger.chatId, content: '?', type: 'QUICK_REPLY', metadata: { options: OPTIONS } })
      .expect(200);
    const bare = await offer('BUTTON', {});
    const odd = await offer('BUTTON', { options: { 0: { value: 'yes' } } });
    const visitor = await connect();
    for (const [replyTo, pointer] of [
      [{ messageId: text, value: 'yes' }, '/replyTo/messageId'],
      [{ messageId: elsewhere, value: 'yes' }, '/replyTo/messageId'],
      [{ messageId: foreign.id, value: 'yes' }, '/replyTo/messageId'],
      [{ messageId: 'msg_none', value: 'yes' }, '/replyTo/messageId'],
      [{ messageId, value: 'maybe' }, '/replyTo/value'],
      [{ messageId: bare, value: 'yes' }, '/replyTo/value'],
      [{ messageId: odd, value: 'yes' }, '/replyTo/value'],
      [{ messageId }, '/replyTo/value'],
      [{ messageId, value: 5 }, '/replyTo/value'],
      [{ messageId, value: 'x'.repeat(10_241) }, '/replyTo/value'],
      [{ messageId, value: '\u0000' }, '/replyTo/value'],
      [{ messageId: '', value: 'yes' }, '/replyTo/messageId'],
      [{ messageId: 'x'.repeat(65), value: 'yes' }, '/replyTo/messageId'],
      [{ value: 'yes' }, '/replyTo/messageId'],
      ['yes', '/replyTo'],
      [[], '/replyTo'],
    ] as const) {
      const { body } = await answer(replyTo).expect(400);
      expect([replyTo, body]).toMatchObject([replyTo, { code: 'validation_failed', errors: [{ pointer }] }]);
      const ack = await visitor.ask('message:send', { chatId: tenant.chatId, content: 'Yes', replyTo });
      expect(ack).toMatchObject({ ok: false, error: { code: 'validation_failed', errors: [{ pointer }] } });
    }
    const bytes = await visitor.ask('message:send', { chatId: tenant.chatId, content: 'x', replyTo: Buffer.from('x') });
    expect(bytes).toMatchObject({ ok: false, error: { errors: [{ pointer: '/replyTo' }] } });
    expect(await count()).toBe(4);
  });

  it("choices of an agent or a bot can be answered, a visitor's can't", async () => {
    const forged = { content: 'Refund?', type: 'QUICK_REPLY', metadata: { options: OPTIONS } };
    const visitor = parley.visitor(tenant.visitorToken);
    for (const type of ['QUICK_REPLY', 'BUTTON']) {
      const offered = await visitor.post(`/chats/${tenant.chatId}/messages`, { ...forged, type }).expect(201);
      const { body } = await answer({ messageId: offered.body.message.id, value: 'yes' }).expect(400);
      expect(body.errors).toMatchObject([{ pointer: '/replyTo/messageId' }]);
    }
    const messageId = await offer();
    await parley.query(`UPDATE messages SET sender_type = 'AGENT' WHERE id = $1`, [messageId]);
    await answer({ messageId, value: 'yes' }).expect(201);
  });

  it('repeated clicks are one message, on any socket or over REST', async () => {
    const messageId = await offer();
    const tabs = [await connect(), await connect()];
    const replyTo = { messageId, value: 'yes' };
    const payload = { chatId: tenant.chatId, content: 'Yes', replyTo };
    const answers = await Promise.all([
      ...[...tabs, ...tabs].map((tab) => tab.ask('message:send', payload)),
      answer(replyTo).then(({ body }) => body),
      answer(replyTo).then(({ body }) => body),
    ]);
    expect(new Set(answers.map(({ message }) => JSON.stringify(message))).size).toBe(1);
    expect(await count()).toBe(2);
    // With a clientMessageId, only that decides.
    const named = { messageId: await offer(), value: 'yes' };
    await answer(named, { clientMessageId: 'again' }).expect(201);
    await answer(named, { clientMessageId: 'again' }).expect(201);
    expect(await count()).toBe(4);
  });

  describe('a choice that has ended', () => {
    const isOver = async (messageId: string) => {
      const { body } = await answer({ messageId, value: 'yes' }).expect(409);
      expect(body.code).toBe('offer_over');
      const visitor = await connect();
      const payload = { chatId: tenant.chatId, content: 'Yes', replyTo: { messageId, value: 'yes' } };
      expect(await visitor.ask('message:send', payload)).toMatchObject({ ok: false, error: { code: 'offer_over' } });
    };
    const say = (content: string) =>
      parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);

    it('a choice ends with a later choice of a bot, of either type, and the later one is open', async () => {
      const [first, second] = [await offer(), await offer('BUTTON')];
      await isOver(first);
      const third = await offer();
      await isOver(second);
      await answer({ messageId: third, value: 'yes' }).expect(201);
    });

    it("a choice ends with the visitor's next message or answer", async () => {
      const asked = await offer();
      await say('hm');
      await isOver(asked);
      const again = await offer();
      await answer({ messageId: again, value: 'no "way"\n' }).expect(201);
      await isOver(again);
    });

    it("a choice doesn't end with a bot's text, a system message, or the end of the chat, which the answer reopens", async () => {
      const messageId = await offer();
      await offer('TEXT');
      await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
      await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
      await answer({ messageId, value: 'yes' }).expect(201);
      expect((await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.status).toBe('ACTIVE');
    });

    it('one of two different simultaneous answers is stored', async () => {
      const messageId = await offer();
      const statuses = await Promise.all(
        ['yes', 'no "way"\n', ''].map(async (value) => (await answer({ messageId, value })).status),
      );
      expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409, 409]);
      expect(await count()).toBe(2);
    });
  });
});
