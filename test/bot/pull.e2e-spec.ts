import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

const ALL_SENDERS = ['VISITOR', 'BOT', 'AGENT', 'SYSTEM'];

describe('GET /api/bot/events', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const subscribe = (body: object = { senderTypes: ALL_SENDERS }) => tenant.bot.put('/subscription', body).expect(200);
  const say = (content: string, more: object = {}) =>
    tenant.bot.post('/messages', { chatId: tenant.chatId, content, ...more }).expect(200);
  const poll = async (query = '') => (await tenant.bot.get(`/events?wait=0${query}`).expect(200)).body;
  const wordsOf = ({ events }: any): string[] => events.map(({ data }: any) => data.message?.content);
  const ackOf = ({ ack }: any) => `&ack=${ack}`;

  it('a poll returns each event until its response is acknowledged, oldest first', async () => {
    await subscribe();
    for (const content of ['1', '2', '3']) await say(content);
    const first = await poll('&limit=2');
    expect(first).toMatchObject({ pending: 1, ack: expect.stringMatching(/^[\w.-]{1,128}$/) });
    expect(first.gap).toBeUndefined();
    expect(wordsOf(first)).toEqual(['1', '2']);
    expect(first.events.map(({ data }: any) => data.message.seq)).toEqual([1, 2]);
    const again = await poll();
    expect(wordsOf(again)).toEqual(['1', '2', '3']);
    expect(again.events.slice(0, 2)).toEqual(first.events);
    expect(again.ack).not.toBe(first.ack);
    // Only the events of its own response are completed, although a newer response exists.
    expect(wordsOf(await poll(`&limit=1${ackOf(first)}`))).toEqual(['3']);
    const last = await poll();
    await say('4');
    expect(wordsOf(await poll(ackOf(last)))).toEqual(['4']);
    const four = await poll();
    const none = await poll(ackOf(four));
    expect(none).toEqual({ events: [], ack: expect.any(String), pending: 0 });
    expect(await poll(ackOf(none))).toEqual({ events: [], ack: expect.any(String), pending: 0 });
  });

  it('a poll returns the same event as webhooks do, and both are independent', async () => {
    const receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await subscribe();
    const deep = JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown;
    const metadata = { constructor: 1, __proto__x: null, deep, 'é\u2028"\\': [0.1, -0, 1e21, 9007199254740991] };
    await say('<&>\u2028 "quoted" \\ 🙂', { metadata });
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    const received = await receiver.count(3);
    const { text } = await tenant.bot.get('/events?wait=0').expect(200).expect('Cache-Control', 'no-store');
    for (const { body, headers } of received) {
      expect(text).toContain(body);
      expect(JSON.parse(text).events.map(({ id }: any) => id)).toContain(headers['webhook-id']);
    }
    expect(JSON.parse(text).events).toHaveLength(3);
    const { body } = await tenant.admin.get('/webhooks').expect(200);
    expect(body.webhooks).toHaveLength(1);
    const own = await parley.query<{ id: string }>('SELECT id FROM subscriptions WHERE bot_id = $1', [tenant.botId]);
    await tenant.admin.get(`/webhooks/${own[0]!.id}`).expect(404);
    await tenant.admin.delete(`/webhooks/${own[0]!.id}`).expect(404);
    await tenant.admin.post(`/webhooks/${own[0]!.id}/ping`).expect(404);
    await tenant.admin.patch(`/webhooks/${own[0]!.id}`, { isEnabled: false }).expect(404);
    await tenant.admin.get(`/webhooks/${own[0]!.id}/deliveries`).expect(404);
    await receiver.close();
  });

  it("the first poll creates the default subscription: all events except bots' own messages", async () => {
    await tenant.bot.get('/subscription').expect(404);
    await tenant.admin.get(`/bots/${tenant.botId}/subscription`).expect(404);
    expect(await poll()).toMatchObject({ events: [], pending: 0 });
    await say('not heard');
    const visitor = parley.visitor(tenant.visitorToken);
    await visitor.post(`/chats/${tenant.chatId}/messages`, { content: 'heard' }).expect(201);
    expect(wordsOf(await poll())).toEqual(['heard']);
    const { body } = await tenant.bot.get('/subscription').expect(200);
    expect(body).toEqual({
      events: expect.arrayContaining(['message.created', 'chat.closed']),
      senderTypes: ['VISITOR', 'AGENT', 'SYSTEM'],
      createdAt: expect.any(String),
      lastPolledAt: expect.any(String),
      pending: 1,
    });
    expect((await tenant.admin.get(`/bots/${tenant.botId}`).expect(200)).body.hasSubscription).toBe(true);
    const { body: seen } = await tenant.admin.get(`/bots/${tenant.botId}/subscription`).expect(200);
    expect(seen).toEqual({ ...body, oldestAt: expect.any(String) });
  });

  it('a filter selects new events, and pending events stay when it changes', async () => {
    await subscribe({ events: ['chat.closed'] });
    await say('not wanted');
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    expect((await poll()).events.map(({ type }: any) => type)).toEqual(['chat.closed']);
    const { body } = await subscribe({ events: ['message.created'], senderTypes: ['BOT'] });
    expect(body).toMatchObject({ events: ['message.created'], senderTypes: ['BOT'], pending: 1 });
    await say('wanted');
    expect((await poll()).events.map(({ type }: any) => type)).toEqual(['chat.closed', 'message.created']);
    const { body: replaced } = await subscribe({ events: null });
    expect(replaced.events.length).toBeGreaterThan(5);
    expect(replaced.senderTypes).toEqual(['VISITOR', 'AGENT', 'SYSTEM']);
    for (const wrong of [
      { events: [] },
      { events: ['chat.exploded'] },
      { senderTypes: 'BOT' },
      { senderTypes: [] },
      { events: [1] },
    ]) {
      const [field] = Object.keys(wrong);
      const { body: problem } = await tenant.bot.put('/subscription', wrong).expect(400);
      expect(problem.errors).toEqual([{ pointer: `/${field}`, detail: expect.any(String) }]);
    }
  });

  it("deleting a subscription drops its pending events, even if it's created again immediately", async () => {
    await subscribe();
    await say('dropped');
    await tenant.bot.delete('/subscription').expect(204);
    await tenant.bot.delete('/subscription').expect(404);
    await subscribe();
    await say('kept');
    expect(wordsOf(await poll())).toEqual(['kept']);
    await eventually(
      () => parley.query(`SELECT FROM deliveries WHERE organization_id = $1`, [tenant.id]),
      ({ length }) => length === 1,
    );
  });

  it('unknown parameters and acks that this bot never received are rejected', async () => {
    const other = await parley.createTenant();
    const { body: theirs } = await other.bot.get('/events?wait=0').expect(200);
    const mine = await poll();
    for (const query of ['wait=51', 'wait=1.5', 'wait=-1', 'limit=0', 'limit=101', 'wait=', 'ack=', 'ack=a&ack=b']) {
      const { body } = await tenant.bot.get(`/events?${query}`).expect(400);
      expect(body.errors).toEqual([{ pointer: `?${query.split('=')[0]}`, detail: expect.any(String) }]);
    }
    const changed = mine.ack.startsWith('A') ? `B${mine.ack.slice(1)}` : `A${mine.ack.slice(1)}`;
    for (const ack of [theirs.ack, changed, 'x', `${mine.ack}x`, 'x'.repeat(128)]) {
      const { body } = await tenant.bot.get(`/events?wait=0&ack=${ack}`).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ parameter: 'ack' }] });
      expect(body.errors[0]).not.toHaveProperty('pointer');
    }
    await poll(ackOf(mine));
    await poll(ackOf(mine));
    await tenant.bot.get('/events?wait=0').expect(200);
  });

  it('old acks of a bot are accepted forever, and complete nothing', async () => {
    await subscribe();
    await say('before');
    const old = await poll();
    await tenant.bot.delete('/subscription').expect(204);
    await subscribe();
    await say('after');
    await poll();
    expect(wordsOf(await poll(ackOf(old)))).toEqual(['after']);
  });

  it('a response has at most about 1 MB, and at least one event', async () => {
    await subscribe();
    const content = '\u0001'.repeat(5_000);
    const metadata = { x: '\u0001'.repeat(1_600) };
    for (let index = 0; index < 30; index++) await say(content, { metadata });
    const first = await tenant.bot.get('/events?wait=0').expect(200);
    expect(first.text.length).toBeLessThan(1_100_000);
    expect(first.body.events.length).toBeGreaterThan(10);
    expect(first.body.pending).toBe(30 - first.body.events.length);
    const second = await poll(ackOf(first.body));
    expect(first.body.events.length + second.events.length).toBe(30);
  });

  it('HEAD is rejected, because it would take events', async () => {
    await subscribe();
    const answer = await fetch(`${parley.url}/api/bot/events`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${tenant.token}` },
    });
    expect(answer.status).toBe(404);
    const { body } = await tenant.bot.get('/subscription').expect(200);
    expect(body.lastPolledAt).toBeNull();
  });

  it('each bot gets each event, and no event of another organization', async () => {
    const { body: second } = await tenant.admin.post('/bots', { name: 'Second' }).expect(201);
    const { body: token } = await tenant.admin.post(`/bots/${second.id}/tokens`, {}).expect(201);
    const stranger = await parley.createTenant();
    const bots = [tenant.bot, parley.bot(token.token), stranger.bot];
    for (const bot of bots) await bot.put('/subscription', { senderTypes: ALL_SENDERS }).expect(200);
    await say('for two');
    const answers = await Promise.all(bots.map(async (bot) => (await bot.get('/events?wait=0').expect(200)).body));
    expect(answers.map(wordsOf)).toEqual([['for two'], ['for two'], []]);
    expect(answers[0].events[0].id).toBe(answers[1].events[0].id);
  });

  it('no event is lost and each chat keeps its order when many send and one acknowledges', async () => {
    await subscribe();
    const chats = await Promise.all(
      Array.from({ length: 8 }, async () => (await tenant.admin.post('/chats', {}).expect(201)).body.id as string),
    );
    const seen: any[] = [];
    let isSent = false;
    const sending = Promise.all(
      chats.map(async (chatId) => {
        for (let index = 0; index < 25; index++)
          await tenant.bot.post('/messages', { chatId, content: `${index}` }).expect(200);
      }),
    ).then(() => (isSent = true));
    let ack = '';
    for (let isOver = false; !isOver;) {
      const wasSent = isSent;
      const answer = await poll(`&limit=7${ack}`);
      ack = ackOf(answer);
      seen.push(...answer.events);
      isOver = wasSent && answer.events.length === 0;
    }
    await sending;
    const messages = seen.filter(({ type }) => type === 'message.created').map(({ data }) => data.message);
    expect(messages).toHaveLength(200);
    for (const chatId of chats) {
      const seqs = messages.filter((message) => message.chatId === chatId).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
    expect((await tenant.bot.get('/subscription')).body.pending).toBe(0);
  });
});
