import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TABLES_OF_CHATS, TABLES_OF_VISITORS } from '../../src/privacy/visitor-tables.js';
import { Parley, type Tenant } from '../support/parley.js';

describe("the list of tables with a visitor's data", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const tablesWith = async (column: string) => {
    const rows = await parley.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE column_name = $1 AND table_schema = 'public' ORDER BY 1`,
      [column],
    );
    return rows.map(({ name }) => name);
  };

  it('every table with a chat or a visitor is in the list', async () => {
    expect(Object.keys(TABLES_OF_CHATS).toSorted()).toEqual(await tablesWith('chat_id'));
    expect(Object.keys(TABLES_OF_VISITORS).toSorted()).toEqual(await tablesWith('visitor_id'));
  });

  it('every table is exported and erased, or has a reason', () => {
    const unexplained = Object.entries(TABLES_OF_CHATS).filter(
      ([, table]) => !('reason' in table) && !('isErased' in table && ('list' in table || 'field' in table)),
    );
    expect(unexplained).toEqual([]);
  });

  it('an export has what bots and agents wrote about a visitor, and erasing leaves none of it', async () => {
    const { chatId, visitorId, bot, admin } = tenant;
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    const visitor = parley.visitor(tenant.visitorToken);
    await admin.patch('/widget', { rating: true, messageRating: true }).expect(200);
    await visitor.post(`/chats/${chatId}/messages`, { content: 'marker of a message' }).expect(201);
    const { body: said } = await bot.post('/messages', { chatId, content: 'marker of an answer' }).expect(200);
    await visitor
      .put(`/chats/${chatId}/messages/${said.id}/rating`, { rating: 'UP', comment: 'marker of a comment' })
      .expect(200);
    await bot.put(`/chats/${chatId}/state`, { state: { kept: 'marker of a state' } }).expect(200);
    await bot.put(`/chats/${chatId}/tags`, { tags: ['marker of a tag'] }).expect(200);
    await bot.patch(`/chats/${chatId}`, { attributes: { order: 'marker of a detail' } }).expect(200);
    await bot.patch(`/visitors/${visitorId}`, { attributes: { plan: 'marker of a fact' } }).expect(200);
    const words = { reason: 'marker of a reason', summary: 'marker of a summary' };
    await bot.post('/transfer', { chatId, ...words }).expect(200);
    for (let n = 0; n < 105; n++)
      await ada.client.post(`/chats/${chatId}/notes`, { content: `marker of note ${n}` }).expect(201);
    await visitor.post(`/chats/${chatId}/read`, { seq: 1 }).expect(200);
    await admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    await visitor.post(`/chats/${chatId}/rating`, { score: 5, comment: 'marker of a rating' }).expect(200);
    await parley.query(
      `INSERT INTO person_requests (organization_id, chat_id, after_seq, requested_at, due_at) VALUES ($1, $2, 1, now(), now() + interval '1 day')`,
      [tenant.id, chatId],
    );

    await parley.query(
      `INSERT INTO bot_turns (organization_id, id, bot_id, chat_id, status, first_seq, last_seq, due_at, created_at)
        VALUES ($1, 'trn_' || $2, 'bot_x', $2, 'DONE', 1, 1, now(), now())`,
      [tenant.id, chatId],
    );
    await parley.query(
      `INSERT INTO bot_runs (organization_id, id, turn_id, step, try, detail, started_at) VALUES ($1, 'run_' || $2, 'trn_' || $2, 1, 1, 'x', now())`,
      [tenant.id, chatId],
    );
    await parley.query(
      `INSERT INTO bot_transcripts (organization_id, chat_id, connection_id, content, updated_at) VALUES ($1, $2, 'con_x', '{"entries":[]}', now())`,
      [tenant.id, chatId],
    );
    await parley.query(
      `INSERT INTO mails (organization_id, id, kind, recipient, token, chat_id, visitor_id, content, due_at, created_at)
        VALUES ($1, 'eml_' || $2, 'test', 'vera@example.com', 'x', $2, $3, 'kept out', now(), now())`,
      [tenant.id, chatId, visitorId],
    );
    await parley.query(
      `INSERT INTO inbound_mails (organization_id, id, chat_id, mail_id, key, status, sender, content, full_text, received_at)
        VALUES ($1, 'inm_' || $2, $2, 'eml_' || $2, 'x', 'TO_CHECK', 'vera@example.com', 'marker of an arrived mail', 'x', now())`,
      [tenant.id, chatId],
    );

    const { body } = await admin.get(`/visitors/${visitorId}/export`).expect(200);
    const [chat] = body.chats;
    expect(chat.arrivedMails).toMatchObject([{ from: 'vera@example.com', text: 'marker of an arrived mail' }]);
    expect(chat.mails).toMatchObject([{ kind: 'test', to: 'vera@example.com', status: 'WAITING', sentAt: null }]);
    expect(JSON.stringify(chat.mails)).not.toContain('kept out');
    expect(chat.notes.map(({ content }: any) => content)).toEqual(
      Array.from({ length: 105 }, (_, n) => `marker of note ${n}`),
    );
    expect(chat.notes[0].author).toEqual({ id: ada.id, name: 'Ada' });
    expect(chat.handoffs).toMatchObject([{ ...words, by: { type: 'BOT', id: tenant.botId }, outcome: 'CLOSED' }]);
    expect(chat.personRequests).toEqual([{ requestedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect(chat.botStates).toMatchObject([{ botId: tenant.botId, state: { kept: 'marker of a state' } }]);
    expect(chat.read.visitor).toBe(1);
    const text = JSON.stringify(body);
    const stored = ['message', 'answer', 'comment', 'state', 'reason', 'summary', 'rating', 'tag', 'detail', 'fact'];
    expect(stored.filter((what) => !text.includes(`marker of a${what === 'answer' ? 'n' : ''} ${what}`))).toEqual([]);
    const lists = Object.values(TABLES_OF_CHATS).flatMap((table) => ('list' in table ? table.list.name : []));
    for (const name of lists) expect([name, chat[name].length > 0]).toEqual([name, true]);

    expect([202, 204]).toContain((await admin.delete(`/visitors/${visitorId}`)).status);
    await parley.untilRow(`SELECT FROM audit_entries WHERE action = 'visitor.erased' AND target = '${visitorId}'`);
    for (const [table, row] of Object.entries(TABLES_OF_CHATS))
      if ('isErased' in row)
        expect([table, await parley.query(`SELECT FROM ${table} WHERE chat_id = $1`, [chatId])]).toEqual([table, []]);
    expect(await parley.query(`SELECT chat_id, status FROM bot_turns WHERE organization_id = $1`, [tenant.id])).toEqual(
      [{ chat_id: null, status: 'DONE' }],
    );
    expect(await parley.query(`SELECT detail, outcome FROM bot_runs WHERE organization_id = $1`, [tenant.id])).toEqual([
      { detail: null, outcome: 'ABORTED' },
    ]);
    await admin.get(`/visitors/${visitorId}/export`).expect(404);
  });
});
