import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { at, makeChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';
import { movedBySeconds } from '../support/times.js';

describe("a supervisor's board", () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;
  let ada: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [group], capacity: 4 });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });

  const team = async ({ client } = sue) => (await client.get('/team').expect(200)).body;
  const person = async (id = ada.id) => (await team()).agents.find((one: { id: string }) => one.id === id);
  const since = async (id = ada.id) => Date.parse((await person(id)).presenceSince);
  const queues = async () => (await sue.client.get('/team/groups').expect(200)).body;
  const ownChat = (columns: object = {}, agent = ada) =>
    makeChat(parley, tenant, { status: 'ACTIVE', agent_id: agent.id, group_id: group, ...columns });

  it('the board names each person with presence, load, and the oldest unanswered chat', async () => {
    await ownChat({ waiting_since: at(9) });
    const oldest = await ownChat({ waiting_since: at(5) });
    await ownChat();
    // An ended chat, and one that someone else has.
    await makeChat(parley, tenant, { status: 'CLOSED', last_agent_id: ada.id, group_id: group, waiting_since: at(1) });
    await ownChat({ waiting_since: at(2) }, sue);
    // These rows went around the counters, which nodes correct from time to time.
    await parley.query('UPDATE agents SET open_chats = 3 WHERE id = $1', [ada.id]);
    const { agents, nextCursor } = await team();
    expect(nextCursor).toBeNull();
    expect(agents).toHaveLength(2);
    expect(agents.find(({ id }: { id: string }) => id === ada.id)).toEqual({
      id: ada.id,
      name: 'Ada',
      avatarUrl: null,
      role: 'AGENT',
      groupIds: [group],
      presence: 'OFFLINE',
      pauseReason: null,
      presenceSince: null,
      openChats: 3,
      capacity: 4,
      oldestUnanswered: {
        chatId: oldest,
        visitor: { id: expect.stringMatching(/^vis_/), name: 'Vera', email: null },
        waitingSince: at(5),
        lateAt: new Date(Date.parse(at(5)) + 300_000).toISOString(),
      },
    });
    await tenant.admin.patch('', { lateAfterSeconds: 86_401 }).expect(400);
    await tenant.admin.patch('', { lateAfterSeconds: 0 }).expect(400);
    await tenant.admin.patch('', { lateAfterSeconds: 30 }).expect(200);
    const { lateAt } = (await person()).oldestUnanswered;
    expect(Date.parse(lateAt) - Date.parse(at(5))).toBe(30_000);
  });

  it('the board says since when a person is online, paused, and offline', async () => {
    const socket = await parley.connectAgent(ada.token);
    const online = await since();
    expect(await person()).toMatchObject({ presence: 'ONLINE' });
    expect(Math.abs(Date.now() - online)).toBeLessThan(60_000);
    await parley.query(`UPDATE agents SET presence_at = ${movedBySeconds('presence_at', -600)} WHERE id = $1`, [
      ada.id,
    ]);
    // A second tab changes nothing.
    await parley.connectAgent(ada.token);
    expect(await since()).toBe(online - 600_000);
    // Saying the same again isn't a change either.
    await ada.client.put('/presence', { isAccepting: true }).expect(200);
    expect(await since()).toBe(online - 600_000);
    await ada.client.put('/presence', { isAccepting: false, reason: 'LUNCH' }).expect(200);
    expect(await person()).toMatchObject({ presence: 'PAUSED', pauseReason: 'LUNCH' });
    expect(await since()).toBeGreaterThan(online);
    socket.close();
    await ada.client.delete('/session').expect(204);
    await eventually(person, ({ presence }) => presence === 'OFFLINE');
    const [row] = await parley.query('SELECT last_online_at FROM agents WHERE id = $1', [ada.id]);
    expect(await since()).toBe((row!.last_online_at as Date).getTime());
  });

  it('the board says how many chats wait in each group, and which waits longest', async () => {
    const { body: sales } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    await makeChat(parley, tenant, { status: 'QUEUED', group_id: sales.id, queued_at: at(9) });
    const longest = await makeChat(parley, tenant, { status: 'QUEUED', group_id: sales.id, queued_at: at(5) });
    const groups = await queues();
    expect(groups).toHaveLength(2);
    expect(groups.find(({ id }: { id: string }) => id === sales.id)).toEqual({
      id: sales.id,
      name: 'Sales',
      onlineAgents: 0,
      waitingChats: 2,
      isOpen: true,
      maxWaitSeconds: expect.any(Number),
      longestWaiting: {
        chatId: longest,
        visitor: { id: expect.stringMatching(/^vis_/), name: 'Vera', email: null },
        queuedAt: at(5),
      },
    });
    expect(groups.find(({ id }: { id: string }) => id === group)).toMatchObject({
      waitingChats: 0,
      longestWaiting: null,
    });
  });

  it('the board is read in pages', async () => {
    const { body: first } = await sue.client.get('/team?limit=1').expect(200);
    expect(first.agents).toHaveLength(1);
    const { body: second } = await sue.client.get(`/team?limit=1&cursor=${first.nextCursor}`).expect(200);
    expect(second.nextCursor).toBeNull();
    expect(new Set([...first.agents, ...second.agents].map(({ id }: { id: string }) => id))).toEqual(
      new Set([ada.id, sue.id]),
    );
  });

  it('the board is for supervisors and administrators', async () => {
    const ida = await parley.signInAgent(tenant, { role: 'ADMIN' });
    for (const path of ['/team', '/team/groups']) {
      await ida.client.get(path).expect(200);
      await parley.agent().get(path).expect(401);
      const { body } = await ada.client.get(path).expect(403);
      expect(body.code).toBe('forbidden');
    }
  });

  it('the board has no one and nothing of another organization', async () => {
    await ownChat({ waiting_since: at(5) });
    await makeChat(parley, tenant, { status: 'QUEUED', group_id: group, queued_at: at(5) });
    const other = await parley.createTenant();
    const eve = await parley.signInAgent(other, { name: 'Eve', role: 'SUPERVISOR' });
    expect((await team(eve)).agents).toEqual([expect.objectContaining({ id: eve.id, oldestUnanswered: null })]);
    const { body: groups } = await eve.client.get('/team/groups').expect(200);
    expect(groups).toEqual([expect.objectContaining({ id: await defaultGroupOf(other), longestWaiting: null })]);
    // A position in the list of the one organization is no way into it from the other.
    const { body: page } = await sue.client.get('/team?limit=1').expect(200);
    const { body: read } = await eve.client.get(`/team?cursor=${page.nextCursor}`).expect(200);
    for (const { id } of read.agents) expect(id).toBe(eve.id);
  });
});
