import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '../../src/receivers/event-type.js';
import { OpenApi } from '../support/openapi.js';
import { Parley } from '../support/parley.js';

describe('the documents of events', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  it('each type of event has a schema and a webhook', async () => {
    for (const audience of ['bot', 'admin']) {
      const { document } = await OpenApi.read(parley.url, `/api/${audience}/docs`);
      const { oneOf, discriminator } = document.components.schemas.Event;
      expect(Object.keys(discriminator.mapping)).toEqual([...EVENT_TYPES]);
      expect(oneOf.map(({ $ref }: { $ref: string }) => $ref)).toEqual(Object.values(discriminator.mapping));
      expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES, 'ping']);
      for (const type of EVENT_TYPES) {
        const { schema } = document.webhooks[type].post.requestBody.content['application/json'];
        expect([type, schema.$ref]).toEqual([type, discriminator.mapping[type]]);
      }
    }
  });

  it('every event that a bot polls matches its schema', async () => {
    const openApi = await OpenApi.read(parley.url, '/api/bot/docs');
    const tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', {}).expect(200);
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    const { body: groups } = await tenant.bot.get('/groups').expect(200);
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [groups[0].id] }).expect(200);
    await tenant.admin.post('/chats', {}).expect(201);
    const chat = `/chats/${tenant.chatId}`;
    await tenant.admin.patch('/widget', { personAfter: 0 }).expect(200);
    await parley.visitor(tenant.visitorToken).post(`${chat}/handoff`, {}).expect(200);
    const transfer = (more: object = {}) =>
      tenant.bot.post('/transfer', { chatId: tenant.chatId, ...more }).expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'An answer' }).expect(200);
    await tenant.admin.patch('/widget', { messageRating: true }).expect(200);
    const { body: said } = await tenant.bot.get(`${chat}/messages`).expect(200);
    const visitor = parley.visitor(tenant.visitorToken);
    await visitor.put(`${chat}/messages/${said.messages[0].id}/rating`, { rating: 'UP' }).expect(200);
    await transfer();
    await ada.client.post(`${chat}/claim`).expect(200);
    await ada.client.post(`${chat}/release`).expect(200);
    await ada.client.post(`${chat}/assign`, { agentId: ada.id }).expect(200);
    await ada.client.post(`${chat}/return`, { note: 'done' }).expect(200);
    await tenant.bot.post(`${chat}/tags`, { add: ['Refund'] }).expect(200);
    const attributes = { order: '4711', seats: 5, isVip: true };
    await tenant.bot.patch(chat, { attributes }).expect(200);
    await tenant.bot.patch(chat, { attributes: { seats: null } }).expect(200);
    await tenant.bot.patch(`/visitors/${tenant.visitorId}`, { attributes }).expect(200);
    await tenant.admin.patch(chat, { status: 'CLOSED' }).expect(200);
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    await parley.visitor(tenant.visitorToken).post(`${chat}/rating`, { score: 5 }).expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'again' }).expect(200);
    await transfer({ maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' });
    const seen = new Set<string>();
    for (let ack = ''; seen.size < EVENT_TYPES.length;) {
      const { body } = await tenant.bot.get(`/events?wait=10${ack}`).expect(200);
      ack = `&ack=${body.ack}`;
      for (const event of body.events) {
        openApi.checkSchema('Event', event);
        seen.add(event.type);
      }
    }
    expect([...seen].toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });
});
