import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ThisNode } from '../../src/platform/cluster/this-node.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { RedisServer } from '../support/redis.js';
import type { VisitorSocket } from '../support/visitor.js';
import { startNodes } from './support/nodes.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('agents on several nodes', () => {
  let redis: RedisServer;
  let here: Parley;
  let there: Parley;
  let tenant: Tenant;
  let groupId: string;
  let ada: SignedInAgent;
  let bob: SignedInAgent;

  beforeAll(async () => {
    redis = await RedisServer.start();
    [here, there] = (await startNodes(redis, {}, undefined, 2)) as [Parley, Parley];
    // Rows that arrive in time came through Redis.
    for (const node of [here, there]) Object.assign(node.app.get(Timings), { agents: 600_000, seqHints: 600_000 });
  });
  afterAll(async () => {
    for (const node of [there, here]) await node.stop();
    await redis.kill();
  });
  beforeEach(async () => {
    tenant = await here.createTenant();
    groupId = await defaultGroupOf(tenant);
    ada = await here.signInAgent(tenant, { name: 'Ada', groupIds: [groupId] });
    bob = await here.signInAgent(tenant, { name: 'Bob', groupIds: [groupId] });
  });

  const connect = async (node: Parley, agent: SignedInAgent): Promise<VisitorSocket> => {
    const socket = await node.connectAgent(agent.token);
    await eventually(
      () => redis.channels(),
      (channels) => channels.includes(`parley:agents:${tenant.id}`),
    );
    return socket;
  };
  const say = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const transfer = () => tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
  const row = (socket: VisitorSocket, holds: (row: any) => boolean) =>
    socket.until(() => socket.all('chat').some(holds));

  it('nodes with agents are known from their start, so even a node without agents announces its last changes', async () => {
    const ids = [here, there].map(({ app }) => app.get(ThisNode).id).toSorted();
    await eventually(
      () => here.query<{ id: string }>('SELECT id FROM nodes ORDER BY id COLLATE "C"'),
      (nodes) => JSON.stringify(nodes.map(({ id }) => id)) === JSON.stringify(ids),
    );
  });

  it('agents get rows, messages, and offers that another node caused', async () => {
    const socket = await connect(there, ada);
    await transfer();
    await row(socket, ({ owner }) => owner === 'QUEUE');
    await say('are you there?');
    await row(socket, ({ lastMessage }) => lastMessage?.content === 'are you there?');
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await row(socket, ({ assignedTo }) => assignedTo?.id === ada.id);
    await say('thank you');
    await socket.until(() => socket.all('message').some(({ content }) => content === 'thank you'));
  });

  it('agents get offers of chats from another node', async () => {
    await tenant.admin.patch(`/groups/${groupId}`, { routing: 'OFFER' }).expect(200);
    const socket = await connect(there, ada);
    await transfer();
    const offer = await socket.next('offer');
    expect(offer).toEqual({
      id: expect.stringMatching(/^off_/),
      chat: expect.objectContaining({
        id: tenant.chatId,
        owner: 'QUEUE',
        offer: { agentId: ada.id, expiresAt: offer.expiresAt },
      }),
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await ada.client.post(`/offers/${offer.id}/decline`, {}).expect(204);
    expect(await socket.next('offer:ended')).toEqual({ id: offer.id, reason: 'DECLINED' });
  });

  it("agents on different nodes see each other's presence, typing, and viewing", async () => {
    const one = await connect(here, ada);
    const two = await connect(there, bob);
    await one.until(() =>
      one.all('presence').some(({ agentId, presence }) => agentId === bob.id && presence === 'ONLINE'),
    );
    await one.ask('chat:follow', { chatId: tenant.chatId });
    const { chat } = await two.ask('chat:follow', { chatId: tenant.chatId });
    const both = [
      { id: ada.id, name: 'Ada' },
      { id: bob.id, name: 'Bob' },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(chat.viewers).toEqual(both);
    await one.until(() => one.all('viewers').at(-1)?.agents.length === 2);
    await two.ask('typing', { chatId: tenant.chatId, isTyping: true });
    expect(await one.next('typing')).toMatchObject({ sender: { id: bob.id }, isTyping: true });
    const visitor = await here.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    await visitor.ask('typing', { chatId: tenant.chatId, isTyping: true });
    await two.until(() => two.all('typing').some(({ sender }) => sender.type === 'VISITOR'));
    visitor.close();
    await two.until(() => two.all('typing').some(({ sender, isTyping }) => sender.type === 'VISITOR' && !isTyping));
    two.close();
    await one.until(() => one.all('viewers').at(-1)?.agents.length === 1);
  });

  it('agents lose and get permissions immediately on every node', async () => {
    const socket = await connect(there, ada);
    await socket.ask('chat:follow', { chatId: tenant.chatId });
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [] }).expect(200);
    await row(socket, ({ isGone }) => isGone);
    await say('a secret');
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [groupId] }).expect(200);
    await socket.ask('chat:follow', { chatId: tenant.chatId });
    await say('welcome');
    await socket.until(() => socket.all('message').length > 0);
    expect(socket.all('message').map(({ content }) => content)).toEqual(['welcome']);
  });

  it('agents get no message of a chat that left their groups on another node', async () => {
    const { body: hidden } = await tenant.admin.post('/groups', { name: 'HR' }).expect(201);
    const socket = await connect(there, ada);
    await socket.ask('chat:follow', { chatId: tenant.chatId });
    await say('before');
    await row(socket, ({ lastMessage }) => lastMessage?.content === 'before');
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: hidden.id }).expect(200);
    await say('a secret');
    await row(socket, ({ isGone }) => isGone);
    expect(socket.all('message').map(({ content }) => content)).toEqual(['before']);
  });

  it('agents are signed out on every node', async () => {
    const socket = await connect(there, ada);
    const closed = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    await ada.client.delete('/session').expect(204);
    await closed;
    expect(socket.all('session:ended')).toEqual([{ reason: 'SIGNED_OUT' }]);
  });

  it("agents get inbox:stale when Redis goes down and when it's back", async () => {
    const socket = await connect(there, ada);
    const stale = () => socket.all('inbox:stale').length;
    const before = stale();
    await redis.kill();
    await socket.until(() => stale() > before);
    await transfer();
    const during = stale();
    await redis.restart();
    await socket.until(() => stale() > during);
    await row(socket, ({ owner }) => owner === 'QUEUE');
  });
});
