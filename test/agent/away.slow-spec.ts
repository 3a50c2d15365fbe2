import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { movedBySeconds } from '../support/times.js';

describe('pauses with a reason, and idle agents', () => {
  let parley: Parley;
  let other: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let ben: SignedInAgent;

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
    ada = await parley.signInAgent(tenant);
    ben = await parley.signInAgent(tenant, { name: 'Ben' });
  });

  const wantAway = (awayAfterMinutes = 10) => tenant.admin.patch('', { awayAfterMinutes }).expect(200);
  /** Ada's last input was so long ago. */
  const rest = (minutes: number) =>
    parley.query(`UPDATE agents SET active_at = now() - make_interval(mins => $2) WHERE id = $1`, [ada.id, minutes]);
  const seen = async () => {
    const { agents } = (await ben.client.get('/agents').expect(200)).body;
    const { presence, pauseReason } = agents.find(({ id }: { id: string }) => id === ada.id);
    return [presence, pauseReason];
  };
  const own = async () => {
    const { presence, isAccepting, pauseReason } = (await ada.client.get('/session').expect(200)).body.agent;
    return { presence, isAccepting, pauseReason };
  };
  const becomesAway = () => until('Ada is AWAY', async () => (await seen())[1] === 'AWAY');
  /** Every agent of another tenant whose time is up was found, and so were all whose time was up before. */
  const sweep = async () => {
    const another = await parley.createTenant();
    const eve = await parley.signInAgent(another);
    await parley.connectAgent(eve.token);
    await another.admin.patch('', { awayAfterMinutes: 1 }).expect(200);
    await parley.query(`UPDATE agents SET active_at = now() - interval '2 minutes' WHERE id = $1`, [eve.id]);
    const reason = async () => (await eve.client.get('/session').expect(200)).body.agent.pauseReason;
    await until('the sweep has run', async () => (await reason()) === 'AWAY');
  };

  it('colleagues see why an agent pauses, live and when they read it', async () => {
    await parley.connectAgent(ada.token);
    const watcher = await parley.connectAgent(ben.token);
    const { body } = await ada.client.put('/presence', { isAccepting: false, reason: 'LUNCH' }).expect(200);
    expect(body).toEqual({ isAccepting: false, presence: 'PAUSED', reason: 'LUNCH' });
    await watcher.until(() => watcher.all('presence').some(({ reason }) => reason === 'LUNCH'));
    expect(await seen()).toEqual(['PAUSED', 'LUNCH']);
    await ada.client.put('/presence', { isAccepting: false, reason: 'MEETING' }).expect(200);
    await watcher.until(() => watcher.all('presence').some(({ reason }) => reason === 'MEETING'));
    await ada.client.put('/presence', { isAccepting: false }).expect(200);
    expect(await seen()).toEqual(['PAUSED', null]);
    await ada.client.put('/presence', { isAccepting: true }).expect(200);
    expect(await own()).toEqual({ presence: 'ONLINE', isAccepting: true, pauseReason: null });
  });

  it('a reason is one of the list, and comes with a pause only', async () => {
    const errors = async (body: object) => (await ada.client.put('/presence', body).expect(400)).body.errors;
    expect(await errors({ isAccepting: false, reason: 'AWAY' })).toEqual([
      { pointer: '/reason', detail: 'must be one of BREAK, LUNCH, MEETING' },
    ]);
    expect(await errors({ isAccepting: true, reason: 'LUNCH' })).toEqual([
      { pointer: '/reason', detail: 'needs isAccepting: false' },
    ]);
    await ada.client.put('/presence', { isAccepting: true, reason: null }).expect(200);
  });

  it('the minutes until an agent becomes AWAY are 0 to 480', async () => {
    for (const awayAfterMinutes of [-1, 481, 1.5, '10']) {
      const { body } = await tenant.admin.patch('', { awayAfterMinutes }).expect(400);
      expect(body.errors).toEqual([expect.objectContaining({ pointer: '/awayAfterMinutes' })]);
    }
    expect((await tenant.admin.patch('', { awayAfterMinutes: 10 }).expect(200)).body.awayAfterMinutes).toBe(10);
  });

  it('without the setting, no agent is ever away', async () => {
    await parley.connectAgent(ada.token);
    await rest(600);
    await sweep();
    expect(await own()).toEqual({ presence: 'ONLINE', isAccepting: true, pauseReason: null });
  });

  it('an agent becomes AWAY after so many minutes without input, and ONLINE with the next input', async () => {
    await wantAway();
    const socket = await parley.connectAgent(ada.token);
    const watcher = await parley.connectAgent(ben.token);
    await rest(9);
    await sweep();
    expect(await seen()).toEqual(['ONLINE', null]);
    await rest(10);
    await watcher.until(() => watcher.all('presence').some(({ reason }) => reason === 'AWAY'));
    expect(await own()).toEqual({ presence: 'PAUSED', isAccepting: true, pauseReason: 'AWAY' });
    expect(await socket.ask('input', {})).toEqual({ ok: true });
    await watcher.until(() => watcher.all('presence').at(-1).presence === 'ONLINE');
    expect(await own()).toEqual({ presence: 'ONLINE', isAccepting: true, pauseReason: null });
  });

  it('input in one of two tabs, on another node, keeps the agent online', async () => {
    await wantAway();
    await parley.connectAgent(ada.token);
    const elsewhere = await other.connectAgent(ada.token);
    await rest(60);
    await elsewhere.ask('input', {});
    await sweep();
    expect(await seen()).toEqual(['ONLINE', null]);
  });

  it("a reconnect doesn't end AWAY, and choosing a status does", async () => {
    await wantAway();
    const socket = await parley.connectAgent(ada.token);
    await rest(10);
    await becomesAway();
    socket.close();
    await other.connectAgent(ada.token);
    expect(await seen()).toEqual(['PAUSED', 'AWAY']);
    await ada.client.put('/presence', { isAccepting: true }).expect(200);
    expect(await seen()).toEqual(['ONLINE', null]);
  });

  it('an agent who connects has the whole time again, and one who paused is not away', async () => {
    await wantAway();
    await rest(600);
    await parley.connectAgent(ada.token);
    await sweep();
    expect(await seen()).toEqual(['ONLINE', null]);
    await ada.client.put('/presence', { isAccepting: false, reason: 'BREAK' }).expect(200);
    await rest(600);
    await sweep();
    expect(await seen()).toEqual(['PAUSED', 'BREAK']);
  });

  it('an offer of an agent who goes away is withdrawn, and routing gives them a chat again when they are back', async () => {
    await wantAway();
    const { id: group } = (await tenant.admin.post('/groups', { name: 'Sales', routing: 'OFFER' }).expect(201)).body;
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [group] }).expect(200);
    const socket = await parley.connectAgent(ada.token);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: group }).expect(200);
    await socket.next('offer');
    await rest(10);
    expect(await socket.next('offer:ended')).toMatchObject({ reason: 'WITHDRAWN' });
    const availability = async () => (await tenant.bot.get('/groups/availability').expect(200)).body;
    expect(await availability()).toContainEqual(
      expect.objectContaining({ groupId: group, availability: 'OFFLINE', onlineAgents: 0 }),
    );
    await tenant.admin.patch(`/groups/${group}`, { routing: 'AUTOMATIC' }).expect(200);
    await parley.query(
      `UPDATE chat_offers SET created_at = ${movedBySeconds('created_at', -3600)} WHERE agent_id = $1`,
      [ada.id],
    );
    await socket.ask('input', {});
    const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.assignedTo?.id;
    await until('Ada has the chat', async () => (await owner()) === ada.id);
  });
});
