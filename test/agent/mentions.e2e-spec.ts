import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { makeChat, setChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('notes that mention agents', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sales: string;
  let support: string;
  let ada: SignedInAgent;
  let bob: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    support = (await tenant.admin.post('/groups', { name: 'Support' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [sales] });
    bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [sales] });
  });
  afterAll(() => parley.stop());

  const write = async ({ client }: SignedInAgent, chatId: string, content: string, mentions: string[]) =>
    (await client.post(`/chats/${chatId}/notes`, { content, mentions }).expect(201)).body;
  const list = async ({ client }: SignedInAgent, query = '') =>
    (await client.get(`/mentions?${query}`).expect(200)).body;
  const unseen = async ({ client }: SignedInAgent) => (await client.get('/chats/counts').expect(200)).body.mentions;
  const see = ({ client }: SignedInAgent, chatId: string) => client.post(`/chats/${chatId}/mentions/seen`, {});
  const inSales = () => makeChat(parley, tenant, { group_id: sales });

  it('a mentioned agent is notified, counts the note until it is seen, and keeps it in the list', async () => {
    const chatId = await inSales();
    const [socket, beside] = [await parley.connectAgent(bob.token), await parley.connectAgent(bob.token)];
    const note = await write(ada, chatId, 'Please look, @Bob', [bob.id, ada.id]);
    expect(note.mentions.toSorted(byName)).toEqual([
      { id: ada.id, name: 'Ada' },
      { id: bob.id, name: 'Bob' },
    ]);
    for (const one of [socket, beside]) {
      expect(await one.next('mention')).toMatchObject({ note, chat: { id: chatId, group: { id: sales } } });
    }
    expect([await unseen(bob), await unseen(ada)]).toEqual([1, 1]);
    expect((await list(bob)).mentions[0]).toMatchObject({ note, chat: { id: chatId }, seenAt: null });
    await see(bob, chatId).expect(204);
    expect(await beside.next('mentions:seen')).toEqual({ chatId });
    expect([await unseen(bob), await unseen(ada)]).toEqual([0, 1]);
    expect((await list(bob)).mentions[0]).toMatchObject({ note, seenAt: expect.any(String) });
    await see(ada, chatId).expect(204);
    await see(bob, chatId).expect(204);
  });

  it('mentions come in pages, newest first', async () => {
    const chatId = await inSales();
    const notes = [];
    for (const content of ['one', 'two', 'three']) notes.unshift((await write(ada, chatId, content, [bob.id])).id);
    const first = await list(bob, 'limit=2');
    const rest = await list(bob, `limit=1&cursor=${first.nextCursor}`);
    const ids = [...first.mentions, ...rest.mentions].map(({ note }: { note: { id: string } }) => note.id);
    expect(ids).toEqual(notes);
    await see(bob, chatId).expect(204);
  });

  it('an edit of the content does not bring back a mention that another edit removes at the same time', async () => {
    const chatId = await inSales();
    const { id } = await write(ada, chatId, '@Bob', [bob.id]);
    const path = `/chats/${chatId}/notes/${id}`;
    const waiting = (count: number) =>
      eventually(
        () =>
          parley.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'UPDATE notes'`,
          ),
        ({ length }) => length === count,
      );
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM chats WHERE id = $1 FOR UPDATE', [chatId]);
    const edits: Promise<unknown>[] = [];
    try {
      for (const change of [{ content: 'Please look', mentions: [] }, { content: 'Please look today' }]) {
        edits.push(
          ada.client
            .patch(path, change)
            .expect(200)
            .then(({ status }) => status),
        );
        await waiting(edits.length);
      }
    } finally {
      await holder.query('COMMIT');
      await holder.end();
    }
    await Promise.all(edits);
    const { body } = await ada.client.get(`/chats/${chatId}/notes`).expect(200);
    expect(body.notes).toMatchObject([{ content: 'Please look today', mentions: [] }]);
  });

  it('an edited note notifies only whom it did not mention before, and forgets whom it leaves out', async () => {
    const chatId = await inSales();
    const cleo = await parley.signInAgent(tenant, { name: 'Cleo', groupIds: [sales] });
    const [ofBob, ofCleo] = [await parley.connectAgent(bob.token), await parley.connectAgent(cleo.token)];
    const { id } = await write(ada, chatId, '@Bob', [bob.id]);
    await ofBob.next('mention');
    const path = `/chats/${chatId}/notes/${id}`;
    const { body: kept } = await ada.client.patch(path, { content: 'Still @Bob' }).expect(200);
    expect(kept.mentions).toEqual([{ id: bob.id, name: 'Bob' }]);
    await ada.client.patch(path, { content: '@Bob @Cleo', mentions: [bob.id, cleo.id] }).expect(200);
    expect((await ofCleo.next('mention')).note.content).toBe('@Bob @Cleo');
    await ada.client.patch(path, { content: '@Cleo', mentions: [cleo.id] }).expect(200);
    expect([await unseen(bob), await unseen(cleo)]).toEqual([0, 1]);
    expect(ofBob.all('mention')).toHaveLength(1);
    await ada.client.delete(path).expect(204);
    expect([await unseen(cleo), (await list(cleo)).mentions]).toEqual([0, []]);
  });

  it('an agent who may not see the chat, is disabled, or is of another organization cannot be mentioned', async () => {
    const chatId = await inSales();
    const dan = await parley.signInAgent(tenant, { name: 'Dan', groupIds: [support] });
    const off = await parley.signInAgent(tenant, { name: 'Off', groupIds: [sales] });
    await tenant.admin.patch(`/agents/${off.id}`, { isEnabled: false }).expect(200);
    const other = await parley.createTenant();
    const stranger = await parley.signInAgent(other, { role: 'ADMIN' });
    for (const id of [dan.id, off.id, stranger.id, 'agt_none']) {
      const { body } = await ada.client.post(`/chats/${chatId}/notes`, { content: 'x', mentions: [bob.id, id] });
      expect([id, body.code, body.errors?.[0].pointer]).toEqual([id, 'validation_failed', '/mentions']);
    }
    await dan.client.post(`/chats/${chatId}/notes`, { content: 'x', mentions: [bob.id] }).expect(404);
    for (const mentions of ['bob', [7], [''], [bob.id, bob.id], Array.from({ length: 21 }, (_, at) => `agt_${at}`)]) {
      const { body } = await ada.client.post(`/chats/${chatId}/notes`, { content: 'x', mentions }).expect(400);
      expect(body.errors[0].pointer).toBe('/mentions');
    }
    expect((await ada.client.get(`/chats/${chatId}/notes`).expect(200)).body.notes).toEqual([]);
  });

  it('a chat that the agent may no longer see hides its mentions, and a deleted agent is mentioned no longer', async () => {
    const chatId = await inSales();
    const eve = await parley.signInAgent(tenant, { name: 'Eve', groupIds: [sales] });
    await write(ada, chatId, '@Eve', [eve.id]);
    await setChat(parley, chatId, { group_id: support });
    expect([await unseen(eve), (await list(eve)).mentions]).toEqual([0, []]);
    await see(eve, chatId).expect(404);
    await setChat(parley, chatId, { group_id: sales });
    expect(await unseen(eve)).toBe(1);
    await tenant.admin.delete(`/agents/${eve.id}`).expect(204);
    const { body } = await ada.client.get(`/chats/${chatId}/notes`).expect(200);
    expect(body.notes[0]).toMatchObject({ content: '@Eve', mentions: [] });
  });

  it('erasing the visitor removes the mentions with the notes', async () => {
    const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
    await setChat(parley, chat.id, { group_id: sales });
    await write(ada, chat.id, '@Bob', [bob.id]);
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
    expect(await unseen(bob)).toBe(0);
    expect(await parley.query('SELECT FROM note_mentions WHERE chat_id = $1', [chat.id])).toEqual([]);
  });
});

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
