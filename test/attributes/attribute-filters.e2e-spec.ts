import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AttributeFilling } from '../../src/attributes/attribute-filling.service.js';
import { signIdentity } from '../support/identity.js';
import { awayFromEnd, DAY_MS } from '../support/day.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { addChatsOfVisitor } from './exercise.js';

interface Chats {
  chats: { id: string }[];
}

describe('filters of chats by attributes', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sue: SignedInAgent;
  let other: string;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    await awayFromEnd(DAY_MS); // A report is of one day.
    tenant = await parley.createTenant();
    sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const metadata = { plan: 'Straße', seats: 5, list: ['a'], none: null, long: 'x'.repeat(501) };
    const { body } = await parley.beginSession(tenant, { visitor: { metadata } }).expect(201);
    other = (await parley.visitor(body.token).post('/chats', {}).expect(201)).body.chat.id;
  });

  const setKeys = async (...keys: string[]) => {
    await tenant.admin.put('/attribute-keys', { keys }).expect(200);
    await parley.app.get(AttributeFilling).run();
  };
  const set = (path: string, attributes: object) => tenant.bot.patch(path, { attributes }).expect(200);
  const ids = (body: unknown) => (body as Chats).chats.map(({ id }) => id).toSorted();
  const lists = (query: string) => [
    tenant.bot.get(`/chats?${query}`),
    tenant.admin.get(`/chats?${query}`),
    sue.client.get(`/chats?view=OPEN&${query}`),
  ];
  // What every list finds, which must be the same.
  const found = async (query: string) => {
    const answers = await Promise.all(lists(query).map((asked) => asked.expect(200)));
    const all = answers.map(({ body }) => ids(body));
    expect(all).toEqual(all.map(() => all[0]));
    return all[0];
  };

  it('finds what the chat or its visitor has, and the metadata, whole and without case', async () => {
    await setKeys('plan', 'seats', 'list', 'none', 'long');
    const { chatId, visitorId } = tenant;
    await set(`/chats/${chatId}`, { plan: 'Gold', seats: false });
    await set(`/visitors/${visitorId}`, { plan: 'Silver', long: 'y'.repeat(500) });
    expect(await found('attr.plan=GOLD')).toEqual([chatId]);
    expect(await found('attr.plan=silver')).toEqual([chatId]);
    expect(await found('attr.plan=gold&attr.plan=silver')).toEqual([chatId]);
    expect(await found('attr.plan=gold&attr.seats=5')).toEqual([]);
    expect(await found('attr.plan=gol')).toEqual([]);
    expect(await found('attr.plan=STRASSE')).toEqual([other]);
    expect(await found('attr.seats=5')).toEqual([other]);
    expect(await found('attr.seats=false')).toEqual([chatId]);
    expect(await found('attr.seats=*')).toEqual([chatId, other].toSorted());
    expect(await found('attr.seats=*&attr.plan=*&attr.plan=gold')).toEqual([chatId]);
    expect(await found(`attr.long=${'Y'.repeat(500)}`)).toEqual([chatId]);
    for (const nothing of ['attr.list=*', 'attr.none=*', 'attr.plan=', 'verified.plan=*', 'attr.long=x'])
      expect([nothing, await found(nothing)]).toEqual([nothing, []]);
    await set(`/chats/${chatId}`, { plan: '', seats: null });
    expect(await found('attr.plan=')).toEqual([chatId]);
    expect(await found('attr.plan=gold')).toEqual([]);
  });

  it('verified finds what a signed identity says, and nothing that others say', async () => {
    await setKeys('plan');
    const begin = async (plan: string) => {
      const identity = await signIdentity(tenant, { sub: 'vera', attributes: { plan } });
      return (await parley.beginSession(tenant, { identity }).expect(201)).body;
    };
    const { token } = await begin('gold');
    const { body } = await parley.visitor(token).post('/chats', {}).expect(201);
    const vera = body.chat.id as string;
    await set(`/chats/${tenant.chatId}`, { plan: 'gold' });
    await set(`/chats/${body.chat.id}`, { plan: 'bronze' });
    expect(await found('verified.plan=GOLD')).toEqual([body.chat.id]);
    expect(await found('verified.plan=*')).toEqual([body.chat.id]);
    expect(await found('attr.plan=gold')).toEqual([tenant.chatId, vera].toSorted());
    expect(await found('attr.plan=bronze&verified.plan=gold')).toEqual([body.chat.id]);
    expect(await found('verified.plan=bronze')).toEqual([]);
    await begin('silver');
    expect(await found('verified.plan=gold')).toEqual([]);
    expect(await found('verified.plan=silver')).toEqual([body.chat.id]);
  });

  it('finds chats of a frequent value too, in pages', async () => {
    await setKeys('plan');
    await addChatsOfVisitor(parley, tenant);
    await set(`/visitors/${tenant.visitorId}`, { plan: 'gold' });
    await set(`/chats/${other}`, { plan: 'gold' });
    for (const [first] of [lists('attr.plan=gold&limit=2')]) {
      const { body } = await first!.expect(200);
      expect(body.chats.map(({ id }: { id: string }) => id)).toEqual([tenant.chatId, other].toSorted().toReversed());
      const { body: next } = await tenant.bot.get(`/chats?attr.plan=gold&cursor=${body.nextCursor}`).expect(200);
      expect(next.chats[0].id).toMatch(/2001$/);
    }
    expect(await found('attr.plan=gold&attr.plan=*&limit=1')).toBeDefined();
    expect(await found('attr.plan=silver')).toEqual([]);
  });

  it('a key without a filter is 400, and one that is not ready 409', async () => {
    await setKeys('plan');
    await parley.query(`UPDATE attribute_keys SET ready_at = NULL WHERE organization_id = $1`, [tenant.id]);
    for (const asked of lists('attr.plan=gold')) expect((await asked.expect(409)).body.code).toBe('not_ready');
    const wrong: [query: string, pointer: string][] = [
      ['attr.seats=5', '?attr.seats'],
      ['verified.Plan=5', '?verified.Plan'],
      ['attr.=5', '?attr.'],
      ['attr.a%20b=5', '?attr.KEY'],
      [`attr.${'x'.repeat(65)}=5`, `?attr.${'x'.repeat(65)}`],
      [`attr.plan=${'x'.repeat(501)}`, '?attr.plan'],
      ['attr.plan=%00', '?attr.plan'],
      [Array.from({ length: 11 }, () => 'attr.plan=x').join('&'), '?attr.plan'],
      [`tag=vip&${Array.from({ length: 10 }, () => 'verified.plan=x').join('&')}`, '?verified.plan'],
    ];
    for (const [query, pointer] of wrong)
      for (const asked of lists(query)) {
        const { body } = await asked.expect(400);
        expect([query, body.errors[0].pointer]).toEqual([query, pointer]);
      }
  });

  it('reports and their export count by what a chat has now', async () => {
    await setKeys('plan');
    const day = new Date().toISOString().slice(0, 10);
    const report = (path: string, query: string) =>
      sue.client.get(`/reports${path}?from=${day}&to=${day}&timeZone=UTC&${query}`);
    const created = async (query: string) => (await report('', query).expect(200)).body.days[0].created as number;
    expect(await created('')).toBe(2);
    expect(await created('attr.plan=gold')).toBe(0);
    await set(`/visitors/${tenant.visitorId}`, { plan: 'gold' });
    expect(await created('attr.plan=gold')).toBe(1);
    expect(await created('verified.plan=gold')).toBe(0);
    expect(await created('attr.plan=*')).toBe(2);
    for (const path of ['/agents', '/ratings']) await report(path, 'attr.plan=gold').expect(200);
    const { text } = await report('/chats/export', 'attr.plan=gold').expect(200);
    expect([text.includes(tenant.chatId), text.includes(other)]).toEqual([true, false]);
    for (const path of ['', '/agents', '/ratings', '/chats/export']) {
      const { body } = await report(path, 'attr.other=gold').expect(400);
      expect(body.errors[0].pointer).toBe('?attr.other');
    }
  });

  it('another organization has its own keys and values', async () => {
    await setKeys('plan');
    await set(`/chats/${tenant.chatId}`, { plan: 'gold' });
    const stranger = await parley.createTenant();
    await stranger.bot.get('/chats?attr.plan=gold').expect(400);
    await stranger.admin.put('/attribute-keys', { keys: ['plan'] }).expect(200);
    await parley.app.get(AttributeFilling).run();
    const { body } = await stranger.bot.get('/chats?attr.plan=gold').expect(200);
    expect(body.chats).toEqual([]);
  });
});
