import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const DAY = 24 * 60 * 60 * 1000;

describe("ratings of bots' messages", () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  let messageId: string;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
    await tenant.admin.patch('/widget', { messageRating: true }).expect(200);
    messageId = await say('It arrives on Monday');
  });
  afterEach(() => receiver.close());

  const visitor = (token = tenant.visitorToken) => parley.visitor(token);
  const say = async (content: string): Promise<string> =>
    (await tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200)).body.id;
  const rate = (body: object, id = messageId, chatId = tenant.chatId) =>
    visitor().put(`/chats/${chatId}/messages/${id}/rating`, body);
  const list = async () => (await visitor().get(`/chats/${tenant.chatId}/ratings`).expect(200)).body.ratings;
  const stored = () => parley.query('SELECT comment FROM message_ratings WHERE organization_id = $1', [tenant.id]);

  it("a bot's message can be rated, and webhooks and bots are notified", async () => {
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['message.rated'] }).expect(201);
    await tenant.bot.put('/subscription', { events: ['message.rated'] }).expect(200);
    const { body } = await rate({ rating: 'DOWN', comment: 'It\'s "wrong" 🚀\n' }).expect(200);
    const rating = {
      messageId,
      seq: 1,
      rating: 'DOWN',
      comment: 'It\'s "wrong" 🚀\n',
      ratedAt: TIME,
      changedAt: null,
    };
    expect(body).toEqual({ rating });
    expect(await list()).toEqual([body.rating]);
    const [received] = await receiver.count(1);
    const data = {
      chat: { id: tenant.chatId },
      message: { id: messageId, seq: 1, sender: { type: 'BOT', id: tenant.botId } },
      rating: body.rating,
      by: { type: 'VISITOR', id: tenant.visitorId, name: 'Vera' },
    };
    expect(received!.event).toMatchObject({ type: 'message.rated', data });
    const { body: fetched } = await tenant.bot.get('/events?wait=0').expect(200);
    expect(fetched.events).toMatchObject([{ type: 'message.rated', data }]);
  });

  it('a rating can be changed, and the same rating again causes no event', async () => {
    await tenant.bot.put('/subscription', { events: ['message.rated'] }).expect(200);
    const { body: first } = await rate({ rating: 'UP' }).expect(200);
    expect((await rate({ rating: 'UP', comment: '' }).expect(200)).body).toEqual(first);
    const { body: second } = await rate({ rating: 'DOWN', comment: 'Late' }).expect(200);
    expect(second.rating).toEqual({ ...first.rating, rating: 'DOWN', comment: 'Late', changedAt: TIME });
    const { body } = await tenant.bot.get('/events?wait=0').expect(200);
    expect(body.events.map(({ data }: any) => data.rating.rating)).toEqual(['UP', 'DOWN']);
    expect(await list()).toEqual([second.rating]);
  });

  it('messages can be rated in an open and in an ended chat, but not when the organization turned it off', async () => {
    await visitor().post(`/chats/${tenant.chatId}/close`, {}).expect(200);
    await rate({ rating: 'UP' }).expect(200);
    await tenant.admin.patch('/widget', { messageRating: false }).expect(200);
    expect((await rate({ rating: 'DOWN' }).expect(409)).body.code).toBe('rating_off');
  });

  it("only messages of bots in the visitor's own chat can be rated", async () => {
    const { body: own } = await visitor().post(`/chats/${tenant.chatId}/messages`, { content: 'Hello' }).expect(201);
    expect((await rate({ rating: 'UP' }, own.message.id).expect(409)).body.code).toBe('conflict');
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    await ada.client.post(`/chats/${tenant.chatId}/claim`).expect(200);
    const path = `/chats/${tenant.chatId}/messages`;
    const { body: agents } = await ada.client.post(path, { content: 'Hi' }).expect(201);
    expect((await rate({ rating: 'UP' }, agents.message.id).expect(409)).body.code).toBe('conflict');
    expect((await rate({ rating: 'UP' }, 'msg_unknown').expect(404)).body.detail).toBe('Message not found');
    const { body: session } = await parley.beginSession(tenant).expect(201);
    await visitor(session.token).put(`${path}/${messageId}/rating`, { rating: 'UP' }).expect(404);
    await visitor(session.token).get(`/chats/${tenant.chatId}/ratings`).expect(404);
    const { body: second } = await tenant.admin.post('/chats', {}).expect(201);
    await visitor(second.visitorToken)
      .put(`/chats/${second.id}/messages/${messageId}/rating`, { rating: 'UP' })
      .expect(404);
  });

  it('an invalid rating is rejected with its field', async () => {
    for (const [body, pointer] of [
      [{}, '/rating'],
      [{ rating: 'up' }, '/rating'],
      [{ rating: 1 }, '/rating'],
      [{ rating: 'UP', comment: 'x'.repeat(1_001) }, '/comment'],
      [{ rating: 'UP', comment: 7 }, '/comment'],
    ] as const) {
      expect((await rate(body).expect(400)).body.errors).toMatchObject([{ pointer }]);
    }
    await rate({ rating: 'UP', comment: '🚀'.repeat(1_000) }).expect(200);
  });

  it('only the newest 1,000 messages of a chat can be rated', async () => {
    await parley.query('UPDATE chats SET message_count = 1001 WHERE id = $1', [tenant.chatId]);
    await rate({ rating: 'UP' }).expect(404);
    await parley.query('UPDATE chats SET message_count = 1000 WHERE id = $1', [tenant.chatId]);
    await rate({ rating: 'UP' }).expect(200);
  });

  it('simultaneous ratings of one message are one rating', async () => {
    await Promise.all(['UP', 'DOWN', 'UP', 'DOWN', 'UP'].map((rating) => rate({ rating }).expect(200)));
    expect(await stored()).toHaveLength(1);
  });

  it("a comment counts toward an anonymous visitor's storage quota", async () => {
    const strict = await Parley.start({ ANONYMOUS_BYTES_PER_DAY: '100' });
    try {
      const mine = await strict.createTenant();
      await mine.admin.patch('/widget', { messageRating: true }).expect(200);
      const { body: session } = await strict.beginSession(mine).expect(201);
      const anonymous = strict.visitor(session.token);
      const { body: opened } = await anonymous.post('/chats', {}).expect(201);
      const { body: sent } = await mine.bot.post('/messages', { chatId: opened.chat.id, content: 'Hi' }).expect(200);
      const path = `/chats/${opened.chat.id}/messages/${sent.id}/rating`;
      await anonymous.put(path, { rating: 'DOWN', comment: 'x'.repeat(101) }).expect(429);
      await anonymous.put(path, { rating: 'DOWN', comment: 'x'.repeat(99) }).expect(200);
    } finally {
      await strict.stop();
    }
  });

  it('agents see the ratings in the chat, with a higher rev', async () => {
    const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const detail = async () => (await sue.client.get(`/chats/${tenant.chatId}`).expect(200)).body;
    const before = await detail();
    expect(before.messageRatings).toEqual([]);
    await rate({ rating: 'UP' }, await say('Second')).expect(200);
    await rate({ rating: 'DOWN', comment: 'slow' }).expect(200);
    const after = await detail();
    expect(after.messageRatings).toEqual(await list());
    expect(after.messageRatings).toMatchObject([
      { seq: 1, rating: 'DOWN' },
      { seq: 2, rating: 'UP' },
    ]);
    expect(after.rev).toBeGreaterThan(before.rev);
  });

  it('ratings are exported and erased with the visitor', async () => {
    const { body } = await rate({ rating: 'DOWN', comment: 'needle' }).expect(200);
    await say('Second');
    const { body: exported } = await tenant.admin.get(`/visitors/${tenant.visitorId}/export`).expect(200);
    const { messageId: _messageId, seq: _seq, ...rating } = body.rating;
    expect(exported.chats[0].messages).toMatchObject([{ id: messageId, rating }, { content: 'Second' }]);
    expect(exported.chats[0].messages[1]).not.toHaveProperty('rating');
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    expect(await stored()).toEqual([]);
  });

  it('retention deletes a rating with its message, and the message can no longer be rated', async () => {
    await rate({ rating: 'DOWN', comment: 'needle' }).expect(200);
    await tenant.admin.patch('', { retentionDays: 2 }).expect(200);
    const later = new Date(Date.now() + 5 * DAY);
    await parley.query('UPDATE chats SET last_message_at = $2 WHERE id = $1', [tenant.chatId, later]);
    await parley.app.get(DataRemoval).run(later);
    expect(await stored()).toEqual([]);
    await rate({ rating: 'UP' }).expect(404);
  });
});
