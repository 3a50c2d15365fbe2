import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import type { UsedTag } from '../../src/tags/tags.queries.js';
import { makeFrequent } from './exercise.js';
import { Receiver } from '../support/receiver.js';

describe('tags of chats', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let id: string;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    id = tenant.chatId;
  });

  type By = Pick<Tenant['bot'], 'put' | 'post'>;
  const set = (tags: unknown, by: By = tenant.bot) => by.put(`/chats/${id}/tags`, { tags });
  const change = (body: object, by: By = tenant.bot) => by.post(`/chats/${id}/tags`, body);
  const row = async () => (await ada.client.get(`/chats/${id}`).expect(200)).body as { rev: number; tags: string[] };

  it('bots, agents, and administrators read them with the chat, and visitors do not', async () => {
    expect((await set(['VIP', 'Refund', ' vip ']).expect(200)).body).toEqual({ tags: ['Refund', 'VIP'] });
    const tags = ['Refund', 'VIP'];
    expect((await tenant.bot.get(`/chats/${id}`).expect(200)).body.tags).toEqual(tags);
    expect((await tenant.bot.get('/chats').expect(200)).body.chats[0].tags).toEqual(tags);
    expect((await tenant.admin.get(`/chats/${id}`).expect(200)).body.tags).toEqual(tags);
    expect((await tenant.admin.get('/chats').expect(200)).body.chats[0].tags).toEqual(tags);
    expect((await row()).tags).toEqual(tags);
    expect((await ada.client.get('/chats?view=OPEN').expect(200)).body.chats[0].tags).toEqual(tags);
    const visitor = parley.visitor(tenant.visitorToken);
    for (const path of ['/chats', `/chats/${id}/messages`])
      expect((await visitor.get(path).expect(200)).text).not.toMatch(/Refund|"tags"/);
  });

  it('a chat without any has an empty list', async () => {
    expect((await tenant.bot.get(`/chats/${id}`).expect(200)).body.tags).toEqual([]);
    expect((await row()).tags).toEqual([]);
    expect((await change({}).expect(200)).body).toEqual({ tags: [] });
    expect((await set([]).expect(200)).body).toEqual({ tags: [] });
  });

  it('names are compared by full case folding after NFC, and shown as first written', async () => {
    await set(['Straße', 'Café', 'ΣΊΣΥΦΟΣ']).expect(200);
    const { rev } = await row();
    const same = ['STRASSE', 'Cafe\u0301', 'σίσυφος'];
    expect((await set(same, ada.client).expect(200)).body.tags).toHaveLength(3);
    expect((await row()).tags).toEqual(expect.arrayContaining(['Straße', 'Café', 'ΣΊΣΥΦΟΣ']));
    expect((await row()).rev).toBe(rev);
    expect((await set(['Cafe', 'ı', 'i']).expect(200)).body.tags).toEqual(['Cafe', 'i', 'ı']);
  });

  it('a change adds and removes in one step, and raises rev once', async () => {
    await set(['a', 'b']).expect(200);
    const { rev } = await row();
    expect((await change({ add: ['c', 'B'], remove: ['a', 'unknown'] }).expect(200)).body).toEqual({
      tags: ['b', 'c'],
    });
    expect((await row()).rev).toBe(rev + 1);
    await change({ add: ['c'], remove: ['a'] }, ada.client).expect(200);
    expect((await row()).rev).toBe(rev + 1);
  });

  it('more than 20 are refused, and the same tag in add and remove', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    const { body } = await set([...many, 'more']).expect(400);
    expect(body.errors[0]).toMatchObject({ pointer: '/tags', detail: expect.stringContaining('20') });
    await set(many).expect(200);
    expect((await change({ add: ['more'] }).expect(409)).body.code).toBe('conflict');
    expect((await change({ add: ['more'], remove: ['TAG 3'] }).expect(200)).body.tags).toHaveLength(20);
    const twice = (await change({ add: ['X'], remove: ['x'] }).expect(400)).body;
    expect(twice.errors[0].pointer).toBe('/remove');
  });

  it.each([[''], [' \u200b'], ['x'.repeat(51)], [7], ['a\u0007b'], ['nul \u0000'], ['\ud800']])(
    'an invalid tag is answered 400: %j',
    async (tag) => {
      for (const asked of [set([tag]), change({ add: [tag] }), change({ remove: [tag] }, ada.client)])
        expect((await asked.expect(400)).body.code).toBe('validation_failed');
      await set(['😀'.repeat(50)]).expect(200);
    },
  );

  it('webhooks and bots get an event for each change, and none for a call that changes nothing', async () => {
    const receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['chat.tagged'] }).expect(201);
    await tenant.bot.put('/subscription', { events: ['chat.tagged', 'chat.closed'] }).expect(200);
    await set(['a', 'b']).expect(200);
    await set(['B', 'A']).expect(200);
    await change({ add: ['c'], remove: ['a'] }, ada.client).expect(200);
    const received = await receiver.count(2);
    const chat = { id, tags: ['a', 'b'] };
    const first = { chat, added: ['a', 'b'], removed: [], tags: ['a', 'b'], by: { type: 'BOT', id: tenant.botId } };
    expect(received[0]!.event).toMatchObject({ type: 'chat.tagged', data: first });
    const second = { added: ['c'], removed: ['a'], tags: ['b', 'c'], by: { type: 'AGENT', id: ada.id } };
    expect(received[1]!.event.data).toMatchObject({ ...second, chat: { tags: ['b', 'c'] } });
    await tenant.bot.post(`/chats/${id}/close`).expect(200);
    const { body } = await tenant.bot.get('/events?wait=0').expect(200);
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'chat.tagged',
      'chat.tagged',
      'chat.closed',
    ]);
    expect(body.events[2].data.chat.tags).toEqual(['b', 'c']);
    await receiver.close();
  });

  it('a retry with an Idempotency-Key changes nothing', async () => {
    const ask = (body: object) => change(body).set('Idempotency-Key', 'one');
    await ask({ add: ['a'] }).expect(200);
    await set([]).expect(200);
    const again = await ask({ add: ['a'] }).expect(200);
    expect(again.body).toEqual({ tags: ['a'] });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await row()).tags).toEqual([]);
    expect((await ask({ add: ['b'] }).expect(422)).body.code).toBe('idempotency_key_reused');
  });

  it('an agent tags the chats that the agent sees, and a bot all chats of its organization, ended ones too', async () => {
    const ben = await parley.signInAgent(tenant, { groupIds: [] });
    await set(['a'], ben.client).expect(404);
    await change({ add: ['a'] }, ben.client).expect(404);
    const stranger = await parley.createTenant();
    await set(['a'], stranger.bot).expect(404);
    await tenant.bot.post(`/chats/${id}/close`).expect(200);
    await set(['a'], ada.client).expect(200);
    expect((await ben.client.get('/tags').expect(200)).body).toEqual({ tags: [] });
    expect((await stranger.bot.get('/tags').expect(200)).body).toEqual({ tags: [] });
    expect((await ada.client.get('/tags').expect(200)).body.tags).toEqual([{ name: 'a', color: null, chats: 1 }]);
  });

  it('the most used tags come first, by their beginning', async () => {
    const { body: other } = await tenant.admin.post('/chats', {}).expect(201);
    await set(['Refund', 'Return', '100%', 'x_y']).expect(200);
    await tenant.bot.put(`/chats/${other.id}/tags`, { tags: ['Return'] }).expect(200);
    const names = async (query: string) =>
      (await tenant.bot.get(`/tags${query}`).expect(200)).body.tags.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['Return', '100%', 'Refund', 'x_y']);
    expect(await names('?prefix=RE')).toEqual(['Return', 'Refund']);
    expect(await names('?prefix=%25')).toEqual([]);
    expect(await names('?prefix=x_')).toEqual(['x_y']);
    expect(await names('?prefix=')).toHaveLength(4);
  });

  it('counts the newest chats with tags that the caller may open, and nothing of others', async () => {
    const { body: hidden } = await tenant.admin.post('/groups', { name: 'Hidden' }).expect(201);
    const [mine] = (await tenant.admin.get('/groups').expect(200)).body.groups as { id: string }[];
    const ben = await parley.signInAgent(tenant, { groupIds: [mine!.id] });
    const { body: other } = await tenant.admin.post('/chats', { groupId: hidden.id }).expect(201);
    await tenant.bot.put(`/chats/${other.id}/tags`, { tags: ['often', 'secret'] }).expect(200);
    const { body: admin } = await tenant.admin.get('/tags?prefix=often').expect(200);
    await makeFrequent(parley, tenant, admin.tags[0].id);
    await set(['often']).expect(200);
    const oldest = `cht_${'1'.padStart(26, '0')}`;
    await tenant.bot.put(`/chats/${oldest}/tags`, { tags: ['often', 'old'] }).expect(200);
    const used = async ({ client }: SignedInAgent) =>
      (await client.get('/tags').expect(200)).body.tags.map(({ name, chats }: UsedTag) => `${name} ${chats}`);
    expect(await used(ben)).toEqual(['often 1000']);
    expect(await used(ada)).toEqual(['often 1000', 'old 1', 'secret 1']);
  });

  it('an open console learns of tags immediately', async () => {
    await ada.client.post(`/chats/${id}/claim`, {}).expect(200);
    const { rev } = await row();
    const socket = await parley.connectAgent(ada.token);
    await set(['Refund']).expect(200);
    let next = await socket.next('chat');
    while (next.rev <= rev) next = await socket.next('chat');
    expect(next.tags).toEqual(['Refund']);
  });

  it('bots that tag chats with the same new names at the same time add each once', async () => {
    const chats = await Promise.all(Array.from({ length: 8 }, () => tenant.admin.post('/chats', {}).expect(201)));
    const names = ['delta', 'alpha', 'charlie', 'bravo'];
    await Promise.all(
      chats.map(({ body }, index) =>
        tenant.bot.put(`/chats/${body.id}/tags`, { tags: index % 2 ? names : names.toReversed() }).expect(200),
      ),
    );
    const { body } = await tenant.admin.get('/tags').expect(200);
    expect(body.tags.map(({ name, chats: count }: { name: string; chats: number }) => [name, count])).toEqual(
      names.toSorted().map((name) => [name, 8]),
    );
  });
});
