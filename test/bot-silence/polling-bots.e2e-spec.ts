import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';
import { LIMIT, Silence } from './support/silence.js';

describe('a bot that polls, and is silent', () => {
  let parley: Parley;
  let silence: Silence;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    silence = await Silence.start(parley);
  });

  it("agents get the chat when the bot doesn't poll", async () => {
    await silence.listen();
    await silence.say();
    await silence.untilHandedOver();
    const { tenant } = silence;
    const groupId = await defaultGroupOf(tenant);
    expect(await silence.transfers()).toMatchObject([
      {
        content: "The bot isn't answering, so our team takes over this chat.",
        metadata: { event: 'chat.transferred', groupId, groupName: 'General', reason: 'bot_silent' },
        sender: { type: 'SYSTEM' },
      },
    ]);
    const { events } = await silence.poll();
    expect(events.find(({ type }: any) => type === 'chat.transferred').data).toMatchObject({
      chat: { id: tenant.chatId, owner: 'QUEUE' },
      bot: null,
      reason: 'bot_silent',
      by: { type: 'SYSTEM', id: null },
    });
    const late = { chatId: tenant.chatId, content: 'Sorry, I am late', ifOwner: 'BOT' };
    expect((await tenant.bot.post('/messages', late).expect(409)).body).toMatchObject({
      code: 'not_owner',
      owner: 'QUEUE',
    });
  });

  it('agents get the chat when the bot has the event, and never acknowledges it', async () => {
    await silence.listen();
    await silence.say();
    for (let polls = 0; polls < 2; polls++) expect((await silence.poll()).events).toHaveLength(1);
    await silence.untilHandedOver();
  });

  it('agents get the chat when a copy of the bot has the event, and never acknowledges it', async () => {
    await silence.listen();
    await silence.say();
    expect((await silence.poll('&share=one&lease=300')).events).toHaveLength(1);
    await silence.untilHandedOver();
  });

  it("agents get the chat when the bot's token is revoked", async () => {
    await silence.listen();
    const { admin, botId, chatId } = silence.tenant;
    const { body } = await admin.get(`/bots/${botId}/tokens`).expect(200);
    for (const { id } of body.tokens) await admin.delete(`/bots/${botId}/tokens/${id}`).expect(204);
    await silence.say();
    const ada = await parley.signInAgent(silence.tenant, { role: 'ADMIN' });
    const owner = async () => (await ada.client.get(`/chats/${chatId}`).expect(200)).body.owner as string;
    await silence.until(owner, (one) => one === 'QUEUE');
  });

  it('a bot keeps the chat when it takes the message, even if it says nothing', async () => {
    await silence.listen();
    await silence.say();
    await silence.take();
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
  });

  it('a bot keeps the chat when another bot takes the message', async () => {
    await silence.listen();
    const { admin } = silence.tenant;
    const { body: second } = await admin.post('/bots', { name: 'Second' }).expect(201);
    const { body: token } = await admin.post(`/bots/${second.id}/tokens`, {}).expect(201);
    const bot = parley.bot(token.token);
    await bot.put('/subscription', {}).expect(200);
    await silence.say();
    const { body } = await bot.get('/events?wait=0').expect(200);
    await bot.get(`/events?wait=0&ack=${body.ack}`).expect(200);
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
  });

  it('a bot keeps the chat when it answers over REST, although its subscription waits', async () => {
    await silence.listen();
    await silence.say();
    await silence.tenant.bot.post('/messages', { chatId: silence.tenant.chatId, content: 'Here' }).expect(200);
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    await silence.say('And now?');
    await silence.untilHandedOver();
  });

  it('a bot keeps no chat of a group that has another bot', async () => {
    await silence.listen();
    const { admin } = silence.tenant;
    const { body: second } = await admin.post('/bots', { name: 'Second' }).expect(201);
    const { body: token } = await admin.post(`/bots/${second.id}/tokens`, {}).expect(201);
    await parley.bot(token.token).put('/subscription', {}).expect(200);
    const { body: group } = await admin.post('/groups', { name: 'Sales', botId: second.id }).expect(201);
    const ofSecond = await silence.newChat({ groupId: group.id });
    const ofFirst = await silence.newChat();
    await silence.take();
    await silence.untilHandedOver(ofSecond);
    expect((await silence.transfers(ofSecond))[0].metadata).toMatchObject({ groupName: 'General' });
    await silence.letTimePass();
    expect(await silence.owner(ofFirst)).toBe('BOT');
  });

  it('an organization without a receiver keeps its chats with its bots', async () => {
    await silence.say();
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    // A receiver that comes later wasn't asked for the message.
    await silence.listen();
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
  });

  it('a bot that asks for other events is no receiver of messages', async () => {
    await silence.listen({ senderTypes: ['AGENT'] });
    await silence.say();
    await silence.letTimePass();
    await silence.listen({ events: ['chat.closed'], senderTypes: ['VISITOR'] });
    await silence.say();
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
  });

  it('0 turns the limit off', async () => {
    await silence.tenant.admin.patch('', { botSilenceSeconds: 0 }).expect(200);
    await silence.listen();
    await silence.say();
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    await silence.tenant.admin.patch('', { botSilenceSeconds: LIMIT }).expect(200);
    await silence.untilHandedOver();
  });
});
