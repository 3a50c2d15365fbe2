import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BotSilenceService } from '../../src/bot-silence/bot-silence.service.js';
import { createDatabase } from '../support/database.js';
import { Parley } from '../support/parley.js';
import { eventually } from '../support/eventually.js';
import { movedBySeconds } from '../support/times.js';
import { Silence } from './support/silence.js';

describe('a chat whose bot is silent', () => {
  let parley: Parley;
  let other: Parley;
  let silence: Silence;

  beforeAll(async () => {
    parley = await Parley.start();
    other = await Parley.start({}, parley.databaseUrl);
  });
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });
  beforeEach(async () => {
    silence = await Silence.start(parley);
    await silence.listen();
  });

  const chatPath = () => `/chats/${silence.tenant.chatId}`;
  const onBoth = () => Promise.all([silence.run(), other.app.get(BotSilenceService).run()]);
  /** Makes the visitor's messages older. */
  const age = async (seconds: number) => {
    const moved = (table: string, column: string, key: string) =>
      parley.query(`UPDATE ${table} SET ${column} = ${movedBySeconds(column, -seconds)} WHERE ${key} = $1`, [
        silence.tenant.chatId,
      ]);
    await moved('messages', 'created_at', 'chat_id');
    await moved('deliveries', 'created_at', 'chat_id');
    await moved('chats', 'waiting_since', 'id');
    await parley.query(`UPDATE receivers SET created_at = '2026-01-01' WHERE organization_id = $1`, [
      silence.tenant.id,
    ]);
  };
  const limit = (botSilenceSeconds: number) => silence.tenant.admin.patch('', { botSilenceSeconds }).expect(200);
  const countOf = async (query: string) => (await parley.query(query)).length;

  it('two nodes give a chat to agents once', async () => {
    const chats = await Promise.all(Array.from({ length: 8 }, () => silence.newChat()));
    await silence.until(
      async () => {
        await onBoth();
        return Promise.all(chats.map((id) => silence.owner(id)));
      },
      (owners) => owners.every((owner) => owner === 'QUEUE'),
    );
    await onBoth();
    for (const id of chats) expect(await silence.transfers(id)).toHaveLength(1);
  });

  it('a chat stays with a bot whose answer is stored before nodes can move it', async () => {
    const { chatId, bot } = silence.tenant;
    await limit(3_600);
    await silence.say();
    await age(120);
    await parley.query("UPDATE chats SET status_changed_at = now() - interval '1 hour' WHERE id = $1", [chatId]);
    const noticed = `SELECT FROM bot_silences WHERE chat_id = '${chatId}'`;
    await silence.until(() => countOf(noticed), Boolean);
    const client = new pg.Client(parley.databaseUrl);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM chats WHERE id = $1 FOR UPDATE', [chatId]);
    const waiting = () =>
      countOf(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    const answered = bot.post('/messages', { chatId, content: 'Here', ifOwner: 'BOT' }).expect(200).then(String);
    await eventually(waiting, (count) => count === 1);
    await limit(2);
    await parley.query(`UPDATE bot_silences SET noticed_at = ${movedBySeconds('noticed_at', -60)} WHERE chat_id = $1`, [
      chatId,
    ]);
    const runs = onBoth();
    await eventually(waiting, (count) => count === 3);
    await client.query('COMMIT');
    await client.end();
    await Promise.all([answered, runs]);
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    expect(await silence.transfers()).toEqual([]);
  });

  it('a claimed chat stays with its agent, and a chat that its visitor closed stays closed', async () => {
    const ada = await parley.signInAgent(silence.tenant, { role: 'ADMIN' });
    await silence.say();
    await ada.client.post(`${chatPath()}/claim`, {}).expect(200);
    const { body } = await silence.tenant.admin.post('/chats', {}).expect(201);
    await silence.say('bye', body.id, body.visitorToken);
    await parley.visitor(body.visitorToken).post(`/chats/${body.id}/close`, {}).expect(200);
    await silence.letTimePass();
    expect([await silence.owner(), await silence.owner(body.id)]).toEqual(['AGENT', 'NOBODY']);
    expect(await silence.transfers()).toEqual([]);
  });

  it('a message gives its chat to agents once, and the next message again', async () => {
    const ada = await parley.signInAgent(silence.tenant, { role: 'ADMIN' });
    await silence.say();
    await silence.untilHandedOver();
    await ada.client.post(`${chatPath()}/claim`, {}).expect(200);
    await ada.client.post(`${chatPath()}/return`, {}).expect(200);
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    await silence.say('still nobody?');
    await silence.untilHandedOver();
    expect(await silence.transfers()).toHaveLength(2);
  });

  it('a returned chat stays with its bot for the limit from then on', async () => {
    await limit(3_600);
    const ada = await parley.signInAgent(silence.tenant, { role: 'ADMIN' });
    await ada.client.post(`${chatPath()}/claim`, {}).expect(200);
    await silence.say();
    await age(7_200);
    await ada.client.post(`${chatPath()}/return`, {}).expect(200);
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    await limit(2);
    await silence.untilHandedOver();
  });

  it('a chat that no agent takes keeps waiting, and never returns to the silent bot', async () => {
    const { body: groups } = await silence.tenant.bot.get('/groups').expect(200);
    const settings = { maxWaitSeconds: 10, onUnanswered: 'RETURN_TO_BOT' };
    await silence.tenant.admin.patch(`/groups/${groups[0].id}`, settings).expect(200);
    await silence.say();
    await silence.untilHandedOver();
    await parley.query('UPDATE handoffs SET due_at = now() WHERE chat_id = $1', [silence.tenant.chatId]);
    await parley.untilRow(
      `SELECT FROM handoffs WHERE chat_id = '${silence.tenant.chatId}' AND unanswered_at IS NOT NULL`,
    );
    expect(await silence.owner()).toBe('QUEUE');
  });

  it('a chat stays with its bot if the message is older than the limit and a day', async () => {
    await silence.say();
    await age(90_000);
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    await silence.say('still there?');
    await silence.untilHandedOver();
  });

  it('a node that starts later gives a chat to agents', async () => {
    const made = await createDatabase();
    const before = await Parley.start({}, made.url);
    const down = await Silence.start(before);
    await down.listen();
    await down.say();
    await before.stop();
    const after = await Parley.start({}, made.url);
    const up = new Silence(after, { ...down.tenant, bot: after.bot(down.tenant.token) });
    await up.untilHandedOver();
    expect(await up.transfers()).toHaveLength(1);
    await after.stop();
    await made.drop();
  });
});
