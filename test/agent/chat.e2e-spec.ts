import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HandoffTimers } from '../../src/handoff/handoff-timers.service.js';
import { at, makeChat, setChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { fillChat } from '../support/traces.js';

describe('a chat in the agent API', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sales: string;
  let support: string;
  let ada: SignedInAgent;
  let bob: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    // Its own check would correct the numbers that a test sets.
    await parley.app.get(HandoffTimers)['check'].stop();
    tenant = await parley.createTenant();
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    support = (await tenant.admin.post('/groups', { name: 'Support' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [sales] });
    bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [support] });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const beginAs = async (group_id: string) => {
    const { body: session } = await parley.beginSession(tenant, { visitor: { name: 'Vera' } }).expect(201);
    const visitor = parley.visitor(session.token);
    const begin = async () => {
      const { body } = await visitor.post('/chats', { metadata: { page: '/prices' } }).expect(201);
      await setChat(parley, body.chat.id, { group_id });
      return body.chat.id as string;
    };
    return { visitor, begin, visitorId: session.visitor.id as string, token: session.token as string };
  };
  const detail = async ({ client }: SignedInAgent, chatId: string) =>
    (await client.get(`/chats/${chatId}`).expect(200)).body;
  const say = (chatId: string, content: string) => tenant.bot.post('/messages', { chatId, content }).expect(200);

  it("a chat's detail is its row with the visitor, the bot's summary, the read marks, and the viewers", async () => {
    const { begin, visitorId } = await beginAs(sales);
    const chatId = await begin();
    const [row] = (await ada.client.get('/chats?view=BOT').expect(200)).body.chats;
    const plain = await detail(ada, chatId);
    expect(plain).toEqual({
      ...row,
      visitor: {
        ...row.visitor,
        id: visitorId,
        name: 'Vera',
        metadata: {},
        attributes: {},
        verifiedAttributes: {},
        createdAt: expect.any(String),
        block: null,
        mailStatus: null,
      },
      metadata: { page: '/prices' },
      attributes: {},
      title: null,
      handoff: null,
      read: { visitor: 0, organization: 0, agents: 0 },
      viewers: [],
      earlierChats: [],
      rating: null,
      messageRatings: [],
      mails: [],
      canSendTranscript: false,
      missedMail: null,
    });
    // The later of two stays in the queue, which has ended; written by SQL to have exact times.
    for (const [id, minute] of [
      ['hof_1', 1],
      ['hof_2', 2],
    ]) {
      await parley.query(
        `INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, reason, summary, began_at, queued_at,
           on_unanswered, ended_at, outcome)
         VALUES ($1, $2, $3, $4, 'BOT', 'Wants a refund', 'Angry', $5, $5, 'KEEP', $5, 'ASSIGNED')`,
        [tenant.id, id, chatId, sales, at(Number(minute))],
      );
    }
    const socket = await parley.connectAgent(sue.token);
    await socket.ask('chat:follow', { chatId });
    expect(await detail(ada, chatId)).toMatchObject({
      handoff: { id: 'hof_2', reason: 'Wants a refund', summary: 'Angry', cause: null, queuedAt: at(2) },
      viewers: [{ id: sue.id, name: 'Sue' }],
    });
    socket.close();
  });

  it("a chat's detail lists the visitor's ten latest earlier chats that the agent may see", async () => {
    const { visitorId } = await beginAs(sales);
    const ids: string[] = [];
    for (let number = 0; number < 12; number++) ids.push(await makeChat(parley, tenant, { group_id: sales }));
    await parley.query('UPDATE chats SET visitor_id = $1 WHERE id = ANY ($2)', [visitorId, ids]);
    const [secret, chatId, later] = [ids[3]!, ids[10]!, ids[11]!];
    await setChat(parley, secret, { group_id: support });
    await setChat(parley, ids[0]!, { status: 'CLOSED', status_changed_at: at(7) });
    const earlier = async (agent: SignedInAgent) =>
      (await detail(agent, chatId)).earlierChats.map(({ id }: { id: string }) => id);
    const all = ids.slice(0, 10).toReversed();
    expect(await earlier(sue)).toEqual(all);
    expect(await earlier(ada)).toEqual(all.filter((id) => id !== secret));
    expect((await detail(ada, chatId)).earlierChats.at(-1)).toEqual({
      id: ids[0],
      status: 'CLOSED',
      createdAt: expect.any(String),
      closedAt: at(7),
      messageCount: 0,
    });
    expect((await detail(sue, later)).earlierChats).toHaveLength(10);
  });

  it('a chat that the agent may not see is 404 on every route', async () => {
    const { begin } = await beginAs(sales);
    const chatId = await begin();
    const routes = (id: string): [string, string, object?][] => [
      ['get', `/chats/${id}`],
      ['get', `/chats/${id}/messages`],
      ['get', `/chats/${id}/notes`],
      ['post', `/chats/${id}/notes`, { content: 'x' }],
      ['post', `/chats/${id}/read`, { seq: 0 }],
      ['post', `/chats/${id}/typing`, { isTyping: true }],
    ];
    const stranger = await parley.signInAgent(await parley.createTenant(), { role: 'ADMIN' });
    const ask = ({ client }: SignedInAgent, [method, path, body]: [string, string, object?]) =>
      method === 'get' ? client.get(path) : client.post(path, body);
    for (const route of routes(chatId)) {
      for (const agent of [bob, stranger]) {
        const { status, body } = await ask(agent, route);
        expect([route, status, body.detail]).toEqual([route, 404, 'Chat not found']);
      }
      expect([route, (await ask(ada, route)).status]).toEqual([
        route,
        route[1].endsWith('notes') && route[2] ? 201 : 200,
      ]);
    }
    // An agent sees their own chats in every group.
    await setChat(parley, chatId, { agent_id: bob.id });
    for (const route of routes(chatId)) expect((await ask(bob, route)).status).toBeLessThan(300);
    for (const route of routes('none')) expect((await ask(sue, route)).status).toBe(404);
    // An invalid body is 400 before the chat is looked up.
    await bob.client.post('/chats/none/read', { seq: -1 }).expect(400);
  });

  it('messages are read forward and backward, in order', async () => {
    const chatId = await makeChat(parley, tenant, { group_id: sales });
    await fillChat(parley, tenant.id, chatId, 12);
    const read = async (query: string) => {
      const { body } = await ada.client.get(`/chats/${chatId}/messages?${query}`).expect(200);
      return { ...body, messages: body.messages.map(({ seq }: { seq: number }) => seq) };
    };
    expect(await read('limit=3')).toEqual({ messages: [1, 2, 3], latestSeq: 12, hasMore: true });
    expect(await read('afterSeq=9&limit=3')).toEqual({ messages: [10, 11, 12], latestSeq: 12, hasMore: false });
    expect(await read('beforeSeq=13&limit=3')).toEqual({ messages: [10, 11, 12], latestSeq: 12, hasMore: true });
    expect(await read('beforeSeq=4')).toEqual({ messages: [1, 2, 3], latestSeq: 12, hasMore: false });
    expect(await read('beforeSeq=1')).toEqual({ messages: [], latestSeq: 12, hasMore: false });
    expect(await read('beforeSeq=2147483647&limit=1')).toEqual({ messages: [12], latestSeq: 12, hasMore: true });
    for (const [query, pointer] of [
      ['afterSeq=1&beforeSeq=5', '?beforeSeq'],
      ['beforeSeq=0', '?beforeSeq'],
      ['beforeSeq=x', '?beforeSeq'],
      ['afterSeq=-1', '?afterSeq'],
      ['limit=201', '?limit'],
    ]) {
      const { body } = await ada.client.get(`/chats/${chatId}/messages?${query}`).expect(400);
      expect([query, body.errors[0].pointer]).toEqual([query, pointer]);
    }
    const { body: seen } = await ada.client.get(`/chats/${chatId}/messages?afterSeq=11`).expect(200);
    const { body: same } = await tenant.bot.get(`/chats/${chatId}/messages?afterSeq=11`).expect(200);
    expect(seen).toEqual(same);
  });

  it("a page backward that's too large contains the latest messages that fit", async () => {
    const chatId = await makeChat(parley, tenant, { group_id: sales });
    await fillChat(parley, tenant.id, chatId, 200);
    await parley.query(`UPDATE messages SET content = repeat('\u0001', 5000) WHERE chat_id = $1`, [chatId]);
    const { body } = await ada.client.get(`/chats/${chatId}/messages?beforeSeq=201&limit=200`).expect(200);
    const seqs = body.messages.map(({ seq }: { seq: number }) => seq);
    expect(seqs.length).toBeGreaterThan(20);
    expect(seqs.length).toBeLessThan(60);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => 201 - seqs.length + index));
    expect(body.hasMore).toBe(true);
  });

  it("one agent's read mark raises the organization’s mark and the row's revision, and never moves back", async () => {
    const { begin, visitor, token } = await beginAs(sales);
    const chatId = await begin();
    for (const content of ['one', 'two']) await visitor.post(`/chats/${chatId}/messages`, { content }).expect(201);
    await setChat(parley, chatId, { last_visitor_seq: 2 });
    const before = await detail(ada, chatId);
    expect(before).toMatchObject({ isUnread: true, read: { organization: 0, agents: 0 } });
    const socket = await parley.connectVisitor(token);
    await socket.ask('chat:open', { chatId });

    await tenant.bot.post(`/chats/${chatId}/read`, { seq: 2 }).expect(200);
    expect(await detail(ada, chatId)).toMatchObject({ isUnread: true, read: { organization: 2, agents: 0 } });

    const mark = async ({ client }: SignedInAgent, seq: number) =>
      (await client.post(`/chats/${chatId}/read`, { seq }).expect(200)).body;
    expect(await mark(ada, 1)).toEqual({ chatId, seq: 1 });
    expect(await detail(sue, chatId)).toMatchObject({ isUnread: true, read: { organization: 2, agents: 1 } });
    expect(await mark(sue, 2)).toEqual({ chatId, seq: 2 });
    expect(await mark(ada, 1)).toEqual({ chatId, seq: 2 });
    const after = await detail(ada, chatId);
    expect(after).toMatchObject({ isUnread: false, read: { visitor: 0, organization: 2, agents: 2 } });
    expect(after.rev).toBe(before.rev + 2);

    const { body } = await ada.client.post(`/chats/${chatId}/read`, { seq: 3 }).expect(400);
    expect(body.errors[0].pointer).toBe('/seq');
    await visitor.post(`/chats/${chatId}/messages`, { content: 'three' }).expect(201);
    await mark(ada, 3);
    await socket.until(() => socket.all('chat').some(({ read }) => read.organization === 3));
    expect(socket.all('chat').every(({ read }) => !('agents' in read))).toBe(true);
    socket.close();
  });

  it('writing a message marks the chat as read up to it', async () => {
    const { begin, visitor, token } = await beginAs(sales);
    const chatId = await begin();
    const say = (content: string) => visitor.post(`/chats/${chatId}/messages`, { content }).expect(201);
    await say('is anybody there?');
    await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    const before = await detail(sue, chatId);
    expect(before).toMatchObject({ isUnread: true, read: { organization: 0, agents: 0 } });
    const socket = await parley.connectVisitor(token);
    await socket.ask('chat:open', { chatId });

    const written = { content: 'I am', clientMessageId: 'cm-1' };
    const { seq } = (await ada.client.post(`/chats/${chatId}/messages`, written).expect(201)).body.message;
    const after = await detail(sue, chatId);
    expect(after).toMatchObject({ isUnread: false, read: { visitor: 0, organization: seq, agents: seq } });
    expect(after.rev).toBe(before.rev + 1);
    await socket.until(() => socket.all('chat').some(({ read }) => read.organization === seq));

    await say('good');
    await ada.client.post(`/chats/${chatId}/messages`, written).expect(201);
    expect(await detail(sue, chatId)).toMatchObject({ isUnread: true, rev: after.rev, read: { agents: seq } });
    socket.close();
    await ada.client.post(`/chats/${chatId}/close`, {}).expect(200);
  });

  it("the visitor sees the typing of the chat's agent, and of no other agent", async () => {
    const { begin, token } = await beginAs(sales);
    const chatId = await begin();
    await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    const socket = await parley.connectVisitor(token);
    await socket.ask('chat:open', { chatId });
    const typed = { chatId, isTyping: true };
    expect((await sue.client.post(`/chats/${chatId}/typing`, { isTyping: true }).expect(200)).body).toEqual(typed);
    expect((await ada.client.post(`/chats/${chatId}/typing`, { isTyping: true }).expect(200)).body).toEqual(typed);
    const shown = await socket.next('typing');
    expect(shown).toEqual({ chatId, sender: { type: 'AGENT', id: ada.id, name: 'Ada' }, isTyping: true });
    const { body } = await ada.client.post(`/chats/${chatId}/typing`, { isTyping: 'yes' }).expect(400);
    expect(body.errors[0].pointer).toBe('/isTyping');
    socket.close();
    await ada.client.post(`/chats/${chatId}/close`, {}).expect(200);
  });

  it('colleagues and groups list every group and every enabled agent', async () => {
    await say(tenant.chatId, 'hello');
    await parley
      .signInAgent(tenant, { name: 'Zoe' })
      .then(({ id }) => tenant.admin.patch(`/agents/${id}`, { isEnabled: false }));
    // Sockets make agents present. A row of a connection on a running node has the same effect.
    await parley.query(`INSERT INTO nodes (id, started_at, seen_at) VALUES ('node', now(), now() + interval '1 hour')`);
    const connect = ({ id }: SignedInAgent) =>
      parley.query(
        `INSERT INTO agent_connections (organization_id, agent_id, id, session_id, node_id, opened_at)
         VALUES ($1, $2, $2, 'ses_1', 'node', now())`,
        [tenant.id, id],
      );
    await connect(ada);
    await connect(sue);
    await parley.query('UPDATE agents SET is_accepting = false WHERE id = $1', [sue.id]);
    await tenant.admin.patch(`/agents/${sue.id}`, { groupIds: [support] }).expect(200);
    const { body } = await bob.client.get('/agents').expect(200);
    expect(body.nextCursor).toBeNull();
    expect(body.agents).toEqual([
      {
        id: ada.id,
        name: 'Ada',
        avatarUrl: null,
        role: 'AGENT',
        groupIds: [sales],
        presence: 'ONLINE',
        pauseReason: null,
        openChats: 0,
      },
      expect.objectContaining({ id: bob.id, presence: 'OFFLINE' }),
      expect.objectContaining({ id: sue.id, role: 'SUPERVISOR', presence: 'PAUSED', groupIds: [support] }),
    ]);
    const page = (await bob.client.get('/agents?limit=2').expect(200)).body;
    expect((await bob.client.get(`/agents?cursor=${page.nextCursor}`).expect(200)).body.agents).toHaveLength(1);

    const groups = async () => (await bob.client.get('/groups').expect(200)).body as any[];
    const waiting = (await sue.client.get(`/chats?view=WAITING&groupId=${sales}`).expect(200)).body.chats.length;
    const group = { isDefault: false, maxWaitSeconds: 180, isOpen: true, nextOpening: null };
    expect(await groups()).toEqual([
      expect.objectContaining({ name: 'General', isDefault: true, availability: 'OFFLINE', onlineAgents: 0 }),
      { ...group, id: sales, name: 'Sales', availability: 'AVAILABLE', onlineAgents: 1, waitingChats: waiting },
      { ...group, id: support, name: 'Support', availability: 'OFFLINE', onlineAgents: 0, waitingChats: 0 },
    ]);
    await parley.query('UPDATE agents SET open_chats = 4, pending_offers = 4, capacity = 6 WHERE id = $1', [ada.id]);
    expect((await groups())[1]).toMatchObject({ availability: 'BUSY', onlineAgents: 1 });
  });

  it("an agent's offers are listed, soonest expiry first", async () => {
    const offer = async (id: string, { id: agentId }: SignedInAgent, seconds: number, columns = '') => {
      const chatId = await makeChat(parley, tenant, { group_id: sales, queued_at: at(1) });
      // In one statement, so that routing finds no waiting chat to offer.
      await parley.query(
        `WITH queued AS (UPDATE chats SET status = 'QUEUED' WHERE id = $3)
         INSERT INTO chat_offers (organization_id, id, chat_id, handoff_id, agent_id, created_at, expires_at, ended_at, reason)
         VALUES ($1, $2, $3, 'hof_1', $4, now(), now() + make_interval(secs => $5), ${columns || 'NULL, NULL'})`,
        [tenant.id, id, chatId, agentId, seconds],
      );
      return chatId;
    };
    // Offers stay only while their group creates them and the agents are online.
    await tenant.admin.patch(`/groups/${sales}`, { routing: 'OFFER' }).expect(200);
    for (const { token } of [ada, sue]) await parley.connectAgent(token);
    const late = await offer('off_1', ada, 600);
    const soon = await offer('off_2', ada, 300);
    await offer('off_3', sue, 300);
    await offer('off_4', ada, 300, `now(), 'DECLINED'`);
    await offer('off_5', ada, -1);
    const { body } = await ada.client.get('/offers').expect(200);
    expect(body.nextCursor).toBeNull();
    expect(body.offers.map(({ id, chat }: any) => [id, chat.id])).toEqual([
      ['off_2', soon],
      ['off_1', late],
    ]);
    const [first] = body.offers;
    expect(first).toEqual({ id: 'off_2', chat: first.chat, expiresAt: first.chat.offer.expiresAt });
    const { body: listed } = await ada.client.get('/chats?view=WAITING').expect(200);
    expect(listed.chats.find(({ id }: any) => id === soon)).toEqual(first.chat);
    expect((await bob.client.get('/offers').expect(200)).body.offers).toEqual([]);
  });
});
