import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { chatIds, indexed, marked, queryOf, type Search, search } from './support/searching.js';

describe('agents search chats', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sales: string;
  let ada: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [sales] });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const open = async (visitor: object, words: string[], group?: string) => {
    const { body: chat } = await tenant.admin.post('/chats', { visitor }).expect(201);
    if (group) await setChat(parley, chat.id, { group_id: group });
    for (const content of words) await tenant.bot.post('/messages', { chatId: chat.id, content }).expect(200);
    return chat as { id: string; visitor: { id: string } };
  };
  const find = (given: Search, agent = sue) => search(parley, tenant, agent, given);

  it('finds a message by its words, the newest first, and marks them', async () => {
    const first = await open({}, ['Your réfund is on its way', 'Anything else?']);
    const second = await open({}, ['No refunds for heliotrope tickets']);
    const page = await find({ q: 'REFUND' });
    expect(chatIds(page)).toEqual([second.id, first.id]);
    expect(marked(page.results[1]!.message!)).toEqual(['réfund']);
    expect(page.results[1]!.message).toMatchObject({ seq: 1, sender: { type: 'BOT', name: 'Bot' } });
    expect(page.nextCursor).toBeNull();
    expect(chatIds(await find({ q: 'helio refunds' }))).toEqual([]);
    expect(chatIds(await find({ q: 'refunds helio' }))).toEqual([second.id]);
    expect(chatIds(await find({ q: '"heliotrope tickets"' }))).toEqual([second.id]);
    expect(chatIds(await find({ q: '"tickets heliotrope"' }))).toEqual([]);
  });

  it('finds notes, file names, and the newer of a message and a note', async () => {
    const chat = await open({}, ['A quixotic question']);
    await sue.client.post(`/chats/${chat.id}/notes`, { content: 'quixotic, as always' }).expect(201);
    const { results } = await find({ q: 'quixotic' });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ note: { author: { name: 'Sue' } } });
    expect(results[0]).not.toHaveProperty('message');
    const bySender = await find({ q: 'quixotic', senderType: 'BOT' });
    expect(bySender.results[0]).toMatchObject({ message: { snippet: 'A quixotic question' } });
  });

  it('begins with the chats that are named, and ends with names that have an edit', async () => {
    const named = await open({ name: 'Zoë Quillfeather', email: 'zoe.q@example.org' }, ['hello']);
    const other = await open({ name: 'Someone' }, ['I saw Zoe Quillfeather yesterday']);
    expect(chatIds(await find({ q: 'zoe quillfeather' }))).toEqual([named.id, other.id]);
    expect(chatIds(await find({ q: 'ZOE.Q@example.org' }))).toEqual([named.id]);
    for (const id of [named.id, named.visitor.id]) expect(chatIds(await find({ q: id }))).toEqual([named.id]);
    const edited = await find({ q: 'Quilfeather' });
    expect(edited.results).toMatchObject([{ chat: { id: named.id }, isApproximate: true }]);
    expect(chatIds(await find({ q: 'quillfe' }))).toEqual([other.id, named.id]);
    const message = (await find({ q: 'yesterday' })).results[0]!.message!;
    expect(chatIds(await find({ q: message.id }))).toEqual([other.id]);
  });

  it('an agent finds only the chats that it may open, on full pages', async () => {
    const seen: string[] = [];
    for (let n = 0; n < 6; n++) {
      await open({}, [`paladin ${n}`]);
      seen.unshift((await open({}, [`paladin ${n}`], sales)).id);
    }
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page = await find({ q: 'paladin', limit: 4, ...(cursor && { cursor }) }, ada);
      pages.push(chatIds(page));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual([seen.slice(0, 4), seen.slice(4)]);
    expect((await find({ q: 'paladin' })).results).toHaveLength(12);
    const stranger = await parley.createTenant();
    const admin = await parley.signInAgent(stranger, { role: 'ADMIN' });
    expect((await search(parley, stranger, admin, { q: 'paladin' })).results).toEqual([]);
  });

  it('a walk has each chat once, even when a chat gets matches between two pages', async () => {
    const [old, middle, late] = [await open({}, ['xylem']), await open({}, ['xylem']), await open({}, ['xylem'])];
    const first = await find({ q: 'xylem', limit: 1 });
    expect(chatIds(first)).toEqual([late.id]);
    await tenant.bot.post('/messages', { chatId: old.id, content: 'more xylem' }).expect(200);
    const second = await find({ q: 'xylem', limit: 2, cursor: first.nextCursor! });
    expect(chatIds(second)).toEqual([middle.id, old.id]);
  });

  it('filters', async () => {
    const chat = await open({ name: 'Filter Person' }, ['basilisk']);
    const other = await open({}, ['basilisk'], sales);
    const of = async (filter: Search) => chatIds(await find({ q: 'basilisk', ...filter }));
    expect(await of({ groupId: sales })).toEqual([other.id]);
    expect(await of({ visitorId: chat.visitor.id })).toEqual([chat.id]);
    expect(await of({ botId: tenant.botId })).toEqual([other.id, chat.id]);
    expect(await of({ participantId: ada.id })).toEqual([]);
    await tenant.admin.patch(`/chats/${chat.id}`, { status: 'CLOSED' }).expect(200);
    expect(await of({ status: 'CLOSED' })).toEqual([chat.id]);
    expect(await of({ senderType: 'VISITOR' })).toEqual([]);
    expect(await of({ unread: 'true' })).toEqual([]);
    expect(await of({ rating: ['1', '*'] })).toEqual([]);
    expect(await of({ from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' })).toEqual([]);
    expect(await of({ from: '2020-01-01T00:00:00Z' })).toEqual([other.id, chat.id]);
    expect(chatIds(await find({ visitorId: chat.visitor.id }))).toEqual([chat.id]);
    expect(chatIds(await find({ q: 'filter', to: '2099-01-01T00:00:00Z' }))).toEqual([]);
  });

  it('POST searches by the same parameters', async () => {
    const chat = await open({}, ['chrysalis']);
    await indexed(parley, tenant.id);
    const body = { q: 'chrysalis', limit: 1, visitorId: chat.visitor.id };
    const { body: page } = await sue.client.post('/search', body).expect(200);
    expect(chatIds(page)).toEqual([chat.id]);
    expect(page).toEqual((await sue.client.get(queryOf(body)).expect(200)).body);
    await sue.client.post('/search', { q: 'chrysalis', unread: true, rating: [5, '*'] }).expect(200);
  });

  it.each([
    [{}, '?q'],
    [{ q: '' }, '?q'],
    [{ q: 'x'.repeat(201) }, '?q'],
    [{ from: '2026-01-01T00:00:00Z' }, '?q'],
    [{ status: 'CLOSED', senderType: 'BOT' }, '?senderType'],
    [{ q: 'x', tag: '' }, '?tag'],
    [{ q: 'x', label: 'refund' }, '?label'],
    [{ q: 'x', 'attr.plan': 'pro' }, '?attr.plan'],
    [{ q: 'x', 'verified.plan': 'pro' }, '?verified.plan'],
    [{ q: 'x', nonsense: '1' }, '?nonsense'],
    [{ q: 'x', rating: '6' }, '?rating'],
    [{ q: 'x', to: 'yesterday' }, '?to'],
    [{ q: 'x', limit: 51 }, '?limit'],
    [{ q: 'x', cursor: 'x' }, '?cursor'],
  ] as [Search, string][])('%j is 400 and names %s', async (given, pointer) => {
    const { body } = await sue.client.get(queryOf(given)).expect(400);
    expect(body.errors).toContainEqual(expect.objectContaining({ pointer }));
  });

  it('a cursor works for its own search only', async () => {
    for (let n = 0; n < 2; n++) await open({}, ['obelisk']);
    const { nextCursor: cursor } = await find({ q: 'obelisk', limit: 1 });
    await sue.client.get(queryOf({ q: 'other', cursor: cursor! })).expect(400);
    await sue.client.get(queryOf({ q: 'obelisk', status: 'ACTIVE', cursor: cursor! })).expect(400);
  });

  it('a filter by what the agent can’t see is 404', async () => {
    const hidden = await open({}, ['x']);
    const other = await parley.createTenant();
    const support = (await tenant.admin.post('/groups', { name: 'Hidden' }).expect(201)).body.id;
    const filters: Search[] = [
      { groupId: support },
      { visitorId: hidden.visitor.id },
      { visitorId: other.visitorId },
      { botId: other.botId },
      { agentId: 'agt_none' },
      { participantId: 'agt_none' },
    ];
    for (const filter of filters) await ada.client.get(queryOf({ q: 'x', ...filter })).expect(404);
  });
});
