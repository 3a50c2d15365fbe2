import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';
import { movedBySeconds } from '../support/times.js';

describe('undoing the end of a chat', () => {
  let parley: Parley;
  let other: Parley;
  let tenant: Tenant;
  let group: string;
  let ada: SignedInAgent;
  let ben: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    other = await Parley.start({}, parley.databaseUrl);
  });
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [group] });
    ben = await parley.signInAgent(tenant, { name: 'Ben', groupIds: [group] });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });

  const on = (path: string, chatId = tenant.chatId) => `/chats/${chatId}${path}`;
  const detail = async (chatId = tenant.chatId) => (await sue.client.get(on('', chatId)).expect(200)).body;
  const transfer = async (chatId = tenant.chatId, more: object = {}) =>
    (await tenant.bot.post('/transfer', { chatId, ...more }).expect(200)).body.handoff;
  const claim = (who = ada) => who.client.post(on('/claim'), {}).expect(200);
  const end = (who = sue, chatId = tenant.chatId) => who.client.post(on('/close', chatId), {}).expect(200);
  const undo = (who = sue) => who.client.post(on('/reopen'), { undo: true });
  const lines = async () =>
    (await parley.visitor(tenant.visitorToken).get(on('/messages')).expect(200)).body.messages.map(
      ({ content }: { content: string }) => content,
    );
  const handoffs = () =>
    parley.query(`SELECT id, outcome, ended_at AS "endedAt", due_at AS "dueAt" FROM handoffs WHERE chat_id = $1`, [
      tenant.chatId,
    ]);
  /** The wait of a chat began twenty minutes ago. */
  const hasWaited = async (chatId = tenant.chatId) => {
    const values = [tenant.id, chatId];
    const earlier = `queued_at = ${movedBySeconds('queued_at', -20 * 60)}`;
    await parley.query(`UPDATE handoffs SET ${earlier} WHERE organization_id = $1 AND chat_id = $2`, values);
    await parley.query(`UPDATE chats SET ${earlier} WHERE organization_id = $1 AND id = $2`, values);
  };
  const openChats = async ({ id }: SignedInAgent) =>
    (await sue.client.get('/agents').expect(200)).body.agents.find((agent: { id: string }) => agent.id === id)
      .openChats;

  it('a waiting chat gets its place in the queue back', async () => {
    await parley.visitor(tenant.visitorToken).post(on('/messages'), { content: 'Where is my order?' }).expect(201);
    const { id } = await transfer(tenant.chatId, { reason: 'Refund', maxWaitSeconds: 3600 });
    await hasWaited();
    const later = (await tenant.admin.post('/chats', {}).expect(201)).body.id;
    await transfer(later);
    const before = await detail();
    const [waiting] = await handoffs();
    await end();
    const { body: row } = await undo().expect(200);
    expect(row).toMatchObject({ owner: 'QUEUE', queuedAt: before.queuedAt, waitingSince: before.waitingSince });
    expect(row.waitingSince).not.toBeNull();
    expect(await handoffs()).toEqual([waiting]);
    expect(waiting).toMatchObject({ id, outcome: null, endedAt: null });
    const { chats } = (await sue.client.get('/chats?view=WAITING').expect(200)).body;
    expect(chats.map(({ id: chatId }: { id: string }) => chatId)).toEqual([tenant.chatId, later]);
    expect(await lines()).toEqual([
      'Where is my order?',
      'Chat transferred by bot',
      'Sue closed the chat',
      'Sue reopened the chat',
    ]);
  });

  it('an agent who became free is given the chat that has waited longest, which is the one that is back', async () => {
    await tenant.admin.patch(`/groups/${group}`, { routing: 'AUTOMATIC' }).expect(200);
    await transfer();
    await hasWaited();
    const later = (await tenant.admin.post('/chats', {}).expect(201)).body.id;
    await transfer(later);
    await end();
    await undo().expect(200);
    await parley.connectAgent(ada.token);
    const chat = await eventually(detail, ({ owner }) => owner === 'AGENT');
    expect(chat.assignedTo.id).toBe(ada.id);
  });

  it("a bot's chat is the bot's again, and an agent's chat the agent's", async () => {
    await end();
    expect((await undo().expect(200)).body).toMatchObject({ owner: 'BOT', assignedTo: null });
    await claim();
    await end(ada);
    expect((await undo(ada).expect(200)).body).toMatchObject({ owner: 'AGENT', assignedTo: { id: ada.id } });
    expect(await lines()).not.toContain('Ada left the chat. Another agent will be with you shortly.');
  });

  it.each([
    ['a time', new Date(Date.now() + 3_600_000).toISOString()],
    ['the visitor', null],
  ])('a chat that its agent snoozed until %s is snoozed again, and wakes as before', async (_, until) => {
    await claim();
    await ada.client.post(on('/snooze'), { until }).expect(200);
    for (const who of [sue, ada]) {
      await end(who);
      const { body: row } = await undo(who).expect(200);
      expect(row).toMatchObject({ owner: 'AGENT', assignedTo: { id: ada.id }, snooze: { until } });
      expect(await openChats(ada)).toBe(0);
    }
    await ada.client.post(on('/wake'), {}).expect(200);
    await end();
    expect((await undo().expect(200)).body).toMatchObject({ assignedTo: { id: ada.id }, snooze: null });
    expect(await openChats(ada)).toBe(1);
  });

  it('a chat whose snooze would have ended by then is awake', async () => {
    await claim();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await ada.client.post(on('/snooze'), { until }).expect(200);
    await end();
    await parley.query(
      `UPDATE chats SET ended_snooze_until = ${movedBySeconds('ended_snooze_until', -3_600)} WHERE id = $1`,
      [tenant.chatId],
    );
    expect((await undo().expect(200)).body).toMatchObject({ assignedTo: { id: ada.id }, snooze: null });
    expect(await openChats(ada)).toBe(1);
  });

  it('a chat that its agent took and has not answered keeps its wait, in case it returns to the queue', async () => {
    await transfer();
    await hasWaited();
    const { queuedAt } = await detail();
    await claim();
    await end(ada);
    await undo(ada).expect(200);
    const { body: row } = await ada.client.post(on('/release'), {}).expect(200);
    expect(row).toMatchObject({ owner: 'QUEUE', queuedAt });
    await claim();
    await end();
    await tenant.admin.patch(`/agents/${ada.id}`, { isEnabled: false }).expect(200);
    expect((await undo().expect(200)).body).toMatchObject({ owner: 'QUEUE', queuedAt });
  });

  it('a chat that its agent has answered waits from its release', async () => {
    await transfer();
    await hasWaited();
    const { queuedAt } = await detail();
    await claim();
    await ada.client.post(on('/messages'), { content: 'Hello!' }).expect(201);
    await end(ada);
    await undo(ada).expect(200);
    const { body: row } = await ada.client.post(on('/release'), {}).expect(200);
    expect(Date.parse(row.queuedAt)).toBeGreaterThan(Date.parse(queuedAt));
  });

  it('a chat whose agent was disabled, or whose bot was removed, waits in its group', async () => {
    await claim();
    await end();
    await tenant.admin.patch(`/agents/${ada.id}`, { isEnabled: false }).expect(200);
    expect((await undo().expect(200)).body).toMatchObject({ owner: 'QUEUE', group: { id: group } });
    await sue.client.post(on('/return'), {}).expect(200);
    await end();
    await tenant.admin.delete(`/bots/${tenant.botId}`).expect(204);
    expect((await undo().expect(200)).body).toMatchObject({ owner: 'QUEUE', group: { id: group } });
  });

  it('a waiting chat whose group was removed waits in the default group since the same time', async () => {
    const sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    await transfer(tenant.chatId, { groupId: sales });
    await hasWaited();
    const { queuedAt } = await detail();
    await end();
    await tenant.admin.delete(`/groups/${sales}`).expect(204);
    expect((await undo().expect(200)).body).toMatchObject({ owner: 'QUEUE', queuedAt, group: { id: group } });
    const [running] = await parley.query(
      'SELECT group_id AS "group" FROM handoffs WHERE chat_id = $1 AND ended_at IS NULL',
      [tenant.chatId],
    );
    expect(running).toEqual({ group });
  });

  it('only the agent who had the chat, and supervisors, can undo its end', async () => {
    await claim();
    await end(ada);
    expect((await undo(ben).expect(409)).body).toMatchObject({ code: 'not_assigned', owner: 'NOBODY' });
    await undo(ada).expect(200);
    await sue.client.post(on('/transfer'), { groupId: group }).expect(200);
    await end();
    expect((await undo(ada).expect(409)).body).toMatchObject({ code: 'not_assigned' });
    await undo(sue).expect(200);
  });

  it('an undo that is repeated, on any node, changes nothing, and one that a colleague preceded is refused', async () => {
    await transfer();
    await hasWaited();
    const { queuedAt } = await detail();
    await end();
    const there = other.agent(sue.token);
    const answers = await Promise.all([
      undo(),
      there.post(on('/reopen'), { undo: true }),
      undo(),
      there.post(on('/reopen'), { undo: true }),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ owner: 'QUEUE', queuedAt });
    }
    expect((await lines()).filter((line: string) => line === 'Sue reopened the chat')).toHaveLength(1);
    await end();
    await ben.client.post(on('/reopen'), {}).expect(200);
    expect((await undo().expect(409)).body).toMatchObject({ code: 'already_assigned', assignedTo: { id: ben.id } });
  });

  it('an end can be undone for five minutes, and then the chat can only be reopened', async () => {
    await claim();
    await end(ada);
    await parley.query(
      `UPDATE chats SET status_changed_at = ${movedBySeconds('status_changed_at', -5 * 60)},
         agent_left_at = ${movedBySeconds('agent_left_at', -5 * 60)} WHERE id = $1`,
      [tenant.chatId],
    );
    expect((await undo(ada).expect(409)).body).toMatchObject({ code: 'conflict' });
    expect(await detail()).toMatchObject({ owner: 'NOBODY' });
    await ada.client.post(on('/reopen'), {}).expect(200);
  });

  it('a waiting chat that its visitor has reopened before the undo gets its place back', async () => {
    const writes = () => parley.visitor(tenant.visitorToken).post(on('/messages'), { content: 'Hello?' }).expect(201);
    const { id } = await transfer(tenant.chatId, { reason: 'Refund' });
    await hasWaited();
    const { queuedAt } = await detail();
    await end();
    await writes();
    expect(await detail()).toMatchObject({ owner: 'BOT' });
    expect((await undo().expect(200)).body).toMatchObject({ owner: 'QUEUE', queuedAt });
    expect(await handoffs()).toMatchObject([{ id, outcome: null }]);
    await tenant.admin.delete(`/bots/${tenant.botId}`).expect(204);
    await end();
    await writes();
    expect((await detail()).queuedAt).not.toBe(queuedAt);
    for (let count = 0; count < 2; count++)
      expect((await undo().expect(200)).body).toMatchObject({ owner: 'QUEUE', queuedAt });
    expect((await handoffs()).filter(({ outcome }) => outcome === null)).toMatchObject([{ id }]);
    expect((await lines()).filter((line: string) => line === 'Chat transferred')).toHaveLength(2);
  });

  it('a chat that a bot or an agent has put into the queue since its end stays as it is', async () => {
    const running = async () => (await handoffs()).filter(({ outcome }) => outcome === null);
    await transfer(tenant.chatId, { maxWaitSeconds: 1 });
    await hasWaited();
    await end();
    await parley.visitor(tenant.visitorToken).post(on('/messages'), { content: 'Hello?' }).expect(201);
    const { id } = await transfer(tenant.chatId, { summary: 'Wants a refund', maxWaitSeconds: 3600 });
    const before = await detail();
    expect((await undo().expect(200)).body).toMatchObject({ owner: 'QUEUE', queuedAt: before.queuedAt });
    expect(await running()).toMatchObject([{ id }]);
    await end();
    await ben.client.post(on('/reopen'), {}).expect(200);
    const { body: released } = await ben.client.post(on('/release'), {}).expect(200);
    expect((await undo().expect(200)).body).toMatchObject({ owner: 'QUEUE', queuedAt: released.queuedAt });
    expect(await lines()).not.toContain('Chat transferred');
  });

  it('the event says who has the chat again', async () => {
    await tenant.admin.post('/webhooks', { url: 'https://webhooks.invalid/' }).expect(201);
    await claim();
    await end();
    await undo().expect(200);
    const events = await parley.query<{ payload: { data: object } }>(
      `SELECT payload::json AS payload FROM deliveries WHERE organization_id = $1 AND event_type = 'chat.reopened'`,
      [tenant.id],
    );
    expect(events.map(({ payload }) => payload.data)).toMatchObject([
      { by: { type: 'AGENT', id: sue.id }, owner: 'AGENT', agent: { id: ada.id, name: 'Ada' } },
    ]);
  });

  it('a value of undo that is no boolean is rejected', async () => {
    await end();
    const { body } = await sue.client.post(on('/reopen'), { undo: 'yes' }).expect(400);
    expect(JSON.stringify(body)).toContain('/undo');
  });
});
