import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.js';
import { fillIndex } from '../search/exercise.js';
import { chatIds, indexed, queryOf, type Page, search, type Search } from '../search/support/searching.js';
import { createClusterDatabase } from '../support/cluster.js';
import type { TestDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('search on a Citus cluster', () => {
  let database: TestDatabase;
  let parley: Parley;
  let tenant: Tenant;
  let sue: SignedInAgent;

  beforeAll(async () => {
    database = await createClusterDatabase();
    await migrate(database.url);
    parley = await Parley.start({}, database.url);
  });
  afterAll(async () => {
    await parley.stop();
    await database.drop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });

  const send = (content: string, { bot, chatId } = tenant) => bot.post('/messages', { chatId, content }).expect(200);
  const find = (given: Search, agent = sue) => search(parley, tenant, agent, given);

  it('messages, notes, names, tags, and attributes are found, and nothing of another organization', async () => {
    const other = await parley.createTenant();
    await send('an invoice of ours');
    await send('an invoice of theirs', other);
    await indexed(parley, other.id);
    const chat = `/chats/${tenant.chatId}`;
    await sue.client.post(`${chat}/notes`, { content: 'looked into it' }).expect(201);
    await parley.beginSession(tenant, { visitor: { name: 'Veronica' } }, tenant.visitorToken).expect(201);
    await tenant.bot.post(`${chat}/tags`, { add: ['refund'] }).expect(200);
    await tenant.admin.put('/attribute-keys', { keys: ['plan'] }).expect(200);
    await tenant.bot.patch(chat, { attributes: { plan: 'pro' } }).expect(200);
    for (const q of ['invoice', 'looked', 'veronica']) expect(chatIds(await find({ q }))).toEqual([tenant.chatId]);
    await until('the attribute can be searched by', async () => {
      const { status } = await sue.client.get(queryOf({ q: 'invoice', 'attr.plan': 'pro' }));
      return status === 200;
    });
    const narrowed: Search[] = [{ tag: 'refund' }, { 'attr.plan': 'pro' }, { visitorId: tenant.visitorId }];
    for (const filter of narrowed) expect(chatIds(await find({ q: 'invoice', ...filter }))).toEqual([tenant.chatId]);
    expect(chatIds(await find({ q: 'invoice', 'attr.plan': 'free' }))).toEqual([]);
  });

  it('an old word is found behind many newer rows, and pages follow each other', async () => {
    const chats = [tenant.chatId];
    while (chats.length < 3) {
      const { body } = await tenant.admin.post('/chats', { visitor: { name: 'Ann' } }).expect(201);
      chats.push(body.id);
    }
    for (const chatId of chats) await send('old words', { ...tenant, chatId });
    await indexed(parley, tenant.id);
    await fillIndex(parley, tenant.id);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await find({ q: 'old', limit: 1, ...(cursor !== null && { cursor }) });
      found.push(...chatIds(page));
      cursor = page.nextCursor;
    } while (cursor !== null && found.length < 10);
    expect(found).toEqual(chats.toReversed());
  });

  it('an agent of no group finds nothing, and what is erased is not found', async () => {
    await send('a secret');
    expect(chatIds(await find({ q: 'secret' }))).toEqual([tenant.chatId]);
    const ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [] });
    expect(chatIds(await find({ q: 'secret' }, ada))).toEqual([]);
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    expect(chatIds(await find({ q: 'secret' }))).toEqual([]);
  });

  it('a rebuild finds the same', async () => {
    await send('before the rebuild');
    await indexed(parley, tenant.id);
    await tenant.admin.post('/search/rebuild', {}).expect(202);
    await send('during the rebuild');
    expect(chatIds(await find({ q: 'rebuild' }))).toEqual([tenant.chatId]);
    const rows = await parley.query('SELECT FROM search_entries WHERE organization_id = $1', [tenant.id]);
    expect(rows.length).toBeGreaterThanOrEqual(2);
  });
});
