import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { Indexer } from '../../src/search/index/indexer.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { findTraces } from '../support/traces.js';
import { indexed, search } from './support/searching.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('what was erased is not found', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    parley.app.get(DataRemoval).erasureTimeout = 25_000;
    tenant = await parley.createTenant();
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const open = async (name: string) => {
    const { body: chat } = await tenant.admin.post('/chats', { visitor: { name } }).expect(201);
    return chat as { id: string; visitor: { id: string } };
  };
  const send = async (client: Tenant['bot'], chatId: string, content: string) =>
    (await client.post('/messages', { chatId, content }).expect(200)).body as { id: string };
  const rowsOf = async (chatId: string) =>
    parley.query<{ id: string; words: string }>('SELECT id, words::text FROM search_entries WHERE chat_id = $1', [
      chatId,
    ]);

  it('a visitor: nothing of it is in the index when the erasure ends, even when the index is written at the same time', async () => {
    const chat = await open('Needle Person');
    for (let n = 0; n < 20; n++) await send(tenant.bot, chat.id, `needle ${n}`);
    await indexed(parley, tenant.id);
    expect(await rowsOf(chat.id)).toHaveLength(21);
    const indexer = parley.app.get(Indexer);
    let isErased = false;
    const writing = Array.from({ length: 3 }, async () => {
      while (!isErased) await indexer.apply(tenant.id, { chatId: chat.id, afterSeq: 0 });
    });
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
    expect(await rowsOf(chat.id)).toEqual([]);
    isErased = true;
    await Promise.all(writing);
    expect(await rowsOf(chat.id)).toEqual([]);
    expect(await findTraces(parley, 'needle', chat.visitor.id)).toEqual([]);
    expect((await search(parley, tenant, sue, { q: 'needle' })).results).toEqual([]);
    expect((await search(parley, tenant, sue, { q: chat.id })).results).toEqual([]);
  });

  it('a deleted message and a deleted note, immediately', async () => {
    const chat = await open('x');
    await sue.client.post(`/chats/${chat.id}/claim`, {}).expect(200);
    const { body: sent } = await sue.client.post(`/chats/${chat.id}/messages`, { content: 'spindle' }).expect(201);
    const { message } = sent;
    const { body: note } = await sue.client.post(`/chats/${chat.id}/notes`, { content: 'thimble' }).expect(201);
    await indexed(parley, tenant.id);
    expect((await rowsOf(chat.id)).map(({ id }) => id)).toEqual(expect.arrayContaining([message.id, note.id]));
    await sue.client.delete(`/chats/${chat.id}/messages/${message.seq}`).expect(204);
    await sue.client.delete(`/chats/${chat.id}/notes/${note.id}`).expect(204);
    expect((await rowsOf(chat.id)).map(({ id }) => id)).toEqual([chat.id]);
    for (const q of ['spindle', message.id]) expect((await search(parley, tenant, sue, { q })).results).toEqual([]);
  });

  it('messages past their retention, and chats', async () => {
    const other = await parley.createTenant();
    const { body: chat } = await other.admin.post('/chats', {}).expect(201);
    await send(other.bot, chat.id, 'bobbin');
    await indexed(parley, other.id);
    expect(await rowsOf(chat.id)).toHaveLength(2);
    await parley.admin.patch(`/${other.id}`, { retentionDays: 1 }).expect(200);
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 3 * DAY_MS));
    expect(await rowsOf(chat.id)).toEqual([]);
  });

  it('an organization', async () => {
    const other = await parley.createTenant();
    await send(other.bot, other.chatId, 'haystack');
    await indexed(parley, other.id);
    await parley.admin.delete(`/${other.id}`).expect(204);
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 60 * DAY_MS));
    expect(await parley.query('SELECT FROM search_entries WHERE organization_id = $1', [other.id])).toEqual([]);
    expect(await findTraces(parley, 'haystack')).toEqual([]);
  });

  it('a visitor’s new name replaces the old one', async () => {
    const visitor = await parley.createTenant();
    const agent = await parley.signInAgent(visitor, { role: 'SUPERVISOR' });
    const ids = async (q: string) => (await search(parley, visitor, agent, { q })).results.map(({ chat }) => chat.id);
    expect(await ids('vera')).toEqual([visitor.chatId]);
    await parley.beginSession(visitor, { visitor: { name: 'Renamed' } }, visitor.visitorToken).expect(201);
    expect(await ids('renam')).toEqual([visitor.chatId]);
    expect((await rowsOf(visitor.chatId)).map(({ words }) => words).join(' ')).not.toContain("'=vera'");
  });
});
