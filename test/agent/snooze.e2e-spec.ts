import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HandoffTimers } from '../../src/handoff/handoff-timers.service.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';
import type { VisitorSocket } from '../support/visitor.js';

describe('snoozed chats', () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;
  let ada: SignedInAgent;
  let sue: SignedInAgent;
  let connection: VisitorSocket;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [group], capacity: 1 });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    connection = await parley.connectAgent(ada.token);
    await claim(tenant.chatId);
  });

  const on = (path: string, chatId = tenant.chatId) => `/chats/${chatId}${path}`;
  const claim = (chatId: string) => ada.client.post(on('/claim', chatId), {}).expect(200);
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const snooze = async (body: object = {}, chatId = tenant.chatId) =>
    (await ada.client.post(on('/snooze', chatId), body).expect(200)).body;
  const detail = async (chatId = tenant.chatId) => (await sue.client.get(on('', chatId)).expect(200)).body;
  const becomes = (state: object, chatId = tenant.chatId) =>
    eventually(
      () => detail(chatId),
      (chat) => {
        try {
          expect(chat).toMatchObject(state);
          return true;
        } catch {
          return false;
        }
      },
    );
  const ids = async (query: string, agent = ada) =>
    (await agent.client.get(`/chats?${query}`).expect(200)).body.chats.map(({ id }: { id: string }) => id);
  const openChats = async () =>
    (await ada.client.get('/agents').expect(200)).body.agents.find(({ id }: { id: string }) => id === ada.id).openChats;
  const newChat = async () => (await tenant.admin.post('/chats', {}).expect(201)).body.id as string;
  const visitorWrites = async (content = 'Hello?') => {
    const socket = await parley.connectVisitor(tenant.visitorToken);
    await socket.ask('chat:open', { chatId: tenant.chatId });
    await socket.ask('message:send', { chatId: tenant.chatId, content });
    socket.close();
  };
  /** Lets the time of a snoozed chat pass. */
  const pass = (chatId = tenant.chatId) =>
    parley.query(`UPDATE chats SET snoozed_until = now() - interval '1 s' WHERE id = $1`, [chatId]);

  it('a snoozed chat leaves MINE for SNOOZED, stays with its agent, and takes no capacity', async () => {
    const until = inAnHour();
    expect(await snooze({ until })).toMatchObject({ owner: 'AGENT', assignedTo: { id: ada.id }, snooze: { until } });
    expect(await ids('view=MINE')).toEqual([]);
    expect(await ids('view=SNOOZED')).toEqual([tenant.chatId]);
    expect(await ids('view=OPEN')).toEqual([tenant.chatId]);
    expect(await ids(`view=SNOOZED&agentId=${ada.id}`, sue)).toEqual([tenant.chatId]);
    expect(await ids('view=SNOOZED', sue)).toEqual([]);
    expect((await ada.client.get('/chats/counts').expect(200)).body).toMatchObject({ mine: 0, snoozed: 1 });
    expect(await openChats()).toBe(0);
    await parley.app.get(HandoffTimers).runChecks();
    expect(await openChats()).toBe(0);
  });

  it('SNOOZED lists the next to wake first, page by page, and chats without a time last', async () => {
    const [later, open] = [await newChat(), await newChat()];
    for (const id of [later, open]) await claim(id);
    await snooze({}, open);
    await snooze({ until: new Date(Date.now() + 7_200_000).toISOString() }, later);
    await snooze({ until: inAnHour() });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/chats?view=SNOOZED&limit=1${cursor && `&cursor=${cursor}`}`;
      const page: { chats: { id: string }[]; nextCursor: string | null } = (await ada.client.get(path).expect(200))
        .body;
      seen.push(...page.chats.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([tenant.chatId, later, open]);
  });

  it('routing gives another chat to an agent who snoozed one', async () => {
    await tenant.admin.patch(`/groups/${group}`, { routing: 'AUTOMATIC' }).expect(200);
    const second = await newChat();
    await tenant.bot.post('/transfer', { chatId: second }).expect(200);
    expect((await detail(second)).owner).toBe('QUEUE');
    await snooze();
    await becomes({ assignedTo: { id: ada.id } }, second);
  });

  it('a chat wakes with its agent when its time is over, and the agent’s sockets get the row', async () => {
    await snooze({ until: inAnHour() });
    const socket = await parley.connectAgent(ada.token);
    await pass();
    await socket.until(() =>
      socket.all('chat').some(({ id, snooze: state }) => id === tenant.chatId && state === null),
    );
    expect(await detail()).toMatchObject({ assignedTo: { id: ada.id }, snooze: null });
    expect(await ids('view=MINE')).toEqual([tenant.chatId]);
    expect(await openChats()).toBe(1);
  });

  it.each([
    ['a time', { until: inAnHour() }],
    ['the visitor', {}],
  ])("a visitor's message wakes a chat that is snoozed until %s", async (_, body) => {
    await snooze(body);
    await visitorWrites();
    await becomes({ assignedTo: { id: ada.id }, snooze: null, isUnread: true });
    expect(await openChats()).toBe(1);
  });

  it("its agent's and a bot's messages don't wake a chat", async () => {
    await snooze();
    await ada.client.post(on('/messages'), { content: 'One more thing' }).expect(201);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Beep' }).expect(200);
    const [row] = await parley.query('SELECT snoozed_by, snoozed_until FROM chats WHERE id = $1', [tenant.chatId]);
    expect(row).toEqual({ snoozed_by: ada.id, snoozed_until: null });
  });

  it('a chat that wakes while its agent has no room waits in its group since the visitor wrote', async () => {
    await ada.client.post(on('/messages'), { content: 'I will ask' }).expect(201);
    await snooze();
    const [second, third] = [await newChat(), await newChat()];
    await claim(second);
    await visitorWrites();
    await becomes({ owner: 'QUEUE', assignedTo: null, snooze: null, lastAgent: { id: ada.id } });
    const { queuedAt, waitingSince } = await detail();
    expect(queuedAt).toBe(waitingSince);
    await tenant.bot.post('/transfer', { chatId: third }).expect(200);
    expect(await ids('view=WAITING')).toEqual([tenant.chatId, third]);
    expect(await openChats()).toBe(1);
  });

  it('the webhook event of such a chat says NO_ROOM', async () => {
    const { body: webhook } = await tenant.admin
      .post('/webhooks', { url: 'https://example.com/hook', events: ['chat.unassigned'] })
      .expect(201);
    await snooze();
    await claim(await newChat());
    await visitorWrites();
    await becomes({ owner: 'QUEUE' });
    const [event] = await parley.query(
      `SELECT payload::json -> 'data' AS data FROM deliveries WHERE receiver_id = $1`,
      [webhook.id],
    );
    expect(event).toMatchObject({ data: { agent: { id: ada.id }, reason: 'NO_ROOM' } });
  });

  it('its agent wakes a chat beyond the capacity, and waking again changes nothing', async () => {
    await snooze();
    await claim(await newChat());
    const { body: first } = await ada.client.post(on('/wake'), {}).expect(200);
    const { body: again } = await ada.client.post(on('/wake'), {}).expect(200);
    expect(again).toEqual(first);
    expect(first).toMatchObject({ snooze: null, assignedTo: { id: ada.id } });
    expect(await openChats()).toBe(2);
  });

  it('snoozing again replaces the time, and counts once', async () => {
    await snooze({ until: inAnHour() });
    expect(await snooze({ until: null })).toMatchObject({ snooze: { until: null } });
    expect(await openChats()).toBe(0);
    await ada.client.post(on('/wake'), {}).expect(200);
    expect(await openChats()).toBe(1);
  });

  it('a message that the agent has not seen keeps the chat awake', async () => {
    await visitorWrites();
    const { messageCount } = await detail();
    const { body: problem } = await ada.client.post(on('/snooze'), { seenSeq: messageCount - 1 }).expect(409);
    expect(problem.code).toBe('conflict');
    expect(await snooze({ seenSeq: messageCount })).toMatchObject({ snooze: { until: null } });
  });

  it.each([
    ['a time in the past', { until: '2020-01-01T00:00:00Z' }, '/until'],
    ['a time that is too far', { until: '2999-01-01T00:00:00Z' }, '/until'],
    ['a text', { until: 'tomorrow' }, '/until'],
    ['a number', { until: 5 }, '/until'],
    ['no seq', { seenSeq: -1 }, '/seenSeq'],
    ['a time that is an object without toString', { until: { toString: null } }, '/until'],
  ])('%s is 400', async (_, body, pointer) => {
    const { body: problem } = await ada.client.post(on('/snooze'), body).expect(400);
    expect(problem.errors).toMatchObject([{ pointer }]);
  });

  it("only the chat's agent can snooze or wake it", async () => {
    for (const path of ['/snooze', '/wake']) {
      const { body: problem } = await sue.client.post(on(path), {}).expect(409);
      expect(problem).toMatchObject({ code: 'not_assigned', assignedTo: { id: ada.id } });
    }
    const stranger = await parley.signInAgent(await parley.createTenant());
    for (const path of ['/snooze', '/wake']) await stranger.client.post(on(path), {}).expect(404);
  });

  it('a supervisor gives a chat back snoozed as before, unless the visitor has written or its time is over', async () => {
    const until = inAnHour();
    const { messageCount } = await snooze({ until });
    const move = () => sue.client.post(on('/transfer'), { groupId: group }).expect(200);
    const giveBack = async (snoozed: object) =>
      (await sue.client.post(on('/assign'), { agentId: ada.id, snooze: snoozed }).expect(200)).body;
    const back = { assignedTo: { id: ada.id }, owner: 'AGENT' };
    await move();
    expect(await giveBack({ until, seenSeq: messageCount })).toMatchObject({ ...back, snooze: { until } });
    expect(await openChats()).toBe(0);
    expect(await giveBack({ until: null })).toMatchObject({ snooze: { until } });
    await move();
    expect(await giveBack({})).toMatchObject({ ...back, snooze: { until: null } });
    await move();
    expect(await giveBack({ until: '2020-01-01T00:00:00Z' })).toMatchObject({ ...back, snooze: null });
    expect(await openChats()).toBe(1);
    await move();
    await visitorWrites();
    expect(await giveBack({ until, seenSeq: messageCount })).toMatchObject({ ...back, snooze: null });
    const { body: problem } = await sue.client
      .post(on('/assign'), { agentId: ada.id, snooze: { until: 'soon' } })
      .expect(400);
    expect(problem.errors).toMatchObject([{ pointer: '/snooze/until' }]);
  });

  it.each([
    ['a supervisor takes it', () => sue.client.post(on('/assign'), { agentId: sue.id }), { assignedTo: { id: '' } }],
    ['its agent transfers it', () => ada.client.post(on('/transfer'), { groupId: group }), { owner: 'QUEUE' }],
    ['its agent releases it', () => ada.client.post(on('/release'), {}), { owner: 'QUEUE' }],
    ['its agent returns it to the bots', () => ada.client.post(on('/return'), {}), { owner: 'BOT' }],
    ['its agent closes it', () => ada.client.post(on('/close'), {}), { owner: 'NOBODY' }],
    ['a bot transfers it', () => tenant.bot.post('/transfer', { chatId: tenant.chatId }), { owner: 'QUEUE' }],
    ['its visitor closes it', () => parley.visitor(tenant.visitorToken).post(on('/close'), {}), { owner: 'NOBODY' }],
  ])('a chat is no longer snoozed after %s, and the counters stay right', async (_, move, state) => {
    await snooze({ until: inAnHour() });
    await move().expect(200);
    const { snooze: left, ...chat } = await detail();
    expect(left).toBeNull();
    expect(chat).toMatchObject('owner' in state ? state : { assignedTo: { id: sue.id } });
    expect(await openChats()).toBe(0);
    const { body: problem } = await ada.client.post(on('/wake'), {}).expect(409);
    expect(problem.code).toBe('not_assigned');
  });

  it('a snoozed chat stays with an agent who is offline, and waits once it wakes', async () => {
    await tenant.admin.patch(`/groups/${group}`, { offlineReassignSeconds: 1 }).expect(200);
    await snooze();
    connection.close();
    await parley.untilRow(
      `UPDATE agent_connections SET closed_at = now() - interval '1 hour'
       WHERE agent_id = '${ada.id}' AND closed_at IS NOT NULL RETURNING id`,
    );
    await parley.query(`UPDATE chats SET assigned_at = now() - interval '1 hour' WHERE id = $1`, [tenant.chatId]);
    const other = await newChat();
    await sue.client.post(on('/assign', other), { agentId: ada.id }).expect(200);
    await parley.query(`UPDATE chats SET assigned_at = now() - interval '1 hour' WHERE id = $1`, [other]);
    await becomes({ owner: 'QUEUE' }, other);
    expect(await detail()).toMatchObject({ assignedTo: { id: ada.id }, snooze: { until: null } });
    await pass();
    await becomes({ owner: 'QUEUE', snooze: null });
  });

  it('a chat that wakes after its agent was disabled waits in its group', async () => {
    await snooze();
    await tenant.admin.patch(`/agents/${ada.id}`, { isEnabled: false }).expect(200);
    await pass();
    await becomes({ owner: 'QUEUE', snooze: null });
  });

  it('a removed agent’s snoozed chats wait in their group immediately', async () => {
    await snooze();
    await tenant.admin.delete(`/agents/${ada.id}`).expect(204);
    expect(await detail()).toMatchObject({ owner: 'QUEUE', snooze: null });
  });

  it('erasing the visitor of a snoozed chat keeps the counters right', async () => {
    await snooze();
    const { visitor } = await detail();
    await tenant.admin.delete(`/visitors/${visitor.id}`).expect(204);
    await sue.client.get(on('')).expect(404);
    expect(await openChats()).toBe(0);
    expect((await ada.client.get('/chats/counts').expect(200)).body.snoozed).toBe(0);
  });

  it('of a claim, a transfer, and the end of the snooze at the same time, the counters stay right', async () => {
    await snooze();
    await visitorWrites();
    await Promise.all([
      ada.client.post(on('/wake'), {}),
      ada.client.post(on('/snooze'), {}),
      sue.client.post(on('/assign'), { agentId: sue.id }),
      sue.client.post(on('/transfer'), { groupId: group }),
      ada.client.post(on('/claim'), {}),
    ]);
    const counted = await parley.query(
      `SELECT a.id FROM agents a WHERE a.organization_id = $1 AND a.open_chats <> (
        SELECT count(*) FROM chats c WHERE c.organization_id = $1 AND c.agent_id = a.id AND c.snoozed_by IS NULL)`,
      [tenant.id],
    );
    expect(counted).toEqual([]);
  });
});
