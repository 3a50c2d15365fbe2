import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('a visitor who asks for a person', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    await tenant.admin.patch('/widget', { personAfter: 0 }).expect(200);
  });

  const ask = (token = tenant.visitorToken) => parley.visitor(token).post(`/chats/${tenant.chatId}/handoff`, {});
  const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.owner as string;
  const listen = () => tenant.bot.put('/subscription', {}).expect(200);
  const events = async () => {
    const { body } = await tenant.bot.get('/events?wait=0').expect(200);
    return body.events as { type: string; timestamp: string; data: any }[];
  };
  /** Lets the bots' time to react pass, and waits until the request is over. */
  const passTime = async () => {
    await parley.query('UPDATE person_requests SET due_at = now() WHERE chat_id = $1', [tenant.chatId]);
    await eventually(
      () => parley.query('SELECT FROM person_requests WHERE chat_id = $1', [tenant.chatId]),
      ({ length }) => length === 0,
    );
  };
  const visitor = () => ({ type: 'VISITOR', id: tenant.visitorId, name: 'Vera' });

  it('a visitor is refused a person until the organization offers it', async () => {
    await tenant.admin.patch('/widget', { personAfter: null }).expect(200);
    expect((await ask().expect(409)).body.code).toBe('handoff_off');
    expect(await owner()).toBe('BOT');
  });

  it('the chat is transferred immediately if nothing listens for the event', async () => {
    const { body } = await ask().expect(200);
    expect(body.chat).toMatchObject({ id: tenant.chatId, owner: 'QUEUE', queue: { position: 1 } });
    expect(await parley.query('SELECT FROM person_requests')).toEqual([]);
  });

  it('the bots get one event, and the chat is transferred if none reacts in time', async () => {
    await listen();
    for (let n = 0; n < 2; n++) expect((await ask().expect(200)).body.chat.owner).toBe('BOT');
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'handoff.requested',
      data: { chat: { id: tenant.chatId, owner: 'BOT' }, by: visitor(), transfersAt: expect.any(String) },
    });
    const seconds = (Date.parse(event!.data.transfersAt) - Date.parse(event!.timestamp)) / 1000;
    expect(Math.round(seconds)).toBe(10);
    await passTime();
    expect(await owner()).toBe('QUEUE');
    const [, moved] = await events();
    expect(moved).toMatchObject({ type: 'chat.transferred', data: { bot: null, by: visitor(), reason: null } });
  });

  it('a chat stays with a bot that answers', async () => {
    await listen();
    await ask().expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Let me help' }).expect(200);
    await passTime();
    expect(await owner()).toBe('BOT');
    await ask().expect(200);
    await passTime();
    expect(await owner()).toBe('QUEUE');
  });

  it('a chat that the bot transfers is transferred once, to the group that the bot chose', async () => {
    await listen();
    const { body: group } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    await ask().expect(200);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: group.id }).expect(200);
    expect((await ask().expect(200)).body.chat).toMatchObject({ owner: 'QUEUE', group: { id: group.id } });
    await passTime();
    const types = (await events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'chat.transferred')).toHaveLength(1);
    expect(types.filter((type) => type === 'handoff.requested')).toHaveLength(1);
  });

  it('a chat that an agent returned to the bot in that time stays with the bot', async () => {
    await listen();
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    await ask().expect(200);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/claim`).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/return`, {}).expect(200);
    await passTime();
    expect(await owner()).toBe('BOT');
  });

  it('a request ends with the chat, so that the bots have it again when the visitor writes later', async () => {
    await listen();
    await ask().expect(200);
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    await parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content: 'Hi' }).expect(201);
    await passTime();
    expect(await owner()).toBe('BOT');
    await ask().expect(200);
    const types = (await events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'handoff.requested')).toHaveLength(2);
  });

  it('the chat is transferred to its next group if its own is being removed', async () => {
    await listen();
    const { body: group } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    await parley.query('UPDATE chats SET group_id = $1 WHERE id = $2', [group.id, tenant.chatId]);
    await ask().expect(200);
    const waiting = (words: string) =>
      eventually(
        () =>
          parley.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ $1`,
            [words],
          ),
        ({ length }) => length > 0,
      );
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM chats WHERE id = $1 FOR UPDATE', [tenant.chatId]);
    const removal = tenant.admin
      .delete(`/groups/${group.id}`)
      .expect(204)
      .then(({ status }) => status);
    try {
      await waiting('UPDATE chats');
      await parley.query('UPDATE person_requests SET due_at = now() WHERE chat_id = $1', [tenant.chatId]);
      await waiting('FROM groups .* FOR KEY SHARE$');
    } finally {
      await holder.query('COMMIT');
      await holder.end();
    }
    await removal;
    await eventually(owner, (name) => name === 'QUEUE');
  });

  it('a request changes nothing once an agent has the chat, and is refused once it has ended', async () => {
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    await ada.client.post(`/chats/${tenant.chatId}/claim`).expect(200);
    expect((await ask().expect(200)).body.chat.owner).toBe('AGENT');
    await ada.client.post(`/chats/${tenant.chatId}/close`).expect(200);
    expect((await ask().expect(409)).body.code).toBe('conflict');
  });

  it("a visitor can't ask in another visitor's chat", async () => {
    const { body: other } = await parley.beginSession(tenant).expect(201);
    await ask(other.token).expect(404);
    expect(await owner()).toBe('BOT');
  });
});
