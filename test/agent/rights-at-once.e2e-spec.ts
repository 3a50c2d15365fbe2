import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentChats } from '../../src/live/agent-state/agent-chats.js';
import { AgentPermissions } from '../../src/live/agent-state/agent-permissions.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { makeChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('lost permissions', () => {
  let parley: Parley;
  let tenant: Tenant;
  let groupId: string;
  let hidden: string;
  let ada: SignedInAgent;
  let ben: SignedInAgent;
  let socket: VisitorSocket;

  beforeAll(async () => {
    parley = await Parley.start();
    // The comparison with the database would find it too, later.
    parley.app.get(Timings).agents = 600_000;
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    groupId = await defaultGroupOf(tenant);
    hidden = await newGroup('HR');
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [groupId] });
    ben = await parley.signInAgent(tenant, { name: 'Ben', groupIds: [hidden] });
    socket = await connect(ada);
  });

  const newGroup = async (name: string) => (await tenant.admin.post('/groups', { name }).expect(201)).body.id as string;
  const connect = (agent: SignedInAgent): Promise<VisitorSocket> => parley.connectAgent(agent.token);
  const say = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const transfer = (targetGroupId = groupId) =>
    tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId }).expect(200);
  const claim = (agent: SignedInAgent) => agent.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
  const change = (agent: SignedInAgent, body: object) => tenant.admin.patch(`/agents/${agent.id}`, body).expect(200);
  const follow = (on = socket) => on.ask('chat:follow', { chatId: tenant.chatId });
  // What the service sent to a socket before this response has arrived before it.
  const settle = (on = socket) => on.ask('sync', { chatId: 'cht_unknown', afterSeq: 0 });
  const contents = (on = socket) => on.all('message').map(({ content }) => content);
  const rows = (on = socket, chatId = tenant.chatId) => on.all('chat').filter(({ id }) => id === chatId);

  describe('take effect when the change of an agent is answered', () => {
    it('an agent who left the group gets no message and no typing, and the chat disappears', async () => {
      const visitor = await parley.connectVisitor(tenant.visitorToken);
      await visitor.ask('chat:open', { chatId: tenant.chatId });
      await follow();
      await say('before');
      await change(ada, { groupIds: [] });
      await say('a secret');
      await visitor.ask('typing', { chatId: tenant.chatId, isTyping: true });
      await settle();
      expect(contents()).toEqual(['before']);
      expect(socket.all('typing')).toEqual([]);
      expect(rows().at(-1)).toMatchObject({ isGone: true });
      expect(await follow()).toMatchObject({ error: { code: 'not_found' } });
    });

    it('a supervisor who becomes an agent loses the chats of other groups', async () => {
      const chief = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
      const on = await connect(chief);
      await follow(on);
      await change(chief, { role: 'AGENT' });
      await say('a secret');
      await settle(on);
      expect(contents(on)).toEqual([]);
    });

    it('an agent who loses a chat with its group loses it on every socket', async () => {
      const other = await connect(ada);
      await claim(ada);
      await socket.until(() => rows().some(({ assignedTo }) => assignedTo?.id === ada.id));
      await change(ada, { groupIds: [hidden] });
      await say('a secret');
      for (const on of [socket, other]) {
        await settle(on);
        expect(contents(on)).not.toContain('a secret');
      }
    });

    it('chats that the agent may see from now on arrive', async () => {
      await transfer(hidden);
      expect(await follow()).toMatchObject({ error: { code: 'not_found' } });
      await change(ada, { groupIds: [groupId, hidden] });
      await socket.until(() => socket.all('inbox:stale').length > 1);
      expect(await follow()).toMatchObject({ ok: true });
      await say('welcome');
      await socket.until(() => contents().includes('welcome'));
    });

    it('the last of several changes of permissions applies', async () => {
      await follow();
      await Promise.all([hidden, groupId, hidden, groupId].map((id) => change(ada, { groupIds: [id] })));
      await change(ada, { groupIds: [groupId] });
      await eventually(
        () => parley.app.get(AgentPermissions).rightsOf({ organizationId: tenant.id, agentId: ada.id }),
        (rights) => rights!.groupIds.size === 1 && rights!.groupIds.has(groupId),
      );
      expect(await follow()).toMatchObject({ ok: true });
    });
  });

  describe('take effect when a chat has moved', () => {
    it('an agent who transferred a chat to another group loses it', async () => {
      await claim(ada);
      await say('hand over');
      await socket.until(() => contents().includes('hand over'));
      await ada.client.post(`/chats/${tenant.chatId}/transfer`, { groupId: hidden }).expect(200);
      await claim(ben);
      await say('a secret');
      await socket.until(() => rows().at(-1).isGone === true);
      await settle();
      const own = ['Ada joined the chat', 'hand over'];
      expect(contents().filter((content) => !own.includes(content))).toEqual([]);
    });

    it('followers stop following a chat that leaves, even if it comes back immediately', async () => {
      const other = await connect(ben);
      await follow();
      await say('before');
      await socket.until(() => rows().at(-1)?.lastMessage?.content === 'before');
      await transfer(hidden);
      await say('a secret');
      await transfer(groupId);
      await socket.until(() => rows().at(-1).owner === 'QUEUE');
      expect(rows().some(({ isGone }) => isGone)).toBe(true);
      await say('after');
      await settle();
      expect(contents()).toEqual(['before']);
      await settle(other);
      expect(contents(other)).toEqual([]);
      expect(await follow()).toMatchObject({ ok: true });
    });

    it('followers of a chat in a deleted group stop following it', async () => {
      await transfer(hidden);
      const other = await connect(ben);
      await follow(other);
      await tenant.admin.delete(`/groups/${hidden}`).expect(204);
      await say('a secret');
      await other.until(() => rows(other).at(-1)?.isGone === true);
      await settle(other);
      expect(contents(other)).not.toContain('a secret');
    });
  });

  describe('a watched view', () => {
    it('a watched view sends nothing of chats in other groups', async () => {
      const on = await connect(ben);
      const chief = await connect(await parley.signInAgent(tenant, { role: 'SUPERVISOR' }));
      for (const view of ['OPEN', 'BOT', 'CLOSED']) {
        for (const watching of [on, chief]) await watching.ask('view:watch', { view });
        const chatId = await makeChat(parley, tenant);
        for (const status of ['CLOSED', 'ACTIVE', 'ARCHIVED'])
          await tenant.admin.patch(`/chats/${chatId}`, { status }).expect(200);
        await chief.until(() => rows(chief, chatId).some(({ status }) => status === 'ARCHIVED'));
        await settle(on);
        expect([view, rows(on, chatId)]).toEqual([view, []]);
      }
    });

    it('a watched view removes a chat when its group is deleted or its visitor erased', async () => {
      // They were never in another group.
      const there = { group_id: hidden };
      const [moved, erased] = [await makeChat(parley, tenant, there), await makeChat(parley, tenant, there)];
      for (const chatId of [moved, erased]) {
        await ben.client.post(`/chats/${chatId}/claim`, {}).expect(200);
      }
      const colleague = await parley.signInAgent(tenant, { groupIds: [hidden] });
      const on = await connect(colleague);
      await on.ask('view:watch', { view: 'OPEN' });
      await socket.ask('view:watch', { view: 'OPEN' });
      const { body } = await tenant.admin.get(`/chats/${erased}`).expect(200);
      await tenant.admin.delete(`/visitors/${body.visitor.id}`).expect(204);
      await on.until(() => rows(on, erased).at(-1)?.isGone === true);
      await tenant.admin.delete(`/groups/${hidden}`).expect(204);
      await on.until(() => rows(on, moved).at(-1)?.isGone === true);
      await socket.until(() => rows(socket, moved).length > 0);
      expect(rows(socket, erased)).toEqual([]);
    });
  });

  describe("a node's memory", () => {
    const remembered = () => parley.app.get(AgentChats).of(tenant.id);
    const forgets = () => eventually(remembered, (places) => places.length === 0);

    it('a node forgets a chat that has ended', async () => {
      await transfer();
      await claim(ada);
      await socket.until(() => rows().some(({ owner }) => owner === 'AGENT'));
      expect(remembered()).toHaveLength(1);
      await ada.client.post(`/chats/${tenant.chatId}/close`, {}).expect(200);
      await forgets();
    });

    it('a node forgets a chat that no one follows anymore', async () => {
      await follow();
      expect(remembered()).toHaveLength(1);
      await socket.ask('chat:unfollow', { chatId: tenant.chatId });
      await forgets();
      await connect(ada);
      await follow();
      socket.close();
      await forgets();
    });

    it('a node forgets an organization whose handshake failed', async () => {
      const other = await parley.createTenant();
      const agent = await parley.signInAgent(other);
      await parley.query('ALTER TABLE agent_connections ADD CONSTRAINT refusing CHECK (false) NOT VALID');
      await expect(parley.connectAgent(agent.token)).rejects.toThrow();
      await parley.query('ALTER TABLE agent_connections DROP CONSTRAINT refusing');
      const rights = () => parley.app.get(AgentPermissions).rightsOf({ organizationId: other.id, agentId: agent.id });
      expect(rights()).toBeUndefined();
      await connect(agent);
      expect(rights()).toBeDefined();
    });
  });

  it('every action on a lost chat is 404, even after the chat’s visitor was erased', async () => {
    await transfer(hidden);
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    for (const agent of [ada, ben]) {
      for (const action of ['claim', 'release', 'return', 'close', 'reopen']) {
        const { status } = await agent.client.post(`/chats/${tenant.chatId}/${action}`, {});
        expect([action, status]).toEqual([action, 404]);
      }
    }
  });
});
