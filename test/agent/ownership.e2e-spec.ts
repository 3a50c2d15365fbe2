import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { type Received, Receiver } from '../support/receiver.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('chat ownership', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  let ada: SignedInAgent;
  let ben: SignedInAgent;
  let chief: SignedInAgent;
  let group: string;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
    group = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [group] });
    ben = await parley.signInAgent(tenant, { name: 'Ben', groupIds: [group] });
    chief = await parley.signInAgent(tenant, { name: 'Chief', role: 'SUPERVISOR' });
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
  });
  afterEach(() => receiver?.close());

  const on = (path: string) => `/chats/${tenant.chatId}${path}`;
  const transfer = async (more: object = {}) =>
    (await tenant.bot.post('/transfer', { chatId: tenant.chatId, ...more }).expect(200)).body;
  const claim = (who: SignedInAgent) => who.client.post(on('/claim'), {});
  const write = (who: SignedInAgent, content: string) => who.client.post(on('/messages'), { content });
  const chat = async () => (await tenant.bot.get(on('')).expect(200)).body;
  const visitor = () => parley.visitor(tenant.visitorToken);
  const messages = async () =>
    (await visitor().get(on('/messages')).expect(200)).body.messages.map((message: any) => [
      message.sender.type,
      message.content,
    ]);
  const types = (received: Received[]) => received.map(({ event }) => event.type);
  const lastOf = async (type: string) => {
    const received = await receiver.until((all) => types(all).includes(type));
    return received.findLast(({ event }) => event.type === type)!.event.data;
  };
  const load = async ({ id }: SignedInAgent) =>
    (await parley.query<{ n: number }>('SELECT open_chats AS n FROM agents WHERE id = $1', [id]))[0]!.n;

  it('a chat is owned by a bot, the queue, an agent, NOBODY, and the bot again', async () => {
    expect(await chat()).toMatchObject({ owner: 'BOT', assignedTo: null });
    const { handoff } = await transfer({ summary: 'wants a refund' });
    expect(handoff).toEqual({
      id: expect.stringMatching(/^hof_/),
      availability: 'OFFLINE',
      position: 1,
      estimatedWaitSeconds: null,
      nextOpening: null,
      expiresAt: expect.any(String),
    });
    expect(await chat()).toMatchObject({ owner: 'QUEUE', status: 'QUEUED' });
    const { body: row } = await claim(ada).expect(200);
    expect(row).toMatchObject({ owner: 'AGENT', assignedTo: { id: ada.id, name: 'Ada' }, queuedAt: null });
    expect(await load(ada)).toBe(1);
    await write(ada, 'Hello, I am Ada').expect(201);
    await ada.client.post(on('/close'), {}).expect(200);
    expect(await chat()).toMatchObject({ owner: 'NOBODY', status: 'CLOSED', assignedTo: null });
    expect(await load(ada)).toBe(0);
    await visitor().post(on('/messages'), { content: 'one more thing' }).expect(201);
    expect(await chat()).toMatchObject({ owner: 'BOT', status: 'ACTIVE' });
    expect(await messages()).toEqual([
      ['SYSTEM', 'Chat transferred by bot'],
      ['SYSTEM', 'Ada joined the chat'],
      ['AGENT', 'Hello, I am Ada'],
      ['SYSTEM', 'Ada closed the chat'],
      ['SYSTEM', 'The visitor reopened the chat'],
      ['VISITOR', 'one more thing'],
    ]);
    await receiver.count(10);
    expect(types(receiver.received)).toEqual([
      'chat.transferred',
      'message.created',
      'chat.assigned',
      'message.created',
      'message.created',
      'chat.closed',
      'message.created',
      'chat.reopened',
      'message.created',
      'message.created',
    ]);
    const [transferred, , assigned, , , closed, , reopened] = receiver.received.map(({ event }) => event.data);
    expect(transferred).toMatchObject({
      bot: { id: tenant.botId, name: 'Bot' },
      by: { type: 'BOT', id: tenant.botId, name: 'Bot' },
      handoffId: handoff.id,
      previousAgent: null,
      chat: { owner: 'QUEUE', messageCount: 1 },
    });
    expect(JSON.stringify(receiver.received)).not.toContain('refund');
    expect(assigned).toMatchObject({
      agent: { id: ada.id, name: 'Ada' },
      how: 'CLAIMED',
      waitedSeconds: expect.any(Number),
      chat: { owner: 'AGENT', messageCount: 2 },
    });
    expect(closed).toMatchObject({ by: { type: 'AGENT', id: ada.id, name: 'Ada' }, chat: { owner: 'NOBODY' } });
    expect(reopened).toMatchObject({ by: { type: 'VISITOR' }, owner: 'BOT', agent: null, chat: { messageCount: 6 } });
  });

  it('one of many simultaneous claims wins, and the others learn who was faster', async () => {
    await transfer();
    const answers = await Promise.all([ada, ben, ada, ben, chief].map((who) => claim(who)));
    const winner = (await chat()).assignedTo;
    const [mine, theirs] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status === 409),
    ];
    expect(mine.length + theirs.length).toBe(5);
    expect(new Set(mine.map(({ body }) => body.assignedTo.id))).toEqual(new Set([winner.id]));
    for (const { body } of theirs) expect(body).toMatchObject({ code: 'already_assigned', assignedTo: winner });
    await lastOf('chat.assigned');
    await write(
      [ada, ben, chief].find(({ id }) => id === winner.id)!,
      'hello',
    ).expect(201);
    await receiver.until((all) => all.some(({ event }) => event.data.message?.content === 'hello'));
    expect(types(receiver.received).filter((type) => type === 'chat.assigned')).toHaveLength(1);
  });

  it("claiming a chat that another agent has doesn't wait for changes of that chat", async () => {
    await claim(ada).expect(200);
    const holder = new pg.Client({ connectionString: parley.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM chats WHERE organization_id = $1 AND id = $2 FOR UPDATE', [
        tenant.id,
        tenant.chatId,
      ]);
      for (const who of [ben, chief]) {
        const { body } = await claim(who).expect(409);
        expect(body).toMatchObject({
          code: 'already_assigned',
          owner: 'AGENT',
          assignedTo: { id: ada.id, name: 'Ada' },
        });
      }
      const stranger = await parley.signInAgent(tenant, { name: 'Sam', groupIds: [] });
      const asked = claim(stranger).then(({ status }) => status);
      await holder.query('ROLLBACK');
      expect(await asked).toBe(404);
    } finally {
      await holder.end();
    }
  });

  it("only the chat's agent writes into it", async () => {
    const { body: early } = await write(ada, 'too early').expect(409);
    expect(early).toMatchObject({ code: 'not_assigned', owner: 'BOT', assignedTo: null });
    await claim(ada).expect(200);
    const { body: other } = await write(ben, 'me too').expect(409);
    expect(other).toMatchObject({ code: 'not_assigned', owner: 'AGENT', assignedTo: { id: ada.id, name: 'Ada' } });
    const send = { content: 'once', clientMessageId: 'c1' };
    const { body: first } = await ada.client.post(on('/messages'), send).expect(201);
    await ada.client.post(on('/release'), {}).expect(200);
    const { body: again } = await ada.client.post(on('/messages'), send).expect(201);
    expect(again).toEqual(first);
  });

  it("a bot's message with ifOwner is stored only while the bots have the chat", async () => {
    const send = (key: string) =>
      tenant.bot
        .post('/messages', { chatId: tenant.chatId, content: 'Hi', ifOwner: 'BOT' })
        .set('Idempotency-Key', key);
    await send('a').expect(200);
    await claim(ada).expect(200);
    expect((await send('b').expect(409)).body).toMatchObject({ code: 'not_owner', owner: 'AGENT' });
    expect((await send('a').expect(200)).headers['idempotent-replayed']).toBe('true');
    await ada.client.post(on('/return'), { note: 'please ask for the number' }).expect(200);
    await send('b').expect(200);
    expect(await lastOf('chat.returned')).toMatchObject({
      by: { type: 'AGENT', id: ada.id },
      note: 'please ask for the number',
      chat: { owner: 'BOT' },
    });
    expect(JSON.stringify(await messages())).not.toContain('number');
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'x', ifOwner: 'AGENT' }).expect(400);
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    expect((await send('c').expect(409)).body).toMatchObject({ code: 'not_owner', owner: 'NOBODY' });
  });

  it('a released chat keeps its place in the queue unless an agent wrote', async () => {
    await transfer();
    const { body: waiting } = await ada.client.get('/chats?view=WAITING').expect(200);
    const since = (
      await parley.query<{ at: Date }>('SELECT queued_at AS at FROM chats WHERE id = $1', [tenant.chatId])
    )[0]!.at;
    expect(waiting.chats[0].queuedAt).toBe(since.toISOString());
    await claim(ada).expect(200);
    const { body: released } = await ada.client.post(on('/release'), {}).expect(200);
    expect(released).toMatchObject({ owner: 'QUEUE', queuedAt: since.toISOString(), lastAgent: { id: ada.id } });
    expect(await lastOf('chat.unassigned')).toMatchObject({ agent: { id: ada.id, name: 'Ada' }, reason: 'RELEASED' });
    await claim(ben).expect(200);
    await write(ben, 'Hello').expect(201);
    const { body: later } = await ben.client.post(on('/release'), {}).expect(200);
    expect(new Date(later.queuedAt).getTime()).toBeGreaterThan(since.getTime());
    expect(await messages()).toContainEqual(['SYSTEM', 'Ben left the chat. Another agent will be with you shortly.']);
    expect([await load(ada), await load(ben)]).toEqual([0, 0]);
  });

  it('a chat released after an agent wrote waits from its release', async () => {
    await transfer();
    const { queuedAt } = (await ada.client.get(on('')).expect(200)).body;
    await claim(ada).expect(200);
    await write(ada, 'Hello').expect(201);
    await ada.client.post(on('/transfer'), { agentId: ben.id }).expect(200);
    const { body: released } = await ben.client.post(on('/release'), {}).expect(200);
    expect(released.owner).toBe('QUEUE');
    expect(Date.parse(released.queuedAt)).toBeGreaterThan(Date.parse(queuedAt));
  });

  it('an agent transfers a chat to a colleague or to a group, and a supervisor can always do so', async () => {
    await claim(ada).expect(200);
    await ben.client.post(on('/transfer'), { agentId: ben.id }).expect(409);
    const { body: given } = await ada.client.post(on('/transfer'), { agentId: ben.id }).expect(200);
    expect(given).toMatchObject({ assignedTo: { id: ben.id } });
    await receiver.until((all) => all.some(({ event }) => event.data.how === 'ASSIGNED'));
    expect(receiver.received.find(({ event }) => event.data.how === 'ASSIGNED')!.event.data).toMatchObject({
      previousAgent: { id: ada.id, name: 'Ada' },
      by: { type: 'AGENT', id: ada.id },
    });
    const { body: other } = await tenant.admin.post('/groups', { name: 'Other' }).expect(201);
    const { body: gone } = await ben.client.post(on('/transfer'), { groupId: other.id, note: 'urgent' }).expect(200);
    expect(gone).toEqual({ id: tenant.chatId, rev: expect.any(Number), isGone: true });
    await claim(ada).expect(404);
    await chief.client.post(on('/assign'), { agentId: ada.id }).expect(409);
    await ada.client.post(on('/assign'), {}).expect(403);
    const { body: taken } = await chief.client.post(on('/assign'), { agentId: chief.id }).expect(200);
    expect(taken).toMatchObject({ assignedTo: { id: chief.id }, group: { id: other.id } });
    await chief.client.post(on('/transfer'), {}).expect(400);
    await chief.client.post(on('/transfer'), { groupId: other.id, agentId: ada.id }).expect(400);
  });

  it('an agent claims a chat into a group of theirs in one step, and it was never in another queue', async () => {
    const { body: refunds } = await tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    const { body: sales } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [group, refunds.id] }).expect(200);
    await transfer();
    await claim(ada).expect(200);
    await ada.client.post(on('/transfer'), { groupId: refunds.id }).expect(200);
    const { body: row } = await ada.client.post(on('/claim'), { groupId: group }).expect(200);
    expect(row).toMatchObject({ owner: 'AGENT', assignedTo: { id: ada.id }, group: { id: group } });
    expect((await lastOf('chat.assigned')).chat.group).toMatchObject({ id: group });
    expect((await messages()).slice(-2)).toEqual([
      ['SYSTEM', 'Chat transferred'],
      ['SYSTEM', 'Ada joined the chat'],
    ]);
    expect(await load(ada)).toBe(1);
    expect((await ada.client.post(on('/claim'), { groupId: refunds.id }).expect(200)).body.group.id).toBe(group);
    await ada.client.post(on('/release'), {}).expect(200);
    for (const groupId of [sales.id, 'grp_none']) {
      await ada.client.post(on('/claim'), { groupId }).expect(404);
      expect(await chat()).toMatchObject({ owner: 'QUEUE' });
    }
    await ada.client.post(on('/claim'), { groupId: 7 }).expect(400);
    const { body: taken } = await chief.client.post(on('/claim'), { groupId: sales.id }).expect(200);
    expect(taken).toMatchObject({ assignedTo: { id: chief.id }, group: { id: sales.id } });
  });

  it('an agent reopens an ended chat by writing, and gets it', async () => {
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    const answers = await Promise.all([write(ada, 'one'), write(ben, 'two')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const winner = answers[0]!.status === 201 ? ada : ben;
    expect(await chat()).toMatchObject({ owner: 'AGENT', assignedTo: { id: winner.id } });
    expect(await lastOf('chat.reopened')).toMatchObject({
      by: { type: 'AGENT' },
      owner: 'AGENT',
      agent: { id: winner.id },
    });
    await winner.client.post(on('/reopen'), {}).expect(200);
    const loser = winner === ada ? ben : ada;
    expect((await loser.client.post(on('/reopen'), {}).expect(409)).body.code).toBe('already_assigned');
  });

  it("a visitor's message reopens a chat for the agents when there is no bot", async () => {
    const alone = await parley.createTenant({ hasBot: false });
    const writes = () =>
      parley.visitor(alone.visitorToken).post(`/chats/${alone.chatId}/messages`, { content: 'Hi' }).expect(201);
    const handoffs = () => parley.query('SELECT outcome FROM handoffs WHERE chat_id = $1 ORDER BY id', [alone.chatId]);
    expect(await handoffs()).toEqual([{ outcome: null }]);
    await alone.admin.patch(`/chats/${alone.chatId}`, { status: 'CLOSED' }).expect(200);
    expect(await handoffs()).toEqual([{ outcome: 'CLOSED' }]);
    await writes();
    expect((await alone.admin.get(`/chats/${alone.chatId}`)).body).toMatchObject({ owner: 'QUEUE', status: 'QUEUED' });
    expect(await handoffs()).toEqual([{ outcome: 'CLOSED' }, { outcome: null }]);
  });

  it('a bot takes back a waiting chat, and with ifUnavailable FAIL keeps it when no agent is available', async () => {
    expect((await tenant.bot.post(on('/return'), {}).expect(409)).body).toMatchObject({
      code: 'not_waiting',
      owner: 'BOT',
    });
    const refused = await tenant.bot.post('/transfer', { chatId: tenant.chatId, ifUnavailable: 'FAIL' }).expect(409);
    expect(refused.body).toMatchObject({ code: 'nobody_available', availability: 'OFFLINE' });
    expect(await chat()).toMatchObject({ owner: 'BOT' });
    await transfer({ maxWaitSeconds: 0 });
    expect((await tenant.bot.post(on('/return'), {}).expect(200)).body).toEqual({
      chatId: tenant.chatId,
      owner: 'BOT',
    });
    expect(await messages()).toContainEqual(['SYSTEM', 'The chat continues with the bot']);
    const { body } = await tenant.bot.get('/groups/availability').expect(200);
    expect(body).toEqual([
      {
        groupId: group,
        availability: 'OFFLINE',
        onlineAgents: 0,
        waitingChats: 0,
        estimatedWaitSeconds: null,
        isOpen: true,
        nextOpening: null,
      },
    ]);
  });

  it('a repeated transfer gets the same response, with the newer fields', async () => {
    const ask = (more: object) =>
      tenant.bot.post('/transfer', { chatId: tenant.chatId, ...more }).set('Idempotency-Key', 'k');
    const { body: first } = await ask({ summary: 's' }).expect(200);
    await claim(ada).expect(200);
    expect((await ask({ summary: 's' }).expect(200)).body).toEqual(first);
    await ask({ summary: 'other' }).expect(422);
    await ask({}).expect(422);
    expect(await chat()).toMatchObject({ owner: 'AGENT' });
  });

  it('chats of a deleted agent wait again, and the visitor is notified', async () => {
    await claim(ada).expect(200);
    await tenant.admin.delete(`/agents/${ada.id}`).expect(204);
    expect(await chat()).toMatchObject({ owner: 'QUEUE', assignedTo: null });
    expect(await lastOf('chat.unassigned')).toMatchObject({ agent: { id: ada.id, name: 'Ada' }, reason: 'DELETED' });
    expect(await messages()).toContainEqual(['SYSTEM', 'Ada left the chat. Another agent will be with you shortly.']);
    await claim(ben).expect(200);
  });

  it('chats are listed by owner', async () => {
    const list = async (owner: string) =>
      (await tenant.bot.get(`/chats?owner=${owner}`).expect(200)).body.chats.map(({ id }: { id: string }) => id);
    expect(await list('BOT')).toEqual([tenant.chatId]);
    await transfer();
    expect([await list('BOT'), await list('QUEUE')]).toEqual([[], [tenant.chatId]]);
    await claim(ada).expect(200);
    expect([await list('AGENT'), await list('QUEUE')]).toEqual([[tenant.chatId], []]);
    await ada.client.post(on('/close'), {}).expect(200);
    expect([await list('NOBODY'), await list('AGENT')]).toEqual([[tenant.chatId], []]);
    await tenant.bot.get('/chats?owner=ME').expect(400);
  });

  it("an administrator's change of the status is a transition like the others", async () => {
    const set = (status: string) => tenant.admin.patch(`/chats/${tenant.chatId}`, { status }).expect(200);
    await set('QUEUED');
    expect(await lastOf('chat.transferred')).toMatchObject({ by: { type: 'ADMIN', id: null }, bot: null });
    await set('ACTIVE');
    expect(await lastOf('chat.returned')).toMatchObject({ by: { type: 'ADMIN' }, chat: { owner: 'BOT' } });
    await set('ARCHIVED');
    await set('CLOSED');
    await set('ACTIVE');
    expect(await lastOf('chat.reopened')).toMatchObject({ by: { type: 'ADMIN' }, owner: 'BOT' });
    expect(types(receiver.received)).not.toContain('chat.closed');
  });

  it('a visitor sees their place in the queue and who has the chat, and ends it', async () => {
    const socket = await parley.connectVisitor(tenant.visitorToken);
    const opened = await socket.ask('chat:open', { chatId: tenant.chatId });
    expect(opened.chat).toMatchObject({ owner: 'BOT', assignedTo: null, queue: null });
    const { body: first } = await tenant.admin.post('/chats', {}).expect(201);
    await tenant.bot.post('/transfer', { chatId: first.id }).expect(200);
    await transfer();
    const latest = () => socket.all('chat').at(-1);
    await socket.until(() => latest()?.queue?.position === 2);
    expect(latest()).toMatchObject({ owner: 'QUEUE', queue: { position: 2, estimatedWaitSeconds: null } });
    await ada.client.post(`/chats/${first.id}/claim`, {}).expect(200);
    await socket.until(() => latest().queue?.position === 1);
    expect(latest().owner).toBe('QUEUE');
    await claim(ada).expect(200);
    await socket.until(() => latest().owner === 'AGENT');
    expect(latest()).toMatchObject({
      queue: null,
      assignedTo: { id: ada.id, name: 'Ada', avatarUrl: null },
    });
    expect(await socket.ask('chat:close', { chatId: tenant.chatId })).toMatchObject({
      ok: true,
      chat: { owner: 'NOBODY', status: 'CLOSED' },
    });
    const { body } = await visitor().post(on('/close'), {}).expect(200);
    expect(body.chat).toMatchObject({ id: tenant.chatId, owner: 'NOBODY' });
    expect(await lastOf('chat.closed')).toMatchObject({ by: { type: 'VISITOR', id: tenant.visitorId, name: 'Vera' } });
    expect(await load(ada)).toBe(1);
  });
});
