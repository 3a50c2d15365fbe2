import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

type Client = Pick<Tenant['bot'], 'get' | 'patch'>;

describe('attributes of chats and visitors', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let chat: string;
  let visitor: string;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    chat = `/chats/${tenant.chatId}`;
    visitor = `/visitors/${tenant.visitorId}`;
  });

  const set = (path: string, attributes: unknown, by: Client = tenant.bot) => by.patch(path, { attributes });
  const detail = async () => (await ada.client.get(chat).expect(200)).body;
  const writers = (): Client[] => [tenant.bot, ada.client, tenant.admin];

  it('bots, agents, and administrators merge them by key, and null removes a key', async () => {
    for (const path of [chat, visitor]) {
      expect((await set(path, { plan: 'gold', seats: 5, isVip: true }).expect(200)).body.attributes).toEqual({
        plan: 'gold',
        seats: 5,
        isVip: true,
      });
      expect((await set(path, { seats: 6.5, isVip: null }, ada.client).expect(200)).body.attributes).toEqual({
        plan: 'gold',
        seats: 6.5,
      });
      expect((await set(path, { plan: '', gone: null }, tenant.admin).expect(200)).body.attributes).toEqual({
        plan: '',
        seats: 6.5,
      });
      expect((await set(path, { plan: null, seats: null }).expect(200)).body.attributes).toEqual({});
    }
  });

  it('bots, agents, and administrators read them, and visitors do not', async () => {
    await set(chat, { order: 'marker-1' }).expect(200);
    await set(visitor, { plan: 'marker-2' }).expect(200);
    const known = {
      attributes: { order: 'marker-1' },
      visitor: { attributes: { plan: 'marker-2' }, verifiedAttributes: {} },
    };
    for (const by of [tenant.bot, tenant.admin]) {
      expect((await by.get(chat).expect(200)).body).toMatchObject(known);
      expect((await by.get('/chats').expect(200)).body.chats[0]).toMatchObject(known);
    }
    expect(await detail()).toMatchObject(known);
    const person = { attributes: { plan: 'marker-2' }, verifiedAttributes: {} };
    expect((await tenant.admin.get(visitor).expect(200)).body).toMatchObject(person);
    expect((await tenant.admin.get('/visitors').expect(200)).body.visitors).toEqual([expect.objectContaining(person)]);
    const rows = (await ada.client.get('/chats?view=OPEN').expect(200)).body.chats;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/marker|ttributes/);
    const client = parley.visitor(tenant.visitorToken);
    for (const path of ['/chats', `${chat}/messages`])
      expect((await client.get(path).expect(200)).text).not.toMatch(/marker|ttributes/);
  });

  it('a change raises rev, of the open chats of a visitor too, and one that changes nothing does not', async () => {
    const { body: other } = await tenant.admin.post('/chats', {}).expect(201);
    const otherRev = async () => (await ada.client.get(`/chats/${other.id}`).expect(200)).body.rev;
    const unrelated = await otherRev();
    const { rev } = await detail();
    await set(chat, { plan: 'gold', seats: 5 }).expect(200);
    expect((await detail()).rev).toBe(rev + 1);
    await set(chat, { seats: 5, plan: 'gold', gone: null }, ada.client).expect(200);
    await set(chat, {}).expect(200);
    expect((await detail()).rev).toBe(rev + 1);
    await set(visitor, { plan: 'gold' }).expect(200);
    expect((await detail()).rev).toBe(rev + 2);
    await set(visitor, { plan: 'gold' }, tenant.admin).expect(200);
    expect((await detail()).rev).toBe(rev + 2);
    expect(await otherRev()).toBe(unrelated);
    await tenant.bot.post(`${chat}/close`).expect(200);
    const ended = (await detail()).rev;
    await set(visitor, { plan: 'silver' }).expect(200);
    expect((await detail()).rev).toBe(ended);
    await set(chat, { plan: 'silver' }).expect(200);
    expect((await detail()).rev).toBe(ended + 1);
  });

  const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, 1]));
  const tooLong = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`key${index}`, 'x'.repeat(500)]));

  it.each<[name: string, attributes: unknown, pointer: string]>([
    ['a number', 7, '/attributes'],
    ['a list', ['a'], '/attributes'],
    ['a text', 'text', '/attributes'],
    ['an object in it', { plan: { deep: 1 } }, '/attributes/plan'],
    ['a list in it', { plan: ['a'] }, '/attributes/plan'],
    ['a text of 501 characters', { plan: 'x'.repeat(501) }, '/attributes/plan'],
    ['U+0000', { plan: 'nul \u0000' }, '/attributes/plan'],
    ['a lone surrogate', { plan: '\ud800' }, '/attributes/plan'],
    ['a blank in a key', { 'a b': 1 }, '/attributes'],
    ['a slash in a key', { 'a/b': 1 }, '/attributes'],
    ['an empty key', { '': 1 }, '/attributes'],
    ['a key of 65 characters', { ['x'.repeat(65)]: 1 }, '/attributes'],
    ['51 keys', tooMany, '/attributes'],
    ['more than 4,096 bytes', tooLong, '/attributes'],
  ])('an invalid value is answered 400, and the answer names the field: %s', async (_, attributes, pointer) => {
    for (const path of [chat, visitor])
      for (const by of writers()) {
        const { body } = await set(path, attributes, by).expect(400);
        expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
      }
  });

  it('numbers that are not finite or lose digits are answered 400', async () => {
    for (const number of ['1e400', '12345678901234567891'])
      for (const path of [chat, visitor]) {
        const body = `{"attributes":{"plan":${number}}}`;
        await tenant.bot.patch(path).set('Content-Type', 'application/json').send(body).expect(400);
      }
    await set(chat, { plan: 9_007_199_254_740_991 }).expect(200);
  });

  it('a merge that makes too many or too long ones is answered 400, and changes nothing', async () => {
    const of = (name: string, count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, value]));
    for (const path of [chat, visitor]) {
      await set(path, of('a', 30, 1)).expect(200);
      const { body } = await set(path, of('b', 30, 1)).expect(400);
      expect(body.errors).toEqual([expect.objectContaining({ pointer: '/attributes' })]);
      await set(path, { ...of('a', 30, null), ...of('b', 20, 1) }).expect(200);
      await set(path, of('b', 20, null)).expect(200);
      await set(path, of('a', 5, 'x'.repeat(500))).expect(200);
      await set(path, of('b', 5, 'x'.repeat(500))).expect(400);
      expect(Object.keys((await set(path, {}).expect(200)).body.attributes)).toHaveLength(5);
    }
  });

  it('every allowed key is kept, also one that a language means something by', async () => {
    const body = '{"attributes":{"__proto__":"a","constructor":1,"a.b-c_D9":false}}';
    for (const path of [chat, visitor]) {
      const { text } = await tenant.bot.patch(path).set('Content-Type', 'application/json').send(body).expect(200);
      expect(text).toContain('"attributes":{"__proto__":"a","constructor":1,"a.b-c_D9":false}');
      const again = await tenant.bot.patch(path).set('Content-Type', 'application/json').send(body).expect(200);
      expect(again.text).toContain('"__proto__":"a"');
    }
  });

  it('an agent changes the chats that the agent sees, and the visitors of these', async () => {
    const ben = await parley.signInAgent(tenant, { groupIds: [] });
    const stranger = await parley.createTenant();
    for (const path of [chat, visitor]) {
      await set(path, { plan: 'gold' }, ben.client).expect(404);
      await set(path, { plan: 'gold' }, stranger.bot).expect(404);
      await set(path, { plan: 'gold' }, stranger.admin).expect(404);
    }
    await set('/chats/cht_none', { plan: 'gold' }).expect(404);
    await set('/visitors/vis_none', { plan: 'gold' }).expect(404);
    await tenant.bot.post(`${chat}/close`).expect(200);
    for (const path of [chat, visitor]) await set(path, { plan: 'gold' }, ada.client).expect(200);
  });

  it('webhooks and bots get an event for each change, and none for a call that changes nothing', async () => {
    const receiver = await Receiver.start();
    const events = ['chat.updated', 'visitor.updated'];
    await tenant.admin.post('/webhooks', { url: receiver.url, events }).expect(201);
    await tenant.bot.put('/subscription', { events }).expect(200);
    await set(chat, { plan: 'gold', seats: 5 }).expect(200);
    await set(chat, { plan: 'gold' }).expect(200);
    await set(chat, { seats: null, isVip: false, unknown: null }, ada.client).expect(200);
    await set(visitor, { plan: 'gold' }, tenant.admin).expect(200);
    await set(visitor, { plan: 'gold' }).expect(200);
    await set(visitor, { plan: null }).expect(200);
    const expected = [
      {
        type: 'chat.updated',
        data: {
          chat: { id: tenant.chatId, attributes: { plan: 'gold', seats: 5 }, visitor: { attributes: {} } },
          changed: { plan: 'gold', seats: 5 },
          by: { type: 'BOT', id: tenant.botId },
        },
      },
      {
        type: 'chat.updated',
        data: {
          chat: { attributes: { plan: 'gold', isVip: false } },
          changed: { seats: null, isVip: false },
          by: { type: 'AGENT', id: ada.id },
        },
      },
      {
        type: 'visitor.updated',
        data: {
          visitor: { id: tenant.visitorId, isVerified: false, attributes: { plan: 'gold' }, verifiedAttributes: {} },
          changed: { plan: 'gold' },
          changedVerified: {},
          by: { type: 'ADMIN' },
        },
      },
      { type: 'visitor.updated', data: { visitor: { attributes: {} }, changed: { plan: null } } },
    ];
    const received = await receiver.count(expected.length);
    // A webhook gets the events of each chat, and of each visitor, in order.
    const inOrder = received.map(({ event }) => event).toSorted((a, b) => (a.type < b.type ? -1 : 1));
    expect(inOrder).toMatchObject(expected);
    const { body } = await tenant.bot.get('/events?wait=0').expect(200);
    expect(body.events).toMatchObject(expected);
    const [webhook] = (await tenant.admin.get('/webhooks').expect(200)).body.webhooks;
    const { deliveries } = (await tenant.admin.get(`/webhooks/${webhook.id}/deliveries`).expect(200)).body;
    const subjects = deliveries.map(({ chatId, visitorId }: Record<string, unknown>) => [chatId, visitorId]);
    expect(subjects).toEqual([
      [null, tenant.visitorId],
      [null, tenant.visitorId],
      [tenant.chatId, null],
      [tenant.chatId, null],
    ]);
    await receiver.close();
  });

  it('the events of messages have them', async () => {
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
    await set(chat, { order: 'A"1' }).expect(200);
    await set(visitor, { plan: 'gold' }).expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    const [event] = (await tenant.bot.get('/events?wait=0').expect(200)).body.events;
    expect(event.data.chat).toMatchObject({
      attributes: { order: 'A"1' },
      visitor: { attributes: { plan: 'gold' }, verifiedAttributes: {} },
    });
  });

  it('a title and attributes may be set together', async () => {
    const asked = { title: 'Order 4711', attributes: { order: 4711 } };
    for (const by of [tenant.bot, ada.client]) {
      const { body } = await by.patch(chat, asked).expect(200);
      expect(body).toEqual({ chatId: tenant.chatId, ...asked });
    }
    expect((await tenant.bot.patch(chat, {}).expect(200)).body).toEqual({ chatId: tenant.chatId, ...asked });
    await tenant.bot.patch(chat, { title: 'Other', attributes: { 'a b': 1 } }).expect(400);
    expect((await detail()).title).toBe('Order 4711');
    const { body } = await tenant.admin.patch(chat, { status: 'QUEUED', attributes: { order: 1 } }).expect(200);
    expect(body).toMatchObject({ status: 'QUEUED', attributes: { order: 1 } });
    await tenant.admin.patch(chat, {}).expect(400);
  });

  it('changes at the same time are all kept', async () => {
    for (const path of [chat, visitor]) {
      await Promise.all(Array.from({ length: 8 }, (_, index) => set(path, { [`key${index}`]: index }).expect(200)));
      expect(Object.keys((await set(path, {}).expect(200)).body.attributes)).toHaveLength(8);
    }
  });

  it('a page cannot set them', async () => {
    const { body } = await tenant.admin.get('').expect(200);
    const asked = {
      widgetKey: body.widgetKey,
      visitor: { name: 'Eve', attributes: { plan: 'gold' }, verifiedAttributes: { plan: 'gold' } },
    };
    const session = (await parley.visitor().post('/sessions', asked).expect(201)).body;
    const stored = (await tenant.admin.get(`/visitors/${session.visitor.id}`).expect(200)).body;
    expect(stored).toMatchObject({ name: 'Eve', attributes: {}, verifiedAttributes: {} });
  });
});
