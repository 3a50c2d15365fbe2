import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { Connection } from '../../src/agents/presence.queries.js';
import { PresenceService } from '../../src/agents/presence.service.js';
import { HandoffTimers } from '../../src/handoff/handoff-timers.service.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';
import { movedByDays } from '../support/times.js';

describe('routing', () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;
  let connections: Connection[];

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
    connections = [];
  });
  afterEach(async () => {
    for (const one of connections) await presence().endSessions(one.organizationId, one.agentId, null);
  });

  const presence = () => parley.app.get(PresenceService);
  const settings = (body: object) => tenant.admin.patch(`/groups/${group}`, body).expect(200);
  const agent = (name: string, more: object = {}) => parley.signInAgent(tenant, { name, groupIds: [group], ...more });
  const online = async ({ id }: SignedInAgent) => {
    const connection = { organizationId: tenant.id, agentId: id, id: randomUUID(), sessionId: 'ses_test' };
    connections.push(connection);
    await presence().connect(connection);
  };
  const newChat = async () => (await tenant.admin.post('/chats', {}).expect(201)).body.id as string;
  const transfer = (chatId: string, more: object = {}) => tenant.bot.post('/transfer', { chatId, ...more }).expect(200);
  const chat = async (id = tenant.chatId) => (await tenant.bot.get(`/chats/${id}`).expect(200)).body;
  const owner = async (id?: string) => {
    const { assignedTo, owner: kind } = await chat(id);
    return assignedTo?.id ?? kind;
  };
  const offers = async ({ client }: SignedInAgent) => (await client.get('/offers').expect(200)).body.offers;
  const offerOf = (who: SignedInAgent): Promise<any> => eventually(async () => (await offers(who))[0], Boolean);
  const soon = (look: () => unknown, wanted: unknown) => eventually(look, (seen) => isDeepStrictEqual(seen, wanted));
  // A time-out is a row with a time, so the test moves the time.
  const pass = (table: string, column: string) =>
    parley.query(`UPDATE ${table} SET ${column} = ${movedByDays(column, -1)} WHERE organization_id = $1`, [tenant.id]);
  const loads = () =>
    parley.query(
      `SELECT a.open_chats = (SELECT count(*) FROM chats c WHERE c.organization_id = $1 AND c.agent_id = a.id)
        AND a.pending_offers = (SELECT count(*) FROM chat_offers o
          WHERE o.organization_id = $1 AND o.agent_id = a.id AND o.ended_at IS NULL) AS is_right
       FROM agents a WHERE a.organization_id = $1`,
      [tenant.id],
    );

  it('AUTOMATIC assigns a waiting chat to the agent with the fewest chats when an agent comes online', async () => {
    await settings({ routing: 'AUTOMATIC' });
    const [ada, ben] = [await agent('Ada'), await agent('Ben')];
    await transfer(tenant.chatId);
    expect(await owner()).toBe('QUEUE');
    await online(ada);
    await soon(() => owner(), ada.id);
    await online(ben);
    const second = await newChat();
    await transfer(second);
    await soon(() => owner(second), ben.id);
  });

  it('an agent never gets more chats than their capacity, and gets the next one when a chat ends', async () => {
    await settings({ routing: 'AUTOMATIC' });
    const ada = await agent('Ada', { capacity: 2 });
    await online(ada);
    const chats = [tenant.chatId, await newChat(), await newChat(), await newChat()];
    await Promise.all(chats.map((id) => transfer(id)));
    const owners = async () => Promise.all(chats.map((id) => owner(id)));
    await soon(async () => (await owners()).filter((one) => one === ada.id).length, 2);
    expect((await owners()).filter((one) => one === 'QUEUE')).toHaveLength(2);
    const { body } = await tenant.bot.get('/groups/availability').expect(200);
    expect(body[0]).toMatchObject({ availability: 'BUSY', onlineAgents: 1, waitingChats: 2 });
    const mine = chats[(await owners()).indexOf(ada.id)]!;
    await ada.client.post(`/chats/${mine}/close`, {}).expect(200);
    await soon(async () => (await owners()).filter((one) => one === 'QUEUE').length, 1);
  });

  it("a released chat isn't assigned to the agent who released it moments ago", async () => {
    const [ada, ben] = [await agent('Ada'), await agent('Ben')];
    for (const one of [ada, ben]) await online(one);
    const path = `/chats/${tenant.chatId}`;
    await ada.client.post(`${path}/claim`, {}).expect(200);
    await ada.client.post(`${path}/transfer`, { agentId: ben.id }).expect(200);
    expect((await ben.client.get(path).expect(200)).body.handoff).toBeNull();
    await settings({ routing: 'AUTOMATIC' });
    await ben.client.post(`${path}/release`, {}).expect(200);
    // Routing reads the chat that has waited longer first.
    const later = await newChat();
    await transfer(later);
    await eventually(
      () => owner(later),
      (who) => who === ada.id || who === ben.id,
    );
    expect(await owner()).toBe('QUEUE');
  });

  it('OFFER asks one agent after another, and no other agent can claim the chat until then', async () => {
    await settings({ routing: 'OFFER' });
    const [ada, ben] = [await agent('Ada'), await agent('Ben')];
    await online(ada);
    await transfer(tenant.chatId, { summary: 'wants a refund' });
    const offer = await offerOf(ada);
    expect(offer).toMatchObject({ chat: { id: tenant.chatId, owner: 'QUEUE', offer: { agentId: ada.id } } });
    const refused = await ben.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(409);
    expect(refused.body).toMatchObject({ code: 'offered', offeredTo: { id: ada.id, name: 'Ada' } });
    await ben.client.post(`/offers/${offer.id}/accept`, {}).expect(404);
    await online(ben);
    await ada.client.post(`/offers/${offer.id}/decline`, {}).expect(204);
    await ada.client.post(`/offers/${offer.id}/decline`, {}).expect(204);
    const next = await offerOf(ben);
    const { body: row } = await ben.client.post(`/offers/${next.id}/accept`, {}).expect(200);
    expect(row).toMatchObject({ assignedTo: { id: ben.id }, offer: null });
    await ben.client.post(`/offers/${next.id}/accept`, {}).expect(200);
    expect((await ada.client.post(`/offers/${offer.id}/accept`, {}).expect(409)).body).toMatchObject({
      code: 'offer_ended',
      reason: 'DECLINED',
    });
    expect(await loads()).toEqual([{ is_right: true }, { is_right: true }]);
  });

  it('an expired offer goes to the next agent, and two in a row pause the agent', async () => {
    await settings({ routing: 'OFFER' });
    const ada = await agent('Ada');
    await online(ada);
    const chats = [tenant.chatId, await newChat()];
    for (const chatId of chats) {
      await transfer(chatId);
      const offer: any = await eventually(
        async () => (await offers(ada)).find(({ chat: { id } }: any) => id === chatId),
        Boolean,
      );
      await pass('chat_offers', 'expires_at');
      const late = await ada.client.post(`/offers/${offer.id}/accept`, {}).expect(409);
      expect(late.body).toMatchObject({ code: 'offer_ended', reason: 'EXPIRED' });
      await soon(() => offers(ada), []);
    }
    const isAccepting = async () => (await ada.client.get('/session').expect(200)).body.agent.isAccepting;
    await soon(isAccepting, false);
    expect(await Promise.all(chats.map((id) => owner(id)))).toEqual(['QUEUE', 'QUEUE']);
  });

  it('offers end when the group switches to MANUAL, and when the chat goes back to the bot', async () => {
    await settings({ routing: 'OFFER' });
    const ada = await agent('Ada');
    await online(ada);
    await transfer(tenant.chatId);
    await offerOf(ada);
    await settings({ routing: 'MANUAL' });
    await soon(() => offers(ada), []);
    expect(await loads()).toEqual([{ is_right: true }]);
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
  });

  it("a deleted group's chats go to the default group, in their places and without offers", async () => {
    const { body: other } = await tenant.admin.post('/groups', { name: 'Other', routing: 'OFFER' }).expect(201);
    const ada = await agent('Ada', { groupIds: [other.id] });
    await online(ada);
    await transfer(tenant.chatId, { targetGroupId: other.id });
    const { chat: offered } = await offerOf(ada);
    await tenant.admin.delete(`/groups/${other.id}`).expect(204);
    expect(await offers(ada)).toEqual([]);
    expect(await loads()).toEqual([{ is_right: true }]);
    const chief = await agent('Chief', { role: 'SUPERVISOR' });
    const { body } = await chief.client.get('/chats?view=WAITING').expect(200);
    expect(body.chats).toMatchObject([{ id: tenant.chatId, group: { id: group }, queuedAt: offered.queuedAt }]);
  });

  it('an unanswered chat stays or goes back to the bot, and the visitor is notified once', async () => {
    const kept = await newChat();
    await transfer(tenant.chatId, { onUnanswered: 'RETURN_TO_BOT' });
    await transfer(kept);
    await pass('handoffs', 'due_at');
    await soon(() => owner(), 'BOT');
    const rest = () =>
      parley.query('SELECT unanswered_at IS NOT NULL AS is_over, outcome FROM handoffs WHERE chat_id = $1', [kept]);
    await soon(rest, [{ is_over: true, outcome: null }]);
    expect(await owner(kept)).toBe('QUEUE');
    for (const id of [kept, tenant.chatId]) {
      const { body } = await tenant.bot.get(`/chats/${id}/messages`).expect(200);
      const told = body.messages.filter(
        ({ metadata }: { metadata: { event?: string } }) => metadata.event === 'chat.unanswered',
      );
      expect(told).toMatchObject([
        { content: 'No one from our team is available right now.', sender: { type: 'SYSTEM' } },
      ]);
      expect(body.messages.at(-1)).toEqual(told[0]);
    }
  });

  it('chats of an agent who is absent for long, or disabled, wait again', async () => {
    const [ada, ben] = [await agent('Ada'), await agent('Ben')];
    const second = await newChat();
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await ben.client.post(`/chats/${second}/claim`, {}).expect(200);
    await pass('chats', 'assigned_at');
    await soon(async () => [await owner(), await owner(second)], ['QUEUE', 'QUEUE']);
    await settings({ offlineReassignSeconds: 0 });
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await pass('chats', 'assigned_at');
    await tenant.admin.patch(`/agents/${ada.id}`, { isEnabled: false }).expect(200);
    await soon(() => owner(), 'QUEUE');
  });

  it('chats and offers of an agent who leaves the group, or loses the role, wait again', async () => {
    await settings({ routing: 'OFFER' });
    const ada = await agent('Ada');
    const chief = await agent('Chief', { groupIds: [], role: 'SUPERVISOR' });
    const [second, third] = [await newChat(), await newChat()];
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await chief.client.post(`/chats/${second}/claim`, {}).expect(200);
    await online(ada);
    await transfer(third);
    await offerOf(ada);
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [] }).expect(200);
    await tenant.admin.patch(`/agents/${chief.id}`, { role: 'AGENT' }).expect(200);
    expect([await owner(), await owner(second)]).toEqual(['QUEUE', 'QUEUE']);
    expect(await offers(ada)).toEqual([]);
    expect(await loads()).toEqual([{ is_right: true }, { is_right: true }]);
  });

  it('another node finishes what a killed node started after an agent left the group', async () => {
    await settings({ routing: 'OFFER' });
    const ada = await agent('Ada');
    const second = await newChat();
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await online(ada);
    await transfer(second);
    await offerOf(ada);
    await parley.query(
      `WITH left_groups AS (DELETE FROM agent_groups WHERE organization_id = $2 AND agent_id = $1)
       UPDATE agents SET groups_left_at = now() - interval '1 min' WHERE organization_id = $2 AND id = $1`,
      [ada.id, tenant.id],
    );
    await soon(() => owner(), 'QUEUE');
    await soon(() => offers(ada), []);
    expect(await loads()).toEqual([{ is_right: true }]);
    const leaver = () => parley.query('SELECT groups_left_at FROM agents WHERE id = $1', [ada.id]);
    await soon(leaver, [{ groups_left_at: null }]);
    const { body } = await parley.visitor(tenant.visitorToken).get(`/chats/${tenant.chatId}/messages`).expect(200);
    expect(body.messages.at(-1)).toMatchObject({ metadata: { event: 'chat.unassigned', agentName: 'Ada' } });
  });

  describe("time-outs are checked again under the chat's lock", () => {
    /** Locks a chat until a time-out waits for it, runs `meanwhile`, and unlocks it. */
    const whileDue = async (makeDue: () => Promise<unknown>, meanwhile: () => Promise<unknown>) => {
      const holder = new pg.Client(parley.databaseUrl);
      await holder.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT FROM chats WHERE organization_id = $1 AND id = $2 FOR UPDATE', [
        tenant.id,
        tenant.chatId,
      ]);
      await makeDue();
      const [due] = await eventually(
        () =>
          parley.query(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ) as Promise<{ pid: number }[]>,
        (rows) => rows.length > 0,
      );
      await meanwhile();
      await holder.query('COMMIT');
      await holder.end();
      // Its transaction has ended, so the time-out was checked.
      await eventually(
        () => parley.query(`SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'idle'`, [due!.pid]),
        (rows) => rows.length > 0,
      );
    };
    const setAccepting = (id: string, isAccepting: boolean) =>
      parley.query('UPDATE agents SET is_accepting = $2 WHERE id = $1', [id, isAccepting]);

    it('an agent who has reconnected keeps the chat', async () => {
      const ada = await agent('Ada');
      await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      await whileDue(
        () => settings({ offlineReassignSeconds: 1 }),
        () => online(ada),
      );
      expect(await owner()).toBe(ada.id);
    });

    it('an agent who has joined the group again keeps the chat', async () => {
      const ada = await agent('Ada');
      await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      const { groupIds } = (await tenant.admin.get(`/agents/${ada.id}`).expect(200)).body;
      const set = (ids: string[]) => tenant.admin.patch(`/agents/${ada.id}`, { groupIds: ids }).expect(200);
      let leaving: Promise<unknown>;
      await whileDue(
        async () => void (leaving = Promise.resolve(set([]))),
        () => set(groupIds),
      );
      await leaving!;
      expect(await owner()).toBe(ada.id);
    });

    it('an offer to an agent who has reconnected stays', async () => {
      await settings({ routing: 'OFFER' });
      const ada = await agent('Ada');
      await online(ada);
      await transfer(tenant.chatId);
      const offer = await offerOf(ada);
      await whileDue(
        () => setAccepting(ada.id, false),
        () => setAccepting(ada.id, true),
      );
      expect(await offers(ada)).toMatchObject([{ id: offer.id }]);
    });
  });

  it('a chat that a node of the previous release queues again gets a hand-off each time', async () => {
    await settings({ routing: 'AUTOMATIC' });
    await transfer(tenant.chatId);
    // Returns the chat to the bot and queues it like a node that knows no hand-offs.
    const queueAgain = () =>
      parley.query(
        `WITH ended AS (UPDATE handoffs SET ended_at = now(), outcome = 'RETURNED' WHERE chat_id = $1 AND ended_at IS NULL)
         UPDATE chats SET queued_at = NULL, status_changed_at = now() WHERE id = $1`,
        [tenant.chatId],
      );
    const open = () => parley.query('SELECT id FROM handoffs WHERE chat_id = $1 AND ended_at IS NULL', [tenant.chatId]);
    for (let round = 0; round < 2; round++) {
      await queueAgain();
      await parley.app.get(HandoffTimers).runChecks();
      expect(await open()).toEqual([{ id: expect.stringMatching(/^hof_[0-9a-z]{26}$/) }]);
    }
    const ada = await agent('Ada');
    await online(ada);
    await soon(() => owner(), ada.id);
  });

  it("an agent's wrong load is corrected", async () => {
    const ada = await agent('Ada');
    await parley.app.get(HandoffTimers)['check'].stop();
    await parley.query('UPDATE agents SET open_chats = 7 WHERE id = $1', [ada.id]);
    const { correctLoad, findDrift } = await import('../../src/handoff/handoff-timers.queries.js');
    const { EntityManager } = await import('typeorm');
    const manager = parley.app.get(EntityManager);
    expect(await findDrift(manager)).toEqual([{ organizationId: tenant.id, agentId: ada.id }]);
    expect(await correctLoad(manager, tenant.id, ada.id)).toBe(true);
    expect(await correctLoad(manager, tenant.id, ada.id)).toBe(false);
  });
});
