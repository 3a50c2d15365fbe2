import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { Parley, type Tenant } from '../support/parley.js';
import { chatIds, indexed, queryOf, type Search } from './support/searching.js';

describe('bots search chats', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ofVisitor: Client;
  let ofAll: Client;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    ofVisitor = await withScopes('search');
    ofAll = await withScopes('search:all');
  });
  afterAll(() => parley.stop());

  const withScopes = async (...scopes: string[]) => {
    const { body } = await tenant.admin.post(`/bots/${tenant.botId}/tokens`, { scopes }).expect(201);
    return parley.bot(body.token);
  };
  const find = async (bot: Client, given: Search) => {
    await indexed(parley, tenant.id);
    return (await bot.get(queryOf(given)).expect(200)).body;
  };

  it('a token with search finds one visitor’s chats, and one with search:all finds every visitor’s', async () => {
    const { body: other } = await tenant.admin.post('/chats', {}).expect(201);
    for (const chatId of [tenant.chatId, other.id])
      await tenant.bot.post('/messages', { chatId, content: 'the wombat is here' }).expect(200);
    const page = await find(ofVisitor, { q: 'wombat', visitorId: tenant.visitorId });
    expect(chatIds(page)).toEqual([tenant.chatId]);
    const { body: chat } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    const { recentMessages: _, ...asInEvents } = chat;
    expect(asInEvents).toMatchObject(page.results[0].chat);
    expect(page.results[0].message).toMatchObject({ snippet: 'the wombat is here', ranges: [[4, 10]] });
    expect(chatIds(await find(ofAll, { q: 'wombat' }))).toEqual([other.id, tenant.chatId]);
  });

  it('notes are not found', async () => {
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await ada.client.post(`/chats/${tenant.chatId}/notes`, { content: 'a secret numbat' }).expect(201);
    expect((await find(ofAll, { q: 'numbat' })).results).toEqual([]);
  });

  it('a note does not keep a chat from being found by a name that has an edit', async () => {
    const { body: chat } = await tenant.admin.post('/chats', { visitor: { name: 'Johnson' } }).expect(201);
    const ada = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await ada.client.post(`/chats/${chat.id}/notes`, { content: 'is this Jonson?' }).expect(201);
    expect((await find(ofAll, { q: 'Jonson' })).results).toMatchObject([
      { chat: { id: chat.id }, isApproximate: true },
    ]);
  });

  it('only a token that names the scope may search', async () => {
    const given = queryOf({ q: 'wombat', visitorId: tenant.visitorId });
    await tenant.bot.get(given).expect(403);
    await (await withScopes('read', 'write', 'handover')).get(given).expect(403);
    const { body } = await ofVisitor.get(queryOf({ q: 'wombat' })).expect(403);
    expect(body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('visitorId') });
    await ofVisitor.get(queryOf({ q: 'wombat', visitorId: '' })).expect(400);
    await ofVisitor.get(queryOf({ q: 'wombat', visitorId: 'vis_none' })).expect(404);
  });

  it('what bots can’t filter by is 400', async () => {
    for (const filter of [{ unread: 'true' }, { label: 'x' }, { 'attr.plan': 'pro' }] as Search[])
      await ofAll.get(queryOf({ q: 'wombat', ...filter })).expect(400);
  });
});
