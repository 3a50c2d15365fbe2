import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { eventually } from '../support/eventually.js';
import { makeChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { movedByDays } from '../support/times.js';
import { findTraces } from '../support/traces.js';

describe('deleting chats that agents work on', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    const { body } = await tenant.admin.get('/groups').expect(200);
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [body.groups[0].id] });
    await tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER' }).expect(200);
    await parley.connectAgent(ada.token);
  });
  afterAll(() => parley.stop());

  const load = async () => {
    const [row] = await parley.query('SELECT open_chats, pending_offers FROM agents WHERE id = $1', [ada.id]);
    return row;
  };
  const transfer = (chatId: string) =>
    tenant.bot.post('/transfer', { chatId, reason: 'needle reason', summary: 'needle summary' }).expect(200);

  /** One chat that the agent has, and one that is offered to them. */
  const begin = async () => {
    const [had, offered] = [await makeChat(parley, tenant), await makeChat(parley, tenant)];
    for (const chatId of [had, offered]) {
      await transfer(chatId);
      await ada.client.post(`/chats/${chatId}/notes`, { content: 'needle note' }).expect(201);
    }
    await ada.client.post(`/chats/${had}/claim`, {}).expect(200);
    await eventually(load, (seen) => isDeepStrictEqual(seen, { open_chats: 1, pending_offers: 1 }));
    expect((await ada.client.get('/offers').expect(200)).body.offers).toHaveLength(1);
    return [had, offered] as const;
  };
  const expectNothingLeft = async (chatIds: readonly string[]) => {
    expect(await load()).toEqual({ open_chats: 0, pending_offers: 0 });
    expect(await findTraces(parley, 'needle')).toEqual([]);
    for (const table of ['handoffs', 'chat_offers', 'notes'])
      expect(await parley.query(`SELECT FROM ${table} WHERE chat_id = ANY ($1)`, [chatIds])).toEqual([]);
    expect((await ada.client.get('/offers').expect(200)).body.offers).toEqual([]);
    expect((await ada.client.get('/chats/counts').expect(200)).body).toMatchObject({ mine: 0, waiting: 0 });
    for (const chatId of chatIds) await ada.client.get(`/chats/${chatId}`).expect(404);
  };

  it('erasing a visitor frees the agents of their chats, and leaves no trace of their work', async () => {
    const chatIds = await begin();
    for (const chatId of chatIds) {
      const { body } = await tenant.admin.get(`/chats/${chatId}`).expect(200);
      await tenant.admin.delete(`/visitors/${body.visitor.id}`).expect(204);
    }
    await expectNothingLeft(chatIds);
  });

  it('retention frees the agents of the chats it deletes', async () => {
    const chatIds = await begin();
    await parley.admin.patch(`/${tenant.id}`, { retentionDays: 1 }).expect(200);
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 10 * 86_400_000));
    await expectNothingLeft(chatIds);
  });

  it('retention deletes old notes and hand-offs in a chat that continues', async () => {
    await parley.admin.patch(`/${tenant.id}`, { retentionDays: 30 }).expect(200);
    const chatId = await makeChat(parley, tenant);
    const handOver = (age: string) =>
      tenant.bot.post('/transfer', { chatId, reason: `${age} reason`, summary: `${age} summary` }).expect(200);
    const handBack = async (age: string) => {
      await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
      await ada.client.post(`/chats/${chatId}/notes`, { content: `${age} remark` }).expect(201);
      await ada.client.post(`/chats/${chatId}/return`, { note: `${age} advice` }).expect(200);
    };
    const textsOf = async () => {
      const { body } = await ada.client.get(`/chats/${chatId}/notes`).expect(200);
      const rows = await parley.query(
        `SELECT reason, summary, note, outcome FROM handoffs WHERE chat_id = $1 ORDER BY id`,
        [chatId],
      );
      return { notes: body.notes.map(({ content }: { content: string }) => content), rows };
    };
    await handOver('old');
    await handBack('old');
    const [last] = await parley.query<{ id: string }>('SELECT max(id) AS id FROM handoffs');
    await handOver('new');
    await handBack('new');
    await handOver('running');
    await parley.query(
      `WITH noted AS (UPDATE notes SET created_at = ${movedByDays('created_at', 20)} WHERE chat_id = $1 AND content LIKE 'new%'),
      ended AS (UPDATE handoffs SET ended_at = ${movedByDays('ended_at', 20)} WHERE chat_id = $1 AND id > $2)
      UPDATE chats SET last_message_at = ${movedByDays('last_message_at', 20)} WHERE id = $1`,
      [chatId, last!.id],
    );
    const before = await textsOf();
    expect(before.notes).toEqual(['old remark', 'new remark']);
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 31 * 86_400_000));
    const after = await textsOf();
    expect(after.notes).toEqual(['new remark']);
    const blank = { reason: null, summary: null, note: null };
    const isOld = (row: object) => JSON.stringify(row).includes('old ');
    expect(before.rows.some(isOld)).toBe(true);
    expect(after.rows).toEqual(before.rows.map((row) => (isOld(row) ? { ...row, ...blank } : row)));
  });
});
