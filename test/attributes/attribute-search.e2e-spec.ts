import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AttributeFilling } from '../../src/attributes/attribute-filling.service.js';
import { chatIds, indexed, type Page, queryOf, search } from '../search/support/searching.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { addChatsOfVisitor } from './exercise.js';

describe('search by attributes', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await tenant.admin.put('/attribute-keys', { keys: ['plan', 'seats'] }).expect(200);
    await parley.app.get(AttributeFilling).run();
  });

  const set = (path: string, attributes: object) => tenant.bot.patch(path, { attributes }).expect(200);
  const found = async (given: Parameters<typeof search>[3]) => chatIds(await search(parley, tenant, sue, given));
  const post = (body: object) => sue.client.post('/search', body);

  it('finds chats by words and attributes, and by attributes alone, as a query and as JSON', async () => {
    const { chatId, visitorId } = tenant;
    await tenant.bot.post('/messages', { chatId, content: 'about the refund' }).expect(200);
    await set(`/visitors/${visitorId}`, { plan: 'Gold', seats: 5 });
    expect(await found({ q: 'refund', 'attr.plan': 'gold' })).toEqual([chatId]);
    expect(await found({ q: 'refund', 'attr.plan': 'silver' })).toEqual([]);
    expect(await found({ q: 'other', 'attr.plan': 'gold' })).toEqual([]);
    expect(await found({ 'attr.plan': ['gold', '*'], 'attr.seats': '5' })).toEqual([chatId]);
    expect(await found({ 'attr.plan': 'gold', 'verified.plan': '*' })).toEqual([]);
    for (const body of [{ 'attr.plan': 'GOLD' }, { 'attr.plan': ['gold', '*'], 'attr.seats': 5 }]) {
      const { body: page } = await post({ q: 'refund', ...body }).expect(200);
      expect(chatIds(page as Page)).toEqual([chatId]);
    }
    const { body: token } = await tenant.admin
      .post(`/bots/${tenant.botId}/tokens`, { scopes: ['search:all'] })
      .expect(201);
    const bot = parley.bot(token.token);
    expect(chatIds((await bot.get('/search?attr.plan=gold').expect(200)).body as Page)).toEqual([chatId]);
    await bot.get('/search?attr.other=gold').expect(400);
  });

  it('a search names the parameter that is wrong, and the wrong cursor', async () => {
    const pointer = async (body: object) => (await post(body).expect(400)).body.errors[0].pointer as string;
    expect(await pointer({ q: 'x', 'attr.other': 'gold' })).toBe('/attr.other');
    expect(await pointer({ q: 'x', 'attr.plan': { a: 1 } })).toBe('/attr.plan');
    expect(await pointer({ q: 'x', 'attr.plan': [] })).toBe('/attr.plan');
    expect(await pointer({ q: 'x', 'attrs.plan': 'gold' })).toBe('/attrs.plan');
    expect(await pointer({ q: 'x', attributes: 'gold' })).toBe('/attributes');
    expect(await pointer({ q: 'x', tag: 'vip', 'attr.plan': Array(10).fill('gold') })).toBe('/attr.plan');
    const { body } = await sue.client.get('/search?q=x&attr.other=1').expect(400);
    expect(body.errors[0].pointer).toBe('?attr.other');
  });

  it('one tag in the body may be a text', async () => {
    await tenant.bot.put(`/chats/${tenant.chatId}/tags`, { tags: ['VIP'] }).expect(200);
    await indexed(parley, tenant.id);
    const { body } = await post({ tag: 'vip' }).expect(200);
    expect(chatIds(body as Page)).toEqual([tenant.chatId]);
  });

  it('pages have each chat once, also of a frequent value', async () => {
    await addChatsOfVisitor(parley, tenant);
    await set(`/visitors/${tenant.visitorId}`, { plan: 'gold' });
    await indexed(parley, tenant.id);
    const asked = { 'attr.plan': 'gold', limit: 2 };
    const { body: first } = await sue.client.get(queryOf(asked)).expect(200);
    const { body: second } = await post({ ...asked, cursor: first.nextCursor }).expect(200);
    const ids = [...chatIds(first as Page), ...chatIds(second as Page)];
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
    const other = { 'attr.plan': 'silver', limit: 2, cursor: first.nextCursor };
    expect((await post(other).expect(400)).body.errors[0].pointer).toBe('/cursor');
  });
});
