import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { LINES_OF_VISITOR } from '../../src/messages/closing.service.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { movedBySeconds } from '../support/times.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const DAY = 24 * 60 * 60 * 1000;

describe('ratings', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
  });
  afterEach(() => receiver.close());

  const rate = (body: object, chatId = tenant.chatId) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${chatId}/rating`, body);
  const end = () => parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/close`, {}).expect(200);
  const age = (table: string, column: string) =>
    parley.query(`UPDATE ${table} SET ${column} = ${movedBySeconds(column, -25 * 3600)} WHERE organization_id = $1`, [
      tenant.id,
    ]);

  it('an ended chat can be rated, and webhooks and bots are notified', async () => {
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['chat.rated'] }).expect(201);
    await tenant.bot.put('/subscription', { events: ['chat.rated'] }).expect(200);
    await end();
    const { body } = await rate({ score: 4, comment: 'Quick & kind 🚀\n"really"' }).expect(200);
    const rating = { score: 4, comment: 'Quick & kind 🚀\n"really"', ratedAt: TIME, changedAt: null };
    expect(body).toEqual({ rating });
    const [received] = await receiver.count(1);
    expect(received!.event).toMatchObject({
      type: 'chat.rated',
      data: {
        chat: { id: tenant.chatId, status: 'CLOSED' },
        rating: body.rating,
        by: { type: 'VISITOR', id: tenant.visitorId, name: 'Vera' },
      },
    });
    const { body: fetched } = await tenant.bot.get('/events?wait=0').expect(200);
    expect(fetched.events).toMatchObject([{ type: 'chat.rated', data: { rating: body.rating } }]);
  });

  it('a rating can be changed for a day, and the same rating again causes no event', async () => {
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['chat.rated'] }).expect(201);
    await end();
    const { body: first } = await rate({ score: 5 }).expect(200);
    expect((await rate({ score: 5 }).expect(200)).body).toEqual(first);
    expect((await rate({ score: 5, comment: '' }).expect(200)).body).toEqual(first);
    const { body: second } = await rate({ score: 2, comment: 'Wrong answer' }).expect(200);
    expect(second.rating).toEqual({
      score: 2,
      comment: 'Wrong answer',
      ratedAt: first.rating.ratedAt,
      changedAt: TIME,
    });
    const events = await receiver.count(2);
    expect(events.map(({ event }) => event.data.rating.score)).toEqual([5, 2]);
    await age('chats', 'status_changed_at');
    await rate({ score: 3 }).expect(200);
    await age('ratings', 'rated_at');
    expect((await rate({ score: 1 }).expect(409)).body.code).toBe('rating_over');
    // A stored rating is returned at any later time.
    await rate({ score: 3 }).expect(200);
  });

  it('a rating can be changed again for a day when the chat was reopened and ended again', async () => {
    await end();
    await rate({ score: 1 }).expect(200);
    await age('ratings', 'rated_at');
    await age('chats', 'status_changed_at');
    await rate({ score: 2 }).expect(409);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'One more thing' }).expect(200);
    expect((await rate({ score: 5 }).expect(409)).body.code).toBe('not_ended');
    await end();
    expect((await rate({ score: 5 }).expect(200)).body.rating).toMatchObject({ score: 5, changedAt: TIME });
  });

  it('a late rating is accepted, but not for an open chat, or when the organization turned ratings off', async () => {
    expect((await rate({ score: 5 }).expect(409)).body.code).toBe('not_ended');
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'ARCHIVED' }).expect(200);
    await age('chats', 'status_changed_at');
    await tenant.admin.patch('/widget', { rating: false }).expect(200);
    expect((await rate({ score: 5 }).expect(409)).body.code).toBe('rating_off');
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    await rate({ score: 5 }).expect(200);
  });

  it('an invalid rating is rejected with its field, and visitors rate only their own chats', async () => {
    await end();
    for (const [body, pointer] of [
      [{}, '/score'],
      [{ score: 0 }, '/score'],
      [{ score: 6 }, '/score'],
      [{ score: 2.5 }, '/score'],
      [{ score: '5' }, '/score'],
      [{ score: 5, comment: 'x'.repeat(1_001) }, '/comment'],
      [{ score: 5, comment: 7 }, '/comment'],
    ] as const) {
      expect((await rate(body).expect(400)).body.errors).toMatchObject([{ pointer }]);
    }
    await rate({ score: 5, comment: '🚀'.repeat(1_000) }).expect(200);
    const other = await parley.createTenant();
    expect((await rate({ score: 5 }, other.chatId).expect(404)).body.detail).toBe('Chat not found');
    const { body: session } = await parley.beginSession(tenant).expect(201);
    await parley.visitor(session.token).post(`/chats/${tenant.chatId}/rating`, { score: 1 }).expect(404);
  });

  it('two simultaneous ratings are one', async () => {
    await end();
    await Promise.all([1, 2, 3, 4, 5].map((score) => rate({ score }).expect(200)));
    expect(await parley.query('SELECT FROM ratings WHERE chat_id = $1', [tenant.chatId])).toHaveLength(1);
  });

  it("ratings count toward an anonymous visitor's storage quota", async () => {
    // Closing the chat counts as well.
    const strict = await Parley.start({ ANONYMOUS_BYTES_PER_DAY: String(LINES_OF_VISITOR.bytes + 100) });
    try {
      const mine = await strict.createTenant();
      await mine.admin.patch('/widget', { rating: true }).expect(200);
      const { body: session } = await strict.beginSession(mine).expect(201);
      const visitor = strict.visitor(session.token);
      const { body: opened } = await visitor.post('/chats', {}).expect(201);
      await visitor.post(`/chats/${opened.chat.id}/close`, {}).expect(200);
      const path = `/chats/${opened.chat.id}/rating`;
      await visitor.post(path, { score: 5, comment: 'x'.repeat(101) }).expect(429);
      await visitor.post(path, { score: 5, comment: 'x'.repeat(99) }).expect(200);
    } finally {
      await strict.stop();
    }
  });

  it('agents see ratings on rows, in the chat, and in reports, and the visitor sees them', async () => {
    const { body: group } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const socket = await parley.connectVisitor(tenant.visitorToken);
    const { chat } = await socket.ask('chat:open', { chatId: tenant.chatId });
    expect(chat.rating).toBeNull();
    await end();
    const { rev } = (await sue.client.get(`/chats/${tenant.chatId}`).expect(200)).body;
    const { body } = await rate({ score: 2, comment: 'slow' }).expect(200);
    await socket.until(() => socket.all('chat').some(({ rating }) => rating?.score === 2));
    expect(socket.all('chat').at(-1).rating).toEqual(body.rating);
    const { body: detail } = await sue.client.get(`/chats/${tenant.chatId}`).expect(200);
    expect(detail).toMatchObject({ score: 2, rating: body.rating, visitor: { isVerified: false } });
    expect(detail.rev).toBeGreaterThan(rev);
    const { body: view } = await sue.client.get('/chats?view=CLOSED').expect(200);
    expect(view.chats).toMatchObject([{ id: tenant.chatId, score: 2 }]);
    const { body: second } = await tenant.admin.post('/chats', { groupId: group.id }).expect(201);
    await tenant.admin.patch(`/chats/${second.id}`, { status: 'CLOSED' }).expect(200);
    await parley.visitor(second.visitorToken).post(`/chats/${second.id}/rating`, { score: 5 }).expect(200);
    const today = new Date().toISOString().slice(0, 10);
    const report = async (more = '') =>
      (await sue.client.get(`/reports?from=${today}&to=${today}${more}`).expect(200)).body.days[0];
    expect(await report()).toMatchObject({ rated: 2, averageScore: 3.5 });
    expect(await report(`&groupId=${group.id}`)).toMatchObject({ rated: 1, ratedWithoutAgent: 1, averageScore: 5 });
  });

  it('ratings are exported and erased with the visitor, and deleted by retention', async () => {
    await end();
    const { body } = await rate({ score: 1, comment: 'needle' }).expect(200);
    const { body: exported } = await tenant.admin.get(`/visitors/${tenant.visitorId}/export`).expect(200);
    expect(exported.chats[0].rating).toEqual(body.rating);
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    expect(await parley.query('SELECT FROM ratings WHERE organization_id = $1', [tenant.id])).toEqual([]);

    // A chat that is still in use loses an old rating, like old messages.
    const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
    await tenant.bot.post('/messages', { chatId: chat.id, content: 'old' }).expect(200);
    await tenant.admin.patch(`/chats/${chat.id}`, { status: 'CLOSED' }).expect(200);
    await parley.visitor(chat.visitorToken).post(`/chats/${chat.id}/rating`, { score: 3 }).expect(200);
    await tenant.admin.patch('', { retentionDays: 2 }).expect(200);
    const later = new Date(Date.now() + 5 * DAY);
    await parley.query('UPDATE chats SET last_message_at = $2 WHERE id = $1', [chat.id, later]);
    await parley.app.get(DataRemoval).run(later);
    expect(await parley.query('SELECT id FROM chats WHERE id = $1', [chat.id])).toHaveLength(1);
    expect(await parley.query('SELECT FROM ratings WHERE organization_id = $1', [tenant.id])).toEqual([]);
  });
});
