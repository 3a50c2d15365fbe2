import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { makeChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { indexed } from '../search/support/searching.js';
import { findTraces } from '../support/traces.js';

describe("agents' notes", () => {
  let parley: Parley;
  let tenant: Tenant;
  let sales: string;
  let ada: SignedInAgent;
  let bob: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    tenant = await parley.createTenant();
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [sales] });
    bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [sales] });
  });
  afterAll(() => parley.stop());

  const write = async ({ client }: SignedInAgent, chatId: string, content: string) =>
    (await client.post(`/chats/${chatId}/notes`, { content }).expect(201)).body;
  const list = async (chatId: string, query = '') =>
    (await ada.client.get(`/chats/${chatId}/notes?${query}`).expect(200)).body;

  it('notes are kept in order, each with its author and the message it follows', async () => {
    const chatId = await makeChat(parley, tenant, { group_id: sales });
    expect(await list(chatId)).toEqual({ notes: [], nextCursor: null });
    const first = await write(ada, chatId, 'called before');
    expect(first).toEqual({
      id: expect.stringMatching(/^not_/),
      content: 'called before',
      author: { id: ada.id, name: 'Ada' },
      afterSeq: 0,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      editedAt: null,
      mentions: [],
    });
    for (const content of ['one', 'two']) await tenant.bot.post('/messages', { chatId, content }).expect(200);
    const second = await write(bob, chatId, 'é'.repeat(5000));
    expect(second).toMatchObject({ author: { id: bob.id, name: 'Bob' }, afterSeq: 2 });
    expect(await list(chatId)).toEqual({ notes: [first, second], nextCursor: null });
    const page = await list(chatId, 'limit=1');
    expect(page.notes).toEqual([first]);
    expect(await list(chatId, `cursor=${page.nextCursor}`)).toEqual({ notes: [second], nextCursor: null });
  });

  it('a note raises rev and sends the row to agents who see the chat, and to no visitor', async () => {
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const visitor = await parley.connectVisitor(session.token);
    const { chat } = await visitor.ask('chat:open', {});
    await parley.query('UPDATE chats SET group_id = $2 WHERE id = $1', [chat.id, sales]);
    const socket = await parley.connectAgent(ada.token);
    const { chat: row } = await socket.ask('chat:follow', { chatId: chat.id });
    await write(bob, chat.id, 'look');
    await socket.until(() => socket.all('chat').some(({ id, rev }) => id === chat.id && rev === row.rev + 1));
    await visitor.ask('message:send', { chatId: chat.id, content: 'after it' });
    await visitor.next('message');
    expect(visitor.all('chat').filter(({ messageCount }) => messageCount === 0)).toEqual([]);
  });

  it("notes keep their author's name after the author was renamed or deleted", async () => {
    const chatId = await makeChat(parley, tenant, { group_id: sales });
    const cleo = await parley.signInAgent(tenant, { name: 'Cleo', groupIds: [sales] });
    const note = await write(cleo, chatId, 'kept');
    await tenant.admin.patch(`/agents/${cleo.id}`, { name: 'Other' }).expect(200);
    await tenant.admin.delete(`/agents/${cleo.id}`).expect(204);
    expect((await list(chatId)).notes).toEqual([note]);
  });

  it('only its author can change or delete a note, which raises rev for agents who see the chat', async () => {
    const chatId = await makeChat(parley, tenant, { group_id: sales });
    const note = await write(ada, chatId, 'first');
    const kept = await write(bob, chatId, 'kept');
    const path = `/chats/${chatId}/notes/${note.id}`;
    const socket = await parley.connectAgent(bob.token);
    const { chat: row } = await socket.ask('chat:follow', { chatId });
    for (const refused of [bob.client.patch(path, { content: 'mine' }), bob.client.delete(path)]) {
      expect((await refused.expect(403)).body).toMatchObject({ code: 'forbidden' });
    }
    const { body: edited } = await ada.client.patch(path, { content: 'second' }).expect(200);
    expect(edited).toEqual({ ...note, content: 'second', editedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    await socket.until(() => socket.all('chat').some(({ id, rev }) => id === chatId && rev === row.rev + 1));
    expect((await list(chatId)).notes).toEqual([edited, kept]);
    await ada.client.delete(path).expect(204);
    await socket.until(() => socket.all('chat').some(({ id, rev }) => id === chatId && rev === row.rev + 2));
    expect((await list(chatId)).notes).toEqual([kept]);
    await ada.client.delete(path).expect(404);
    await ada.client.patch(path, { content: 'x' }).expect(404);
  });

  it('a note cannot be changed by an author who may no longer see the chat', async () => {
    const chatId = await makeChat(parley, tenant, { group_id: sales });
    const dan = await parley.signInAgent(tenant, { name: 'Dan', groupIds: [sales] });
    const note = await write(dan, chatId, 'secret');
    await tenant.admin.patch(`/agents/${dan.id}`, { groupIds: [] }).expect(200);
    await dan.client.patch(`/chats/${chatId}/notes/${note.id}`, { content: 'x' }).expect(404);
    await dan.client.delete(`/chats/${chatId}/notes/${note.id}`).expect(404);
    expect((await list(chatId)).notes).toEqual([note]);
  });

  it('invalid notes are rejected', async () => {
    const chatId = await makeChat(parley, tenant, { group_id: sales });
    for (const content of ['', 'x'.repeat(5001), 7, null, undefined, 'a\u0000b', '\ud800']) {
      const { body } = await ada.client.post(`/chats/${chatId}/notes`, { content }).expect(400);
      expect(body.errors[0].pointer).toBe('/content');
      const changed = await ada.client.patch(`/chats/${chatId}/notes/not_none`, { content }).expect(400);
      expect(changed.body.errors[0].pointer).toBe('/content');
    }
    await ada.client.get(`/chats/${chatId}/notes?limit=51`).expect(400);
    await ada.client.get(`/chats/${chatId}/notes?cursor=x`).expect(400);
    await parley.agent().post(`/chats/${chatId}/notes`, { content: 'x' }).expect(401);
  });

  it('notes reach no bot, visitor, or webhook, only the export of what is stored, and change nothing else in the chat', async () => {
    const receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const visitor = parley.visitor(session.token);
    const { body: opened } = await visitor.post('/chats', {}).expect(201);
    const chatId: string = opened.chat.id;
    await parley.query('UPDATE chats SET group_id = $2 WHERE id = $1', [chatId, sales]);
    const before = await tenant.bot.get(`/chats/${chatId}`).expect(200);
    await write(ada, chatId, 'needle');
    expect((await tenant.bot.get(`/chats/${chatId}`).expect(200)).body).toEqual(before.body);
    await tenant.bot.post('/messages', { chatId, content: 'after it' }).expect(200);
    await receiver.until((all) => all.some(({ event }) => event.data.message?.content === 'after it'));
    const { text: exported } = await tenant.admin
      .get(`/visitors/${session.visitor.id}/export`)
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => done(null, text));
      })
      .expect(200)
      .then(({ body }) => ({ text: String(body) }));
    expect(exported).toContain('after it');
    // What's stored about a person includes what colleagues wrote about them.
    expect(exported).toContain('needle');
    const seen = [
      (await tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).text,
      (await visitor.get(`/chats/${chatId}/messages`).expect(200)).text,
      (await visitor.get('/chats').expect(200)).text,
      (await tenant.admin.get(`/chats/${chatId}`).expect(200)).text,
      JSON.stringify(receiver.received.map(({ event }) => event)),
    ];
    for (const text of seen) expect(text).not.toContain('needle');
    await indexed(parley, tenant.id);
    expect(await findTraces(parley, 'needle')).toEqual(['needle in notes', 'needle in search_entries']);
    await receiver.close();
  });

  it('erasing a visitor deletes the notes, even those written at that moment', async () => {
    const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
    await parley.query('UPDATE chats SET group_id = $2 WHERE id = $1', [chat.id, sales]);
    await write(ada, chat.id, 'erased needle');
    const late = Array.from({ length: 20 }, () =>
      ada.client.post(`/chats/${chat.id}/notes`, { content: 'erased needle' }).then(({ status }) => status),
    );
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
    for (const status of await Promise.all(late)) expect([201, 404]).toContain(status);
    expect(await findTraces(parley, 'erased needle')).toEqual([]);
    await ada.client.post(`/chats/${chat.id}/notes`, { content: 'x' }).expect(404);
  });

  it('notes are deleted with a chat that retention removes, and with the organization', async () => {
    const other = await parley.createTenant();
    const cleo = await parley.signInAgent(other, { role: 'ADMIN' });
    const old = await makeChat(parley, other);
    const young = await makeChat(parley, other);
    for (const chatId of [old, young]) await write(cleo, chatId, `note of ${chatId}`);
    await cleo.client.post('/replies', { shortcut: 'hello', content: 'needle of a reply' }).expect(201);
    await parley.admin.patch(`/${other.id}`, { retentionDays: 5 }).expect(200);
    const removal = parley.app.get(DataRemoval);
    // Ids sort by time and retention reads them in order, so both chats are old, and one was used recently.
    await parley.query(
      `WITH noted AS (UPDATE notes SET created_at = $2 WHERE chat_id = $1)
       UPDATE chats SET last_message_at = $2 WHERE id = $1`,
      [young, new Date(Date.now() + 10 * 86_400_000)],
    );
    await removal.run(new Date(Date.now() + 10 * 86_400_000));
    expect(await findTraces(parley, `note of ${old}`, `note of ${young}`)).toEqual([`note of ${young} in notes`]);
    await parley.admin.delete(`/${other.id}?now=true`).expect(204);
    await removal.run();
    expect(await findTraces(parley, 'note of', 'needle of a reply')).toEqual([]);
  });
});
