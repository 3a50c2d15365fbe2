import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('the namespace /agent', () => {
  let parley: Parley;
  let tenant: Tenant;
  let groupId: string;
  let ada: SignedInAgent;
  let socket: VisitorSocket;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    groupId = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
    socket = await connect(ada);
  });

  const connect = (agent: SignedInAgent): Promise<VisitorSocket> => parley.connectAgent(agent.token);
  const chats = (on = socket, chatId = tenant.chatId) => on.all('chat').filter(({ id }) => id === chatId);
  const gets = async (wanted: object, on = socket) => {
    const holds = () => {
      try {
        expect(chats(on).at(-1)).toMatchObject(wanted);
        return true;
      } catch {
        return false;
      }
    };
    await eventually(() => chats(on).at(-1) ?? null, holds);
    return chats(on).at(-1);
  };
  const transfer = (body = {}) => tenant.bot.post('/transfer', { chatId: tenant.chatId, ...body }).expect(200);
  const say = (content = 'hello') => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const newGroup = async (name: string) => (await tenant.admin.post('/groups', { name }).expect(201)).body.id as string;

  describe('the handshake', () => {
    const refusal = (connecting: Promise<unknown>) =>
      connecting.then(
        () => null,
        (error: { data?: { code: string } }) => error.data?.code,
      );

    it("an agent connects with a session's token, or with our own cookie from our own origin", async () => {
      const extraHeaders = { cookie: `parley=${ada.token}` };
      const own = { ...extraHeaders, origin: parley.url };
      await parley.connectAgent(undefined, { extraHeaders: own });
      expect(await refusal(parley.connectAgent(undefined, { extraHeaders }))).toBe('forbidden');
      const evil = { ...extraHeaders, origin: 'https://evil.example' };
      expect(await refusal(parley.connectAgent(undefined, { extraHeaders: evil }))).toBe('forbidden');
      expect(await refusal(parley.connectAgent(ada.token, { extraHeaders: { origin: 'https://a.example' } }))).toBe(
        null,
      );
    });

    it('a handshake without a valid session is rejected', async () => {
      for (const token of ['', 'nonsense', 7, {}, tenant.visitorToken, tenant.token]) {
        expect(await refusal(parley.connectAgent(token))).toBe('unauthorized');
      }
    });
  });

  it('every request is acked, even an unknown one', async () => {
    expect(await socket.ask('nonsense', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await socket.ask('chat:follow', {})).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
    expect(await socket.ask('view:watch', { view: 'ALL' })).toMatchObject({
      error: { code: 'validation_failed', errors: [{ pointer: '/view' }] },
    });
    expect(await socket.ask('view:watch', {})).toMatchObject({ error: { code: 'validation_failed' } });
    expect(await socket.ask('view:watch', { view: 'BOT', groupId: 'grp_unknown' })).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(await socket.ask('view:watch', { view: null })).toEqual({ ok: true });
  });

  describe('chat:follow', () => {
    it('following a chat returns its messages, and sends later ones, and typing', async () => {
      await say('one');
      const answer = await socket.ask('chat:follow', { chatId: tenant.chatId });
      expect(answer).toMatchObject({
        ok: true,
        chat: { id: tenant.chatId, owner: 'BOT', viewers: [{ id: ada.id, name: 'Ada' }], metadata: {} },
        messages: [{ content: 'one', seq: 1 }],
        latestSeq: 1,
        hasMore: false,
      });
      await say('two');
      expect(await socket.next('message')).toMatchObject({ content: 'two', seq: 2 });
      await tenant.bot.post(`/chats/${tenant.chatId}/typing`, { isTyping: true }).expect(200);
      expect(await socket.next('typing')).toMatchObject({
        chatId: tenant.chatId,
        sender: { type: 'BOT' },
        isTyping: true,
      });
      expect(await socket.ask('chat:follow', { chatId: tenant.chatId, afterSeq: 1 })).toMatchObject({
        messages: [{ seq: 2 }],
      });
      expect(await socket.ask('chat:unfollow', { chatId: tenant.chatId })).toEqual({ ok: true });
      await say('three');
      await say('four');
      expect(await socket.ask('sync', { chatId: tenant.chatId, afterSeq: 2 })).toMatchObject({ latestSeq: 4 });
      expect(socket.all('message')).toHaveLength(1);
    });

    it('followers see the visitor type', async () => {
      const visitor = await parley.connectVisitor(tenant.visitorToken);
      await visitor.ask('chat:open', { chatId: tenant.chatId });
      await socket.ask('chat:follow', { chatId: tenant.chatId });
      await visitor.ask('typing', { chatId: tenant.chatId, isTyping: true });
      expect(await socket.next('typing')).toMatchObject({ sender: { type: 'VISITOR', name: 'Vera' }, isTyping: true });
      await visitor.ask('message:send', { chatId: tenant.chatId, content: 'done' });
      expect(await socket.next('typing')).toMatchObject({ isTyping: false });
    });

    it('a chat that the agent may not see is not_found', async () => {
      const hidden = await newGroup('HR');
      await transfer({ targetGroupId: hidden });
      for (const [event, body] of Object.entries({
        'chat:follow': {},
        sync: { afterSeq: 0 },
        typing: { isTyping: true },
        read: { seq: 0 },
        'message:send': { content: 'hi' },
      })) {
        const answer = await socket.ask(event, { chatId: tenant.chatId, ...body });
        expect([event, answer.error?.code]).toEqual([event, 'not_found']);
      }
    });

    it('an agent can follow 20 chats at a time, and follow one of them again', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 21; count++) ids.push((await tenant.admin.post('/chats', {}).expect(201)).body.id);
      for (const chatId of ids.slice(0, 20))
        expect(await socket.ask('chat:follow', { chatId })).toMatchObject({ ok: true });
      expect(await socket.ask('chat:follow', { chatId: ids[0] })).toMatchObject({ ok: true });
      const more = await socket.ask('chat:follow', { chatId: ids[20] });
      expect(more).toMatchObject({ ok: false, error: { code: 'too_many' } });
      await socket.ask('chat:unfollow', { chatId: ids[3] });
      expect(await socket.ask('chat:follow', { chatId: ids[20] })).toMatchObject({ ok: true });
    });

    it('followers see who else is viewing the chat', async () => {
      const bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [groupId] });
      const other = await connect(bob);
      await socket.ask('chat:follow', { chatId: tenant.chatId });
      await other.ask('chat:follow', { chatId: tenant.chatId });
      const both = [
        { id: ada.id, name: 'Ada' },
        { id: bob.id, name: 'Bob' },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      await socket.until(() => socket.all('viewers').at(-1)?.agents.length === 2);
      expect(socket.all('viewers').at(-1)).toEqual({ chatId: tenant.chatId, agents: both });
      other.close();
      await socket.until(() => socket.all('viewers').at(-1)?.agents.length === 1);
    });
  });

  describe('rows', () => {
    it("rows of waiting chats in the agent's groups arrive, and once more when they stop waiting", async () => {
      await transfer();
      const waiting = await gets({ status: 'QUEUED', owner: 'QUEUE', group: { id: groupId }, assignedTo: null });
      const bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [groupId] });
      await bob.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      const taken = await gets({ owner: 'AGENT', assignedTo: { id: bob.id, name: 'Bob' } });
      expect(taken.rev).toBeGreaterThan(waiting.rev);
      const before = chats().length;
      await bob.client.post(`/chats/${tenant.chatId}/messages`, { content: 'mine now' }).expect(201);
      await bob.client.post(`/chats/${tenant.chatId}/release`, {}).expect(200);
      await gets({ owner: 'QUEUE' });
      expect(
        chats()
          .slice(before)
          .every(({ owner }) => owner === 'QUEUE'),
      ).toBe(true);
    });

    it('rows of chats created in the queue arrive', async () => {
      const people = await parley.createTenant({ hasBot: false });
      const [group] = (await people.admin.get('/groups').expect(200)).body.groups;
      const agent = await parley.signInAgent(people, { groupIds: [group.id] });
      const on = await connect(agent);
      const { body: chat } = await people.admin.post('/chats', {}).expect(201);
      await on.until(() => chats(on, chat.id).length > 0);
      expect(chats(on, chat.id)[0]).toMatchObject({ owner: 'QUEUE' });
    });

    it("rows of other groups don't arrive, and a chat that moves to one disappears", async () => {
      const hidden = await newGroup('HR');
      await transfer();
      const waiting = await gets({ owner: 'QUEUE' });
      await socket.ask('chat:follow', { chatId: tenant.chatId });
      await transfer({ targetGroupId: hidden });
      const gone = await gets({ isGone: true });
      expect(gone).toEqual({ id: tenant.chatId, rev: expect.any(Number), isGone: true });
      expect(gone.rev).toBeGreaterThan(waiting.rev);
      await say('a secret');
      const supervisor = await connect(await parley.signInAgent(tenant, { role: 'SUPERVISOR' }));
      await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: groupId }).expect(200);
      await gets({ owner: 'QUEUE' }, supervisor);
      await gets({ owner: 'QUEUE' });
      expect(socket.all('message').map(({ content }) => content)).not.toContain('a secret');
    });

    it('rows of chats with bots arrive for agents who watch that view', async () => {
      const bob = await connect(await parley.signInAgent(tenant, { groupIds: [groupId] }));
      expect(await socket.ask('view:watch', { view: 'BOT' })).toEqual({ ok: true });
      await say('hello');
      await gets({ owner: 'BOT', lastMessage: { content: 'hello' }, messageCount: 1 });
      await transfer();
      await gets({ owner: 'QUEUE' });
      await gets({ owner: 'QUEUE' }, bob);
      expect(chats(bob).every(({ owner }) => owner === 'QUEUE')).toBe(true);
    });

    it('rows of one chat arrive at most 4 times a second, with the latest state last', async () => {
      await transfer();
      await gets({ owner: 'QUEUE' });
      const before = chats().length;
      const startedAt = performance.now();
      for (let count = 0; count < 40; count++) await say(`message ${count}`);
      await gets({ lastMessage: { content: 'message 39' } });
      const seconds = (performance.now() - startedAt) / 1000;
      expect(chats().length - before).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1);
    });
  });

  describe("the agent's own chats", () => {
    it('an agent receives every message of their own chats without following, including the one at the claim', async () => {
      await transfer();
      await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      await gets({ owner: 'AGENT', assignedTo: { id: ada.id } });
      await socket.until(() => socket.all('message').length > 0);
      expect(socket.all('message').at(-1)).toMatchObject({
        content: 'Ada joined the chat',
        sender: { type: 'SYSTEM' },
      });
      const visitor = await parley.connectVisitor(tenant.visitorToken);
      await visitor.ask('message:send', { chatId: tenant.chatId, content: 'help' });
      expect(await socket.next('message')).toBeDefined();
      await socket.until(() => socket.all('message').at(-1).content === 'help');
      await gets({ isUnread: true, lastMessage: { content: 'help' } });
    });

    it("a socket that connects later receives messages of the agent's chats", async () => {
      await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      const later = await connect(ada);
      await say('still here');
      // The claim's own message may come before it.
      await later.until(() => later.all('message').some(({ content }) => content === 'still here'));
    });

    it('message:send stores a message, and a retry returns the same message', async () => {
      await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      const body = { chatId: tenant.chatId, content: 'Hi, I am Ada', clientMessageId: 'one' };
      const { message } = await socket.ask('message:send', body);
      expect(message).toMatchObject({ sender: { type: 'AGENT', id: ada.id, name: 'Ada' }, content: 'Hi, I am Ada' });
      expect(await socket.ask('message:send', body)).toEqual({ ok: true, message });
      const { body: again } = await ada.client
        .post(`/chats/${tenant.chatId}/messages`, { content: 'Hi, I am Ada', clientMessageId: 'one' })
        .expect(201);
      expect(again.message.id).toBe(message.id);
    });

    it("an agent can't write into another agent's chat", async () => {
      const bob = await connect(await parley.signInAgent(tenant, { groupIds: [groupId] }));
      await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      expect(await bob.ask('message:send', { chatId: tenant.chatId, content: 'me too' })).toMatchObject({
        ok: false,
        error: { code: 'not_assigned' },
      });
    });

    it('read marks are shared by all agents', async () => {
      await say();
      expect(await socket.ask('read', { chatId: tenant.chatId, seq: 2 })).toMatchObject({
        error: { code: 'validation_failed', errors: [{ pointer: '/seq' }] },
      });
      expect(await socket.ask('read', { chatId: tenant.chatId, seq: 1 })).toEqual({ ok: true });
      const { body } = await ada.client.get(`/chats/${tenant.chatId}`).expect(200);
      expect(body.read).toEqual({ visitor: 0, organization: 1, agents: 1 });
    });

    it('messages stop when the agent loses the permission', async () => {
      await transfer();
      await gets({ owner: 'QUEUE' });
      await socket.ask('chat:follow', { chatId: tenant.chatId });
      await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [] }).expect(200);
      await gets({ isGone: true });
      await say('not for her');
      const bob = await connect(await parley.signInAgent(tenant, { groupIds: [groupId] }));
      await say('for Bob');
      await gets({ lastMessage: { content: 'for Bob' } }, bob);
      expect(socket.all('message')).toEqual([]);
    });
  });

  it("typing reaches colleagues, the visitor only from the chat's agent, and none of the sender's own sockets", async () => {
    const bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [groupId] });
    const other = await connect(bob);
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    for (const on of [socket, other]) await on.ask('chat:follow', { chatId: tenant.chatId });
    await other.ask('typing', { chatId: tenant.chatId, isTyping: true });
    expect(await socket.next('typing')).toMatchObject({ sender: { type: 'AGENT', id: bob.id }, isTyping: true });
    await socket.ask('typing', { chatId: tenant.chatId, isTyping: true });
    expect(await visitor.next('typing')).toMatchObject({ sender: { type: 'AGENT', id: ada.id } });
    expect(await other.next('typing')).toMatchObject({ sender: { id: ada.id } });
    expect(visitor.all('typing')).toHaveLength(1);
    expect(socket.all('typing')).toHaveLength(1);
  });
});
