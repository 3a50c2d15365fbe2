import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ThisNode } from '../../src/platform/cluster/this-node.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('two nodes without Redis', () => {
  let here: Parley;
  let there: Parley;
  let tenant: Tenant;
  let groupId: string;
  let ada: SignedInAgent;
  let socket: VisitorSocket;

  beforeAll(async () => {
    here = await Parley.start();
    there = await Parley.start({}, here.databaseUrl);
    Object.assign(there.app.get(Timings), { agents: 100, seqHints: 100 });
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
  });
  beforeEach(async () => {
    tenant = await here.createTenant();
    groupId = await defaultGroupOf(tenant);
    ada = await here.signInAgent(tenant, { groupIds: [groupId] });
    socket = await there.connectAgent(ada.token);
  });

  const say = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const row = (holds: (row: any) => boolean) => socket.until(() => socket.all('chat').some(holds));

  it('rows of chats that start or stop waiting on another node arrive', async () => {
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await row(({ owner }) => owner === 'QUEUE');
    await say('are you there?');
    await row(({ lastMessage }) => lastMessage?.content === 'are you there?');
    const bob = await here.signInAgent(tenant, { groupIds: [groupId] });
    await bob.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await row(({ assignedTo }) => assignedTo?.id === bob.id);
  });

  it('messages of assigned and followed chats arrive from another node', async () => {
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await row(({ assignedTo }) => assignedTo?.id === ada.id);
    await say('one');
    await socket.until(() => socket.all('message').some(({ content }) => content === 'one'));
    const { body: other } = await tenant.admin.post('/chats', {}).expect(201);
    await socket.ask('chat:follow', { chatId: other.id });
    await tenant.bot.post('/messages', { chatId: other.id, content: 'two' }).expect(200);
    await socket.until(() => socket.all('message').some(({ content }) => content === 'two'));
  });

  it('offers and their ends arrive from another node', async () => {
    await tenant.admin.patch(`/groups/${groupId}`, { routing: 'OFFER' }).expect(200);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    const offer = await socket.next('offer');
    expect(offer).toMatchObject({ chat: { id: tenant.chatId, offer: { agentId: ada.id } } });
    const { body } = await ada.client.get('/offers').expect(200);
    expect(body.offers).toMatchObject([{ id: offer.id, expiresAt: offer.expiresAt }]);
    await ada.client.post(`/offers/${offer.id}/decline`, {}).expect(204);
    expect(await socket.next('offer:ended')).toEqual({ id: offer.id, reason: 'DECLINED' });
    // Each arrived once.
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await row(({ assignedTo }) => assignedTo?.id === ada.id);
    expect([socket.all('offer'), socket.all('offer:ended')].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('chats that were moved out of sight or erased on another node disappear', async () => {
    const { body: hidden } = await tenant.admin.post('/groups', { name: 'HR' }).expect(201);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await row(({ owner }) => owner === 'QUEUE');
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: hidden.id }).expect(200);
    await row(({ isGone }) => isGone);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: groupId }).expect(200);
    await socket.until(() => socket.all('chat').at(-1).owner === 'QUEUE');
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`);
    await socket.until(() => socket.all('chat').at(-1).isGone === true);
  });

  it('presence of colleagues and lost groups arrive from another node', async () => {
    const bob = await here.signInAgent(tenant, { groupIds: [groupId] });
    await here.connectAgent(bob.token);
    await socket.until(() =>
      socket.all('presence').some(({ agentId, presence }) => agentId === bob.id && presence === 'ONLINE'),
    );
    await bob.client.put('/presence', { isAccepting: false }).expect(200);
    await socket.until(() => socket.all('presence').some(({ presence }) => presence === 'PAUSED'));
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await row(({ owner }) => owner === 'QUEUE');
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [] }).expect(200);
    await row(({ isGone }) => isGone);
  });

  it("agents' lists are refreshed after another node crashes, because its last changes weren't announced", async () => {
    // As if it had run for longer.
    there.app.get(ThisNode).settlingMs = 0;
    await here.query(
      `INSERT INTO nodes (id, started_at, seen_at) VALUES ('killed', now(), now() + interval '1 minute')`,
    );
    const beatAt = async () => {
      const [node] = await here.query<{ at: Date }>('SELECT seen_at AS at FROM nodes WHERE id = $1', [
        there.app.get(ThisNode).id,
      ]);
      return node!.at;
    };
    const before = await beatAt();
    await eventually(beatAt, (at) => at > before);
    const told = () => socket.all('inbox:stale').length;
    expect(told()).toBe(1);
    await here.query(`UPDATE nodes SET seen_at = now() - interval '15 s' WHERE id = 'killed'`);
    await socket.until(() => told() === 2);
    const after = await beatAt();
    await eventually(beatAt, (at) => at > after);
    expect(told()).toBe(2);
  });

  it('sessions that ended on another node are closed', async () => {
    const closed = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    await ada.client.delete('/session').expect(204);
    await closed;
    expect(socket.all('session:ended')).toEqual([{ reason: 'SIGNED_OUT' }]);
  });
});
