import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';
import { movedBySeconds } from '../support/times.js';

describe('POST /api/bot/transfer', () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { groupIds: [group] });
  });

  const transfer = (body: object = {}) => tenant.bot.post('/transfer', { chatId: tenant.chatId, ...body });
  const keyed = (key: string, body: object) => transfer(body).set('Idempotency-Key', key);
  const detail = async () => (await ada.client.get(`/chats/${tenant.chatId}`).expect(200)).body;
  const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.owner;
  const claim = () => ada.client.post(`/chats/${tenant.chatId}/claim`, {});
  const deliveries = () => parley.query('SELECT FROM deliveries WHERE organization_id = $1', [tenant.id]);

  describe('for a chat that already waits in the group', () => {
    it('a second transfer replaces the fields it has and no others, and agents see it immediately', async () => {
      await tenant.admin.post('/webhooks', { url: 'https://webhooks.invalid/' }).expect(201);
      const { body: first } = await transfer({ reason: 'refund', summary: 'Order 1' }).expect(200);
      const before = [(await detail()).messageCount, (await deliveries()).length];
      const socket = await parley.connectAgent(ada.token);
      const { rev, queuedAt } = await detail();
      const { body: again } = await transfer({ summary: 'Order 2' }).expect(200);
      expect(again.handoff).toMatchObject({ id: first.handoff.id, position: 1 });
      expect(await socket.next('chat')).toMatchObject({ id: tenant.chatId, rev: rev + 1, queuedAt });
      expect((await detail()).handoff).toMatchObject({ reason: 'refund', summary: 'Order 2', queuedAt });
      await transfer({ reason: 'complaint', summary: '' }).expect(200);
      expect((await detail()).handoff).toMatchObject({ reason: 'complaint', summary: '' });
      expect([(await detail()).messageCount, (await deliveries()).length]).toEqual(before);
      await transfer().expect(200);
      await transfer({ reason: 'complaint', summary: null }).expect(200);
      expect(await detail()).toMatchObject({ rev: rev + 2, handoff: { reason: 'complaint', summary: '' } });
    });

    it('a second transfer sets a new time limit, counted from the first transfer, and what happens then', async () => {
      const { body: first } = await transfer({ maxWaitSeconds: 600 }).expect(200);
      const began = Date.parse(first.handoff.expiresAt) - 600_000;
      const expiresAt = async (body: object) => (await transfer(body).expect(200)).body.handoff.expiresAt;
      expect(await expiresAt({ maxWaitSeconds: 60 })).toBe(new Date(began + 60_000).toISOString());
      expect(await expiresAt({ maxWaitSeconds: 60 })).toBe(new Date(began + 60_000).toISOString());
      expect(await expiresAt({ onUnanswered: 'RETURN_TO_BOT' })).toBe(new Date(began + 60_000).toISOString());
      expect(await expiresAt({ maxWaitSeconds: 0 })).toBeNull();
      const rows = await parley.query('SELECT on_unanswered FROM handoffs WHERE chat_id = $1', [tenant.chatId]);
      expect(rows).toEqual([{ on_unanswered: 'RETURN_TO_BOT' }]);
    });

    it('a second transfer with a new time limit times out again after the first time-out', async () => {
      await tenant.bot.put('/subscription', { events: ['chat.unanswered'] }).expect(200);
      const timeOuts = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending;
      const timeOut = async (number: number) => {
        await parley.query(`UPDATE handoffs SET due_at = now() - interval '1 s' WHERE chat_id = $1`, [tenant.chatId]);
        await eventually(timeOuts, (found) => found === number);
      };
      await transfer({ maxWaitSeconds: 600 }).expect(200);
      await timeOut(1);
      // A time limit that has already passed changes nothing: the bot was notified.
      await parley.query(`UPDATE handoffs SET began_at = ${movedBySeconds('began_at', -3600)} WHERE chat_id = $1`, [
        tenant.chatId,
      ]);
      await transfer({ maxWaitSeconds: 900 }).expect(200);
      const { rev } = await detail();
      const { body: again } = await transfer({ maxWaitSeconds: 7_200, onUnanswered: 'RETURN_TO_BOT' }).expect(200);
      expect(Date.parse(again.handoff.expiresAt)).toBeGreaterThan(Date.now());
      expect((await detail()).rev).toBe(rev + 1);
      await timeOut(2);
      expect(await owner()).toBe('BOT');
      const { body } = await parley.visitor(tenant.visitorToken).get(`/chats/${tenant.chatId}/messages`).expect(200);
      expect(body.messages.at(-1)).toMatchObject({ content: 'No one from our team is available right now.' });
    });

    it('a second transfer runs once per Idempotency-Key', async () => {
      await transfer({ summary: 'one' }).expect(200);
      await keyed('two', { summary: 'two' }).expect(200);
      await transfer({ summary: 'three' }).expect(200);
      expect((await keyed('two', { summary: 'two' }).expect(200)).headers['idempotent-replayed']).toBe('true');
      expect((await detail()).handoff.summary).toBe('three');
      await keyed('two', { summary: 'four' }).expect(422);
    });

    it("a supervisor's transfer note is stored, even for the agent who has the chat", async () => {
      const chief = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
      const handOn = (body: object) => chief.client.post(`/chats/${tenant.chatId}/transfer`, body).expect(200);
      await transfer({ summary: 'from the bot' }).expect(200);
      await handOn({ groupId: group, note: 'to all' });
      expect((await detail()).handoff).toMatchObject({ summary: 'to all' });
      await claim().expect(200);
      const { rev, messageCount } = await detail();
      await handOn({ agentId: ada.id, note: 'to Ada' });
      expect(await detail()).toMatchObject({ rev: rev + 1, messageCount, handoff: { summary: 'to Ada' } });
      await handOn({ agentId: ada.id });
      expect(await detail()).toMatchObject({ rev: rev + 1, handoff: { summary: 'to Ada' } });
    });
  });

  describe('with ifOwner', () => {
    const ifOwner = 'BOT';

    it('a transfer with ifOwner BOT takes a chat only from bots', async () => {
      await transfer({ ifOwner }).expect(200);
      expect((await transfer({ ifOwner, summary: 'x' }).expect(409)).body).toMatchObject({
        code: 'not_owner',
        owner: 'QUEUE',
      });
      await claim().expect(200);
      expect((await transfer({ ifOwner }).expect(409)).body).toMatchObject({ code: 'not_owner', owner: 'AGENT' });
      expect(await owner()).toBe('AGENT');
      await transfer({ ifOwner: null }).expect(200);
      expect((await detail()).handoff.summary).toBeNull();
      await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
      expect((await transfer({ ifOwner }).expect(409)).body.code).toBe('conflict');
      for (const wrong of ['AGENT', 'bot', 1]) {
        expect((await transfer({ ifOwner: wrong }).expect(400)).body.errors).toMatchObject([{ pointer: '/ifOwner' }]);
      }
    });

    it("a transfer with ifOwner repeats its response for its key, and a rejected key isn't stored", async () => {
      await claim().expect(200);
      await keyed('key', { ifOwner }).expect(409);
      await ada.client.post(`/chats/${tenant.chatId}/return`, {}).expect(200);
      const { body } = await keyed('key', { ifOwner }).expect(200);
      await claim().expect(200);
      const replayed = await keyed('key', { ifOwner }).expect(200);
      expect([replayed.headers['idempotent-replayed'], replayed.body]).toEqual(['true', body]);
      await keyed('key', {}).expect(422);
      expect(await owner()).toBe('AGENT');
    });

    it('a transfer with ifOwner never takes the chat from an agent who claims it at the same time', async () => {
      for (let round = 0; round < 20; round++) {
        const [claimed, transferred] = await Promise.all([claim(), transfer({ ifOwner })]);
        expect([claimed.status, await owner()]).toEqual([200, 'AGENT']);
        expect([200, 409]).toContain(transferred.status);
        await ada.client.post(`/chats/${tenant.chatId}/return`, {}).expect(200);
      }
    });
  });
});
