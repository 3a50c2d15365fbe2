import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { type Received, Receiver } from '../support/receiver.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('webhooks', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  const started: Receiver[] = [];
  const startReceiver = async () => {
    const one = await Receiver.start();
    started.push(one);
    return one;
  };

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const one of started.splice(0)) await one.close();
  });

  const create = async (body: object = {}) =>
    (await tenant.admin.post('/webhooks', { url: receiver.url, ...body }).expect(201)).body;
  const say = async (content: string) =>
    (await tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200)).body;
  const count = async (table: string) =>
    (
      await parley.query<{ n: string }>(`SELECT count(*) AS n FROM ${table} WHERE organization_id = $1`, [tenant.id])
    )[0]!.n;

  it('a webhook gets a message with its chat, signed, immediately', async () => {
    const { secret } = await create();
    const metadata = { a: [1.5, null, 'é\u2028"\\'], 'k\n': { z: 1e21 } };
    const content = 'Grüße "quoted" \\ \u0007\n\u2028 🚀 </script>';
    const body = { chatId: tenant.chatId, content, type: 'IMAGE', metadata };
    const { body: sent } = await tenant.bot.post('/messages', body).expect(200);
    const [received] = (await receiver.count(1)) as [Received];
    const event = new Webhook(secret).verify(received.body, received.headers) as any;
    const { body: chat } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    const { messages, title: _, ...rest } = chat;
    expect(event).toEqual({
      id: received.headers['webhook-id'],
      type: 'message.created',
      timestamp: messages[0].createdAt,
      organizationId: tenant.id,
      data: { message: messages[0], chat: { ...rest, assignedTo: null } },
    });
    expect(event.data.message).toMatchObject({ id: sent.id, seq: 1, content, metadata, type: 'IMAGE' });
    expect(received.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
    expect(event.id).toMatch(/^evt_[0-9a-z]{26}$/);
    expect(event.timestamp).toMatch(ISO);
  });

  it('a webhook gets messages of every sender, in order of seq', async () => {
    await create();
    const visitor = parley.visitor(tenant.visitorToken);
    const keyed = (key: string) =>
      tenant.bot.post('/messages', { chatId: tenant.chatId, content: key }).set('Idempotency-Key', key).expect(200);
    await visitor.post(`/chats/${tenant.chatId}/messages`, { content: 'from a visitor' }).expect(201);
    await say('from a bot');
    await keyed('with-a-key');
    await keyed('with-a-key');
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, reason: 'why' }).expect(200);
    const received = await receiver.count(5);
    const messages = received.filter(({ event }) => event.type === 'message.created').map(({ event }) => event.data);
    const { body } = await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200);
    expect(messages.map(({ message }) => message)).toEqual(body.messages);
    expect(messages.map(({ message }) => message.sender.type)).toEqual(['VISITOR', 'BOT', 'BOT', 'SYSTEM']);
    expect(messages.map(({ chat }) => chat.messageCount)).toEqual([1, 2, 3, 4]);
    expect(messages.map(({ chat }) => chat.firstResponseAt !== null)).toEqual([false, true, true, true]);
  });

  it('a webhook gets an event when a chat starts, is transferred, and is closed, once', async () => {
    await create({ events: ['chat.created', 'chat.transferred', 'chat.closed'] });
    const { body: chat } = await tenant.admin.post('/chats', { visitor: { name: 'Ann' } }).expect(201);
    await tenant.bot.post('/transfer', { chatId: chat.id, reason: 'wants "people"' }).expect(200);
    await tenant.bot.post('/transfer', { chatId: chat.id }).expect(200);
    await tenant.admin.patch(`/chats/${chat.id}`, { status: 'CLOSED' }).expect(200);
    await tenant.admin.patch(`/chats/${chat.id}`, { status: 'CLOSED' }).expect(200);
    await tenant.admin.patch(`/chats/${chat.id}`, { status: 'ARCHIVED' }).expect(200);
    // Only the events of one chat are in order.
    await receiver.count(3);
    const { body: session } = await parley.visitor().post('/sessions', { widgetKey: tenant.widgetKey }).expect(201);
    const { body: opened } = await parley
      .visitor(session.token)
      .post('/chats', { metadata: { page: '/' } })
      .expect(201);
    const events = (await receiver.count(4)).map(({ event }) => event);
    expect(events.map(({ type, data }) => [type, data.chat.id, data.chat.status])).toEqual([
      ['chat.created', chat.id, 'ACTIVE'],
      ['chat.transferred', chat.id, 'QUEUED'],
      ['chat.closed', chat.id, 'CLOSED'],
      ['chat.created', opened.chat.id, 'ACTIVE'],
    ]);
    expect(events[0].data).toEqual({
      chat: expect.objectContaining({
        visitor: {
          id: chat.visitor.id,
          name: 'Ann',
          email: null,
          isVerified: false,
          externalId: null,
          metadata: {},
          attributes: {},
          verifiedAttributes: {},
        },
        messageCount: 0,
      }),
    });
    expect(events[1].data).toMatchObject({
      previousGroupId: chat.group.id,
      reason: 'wants "people"',
      bot: { id: tenant.botId, name: 'Bot' },
    });
    expect(events[1].data.chat.messageCount).toBe(1);
  });

  it('the event of a message has the same chat, byte by byte, as the event of the change that caused it', async () => {
    await create();
    const { id, chatId, botId } = tenant;
    const [facts] = await parley.query<{ visitor: string; group: string }>(
      `SELECT visitor_id AS visitor, group_id AS "group" FROM chats WHERE organization_id = '${id}' AND id = '${chatId}'`,
    );
    await parley.query(
      `UPDATE visitors SET name = 'Zoë "Z" \\ 🚀', email = 'zoe@example.com', external_id = 'a"1', signed_at = now(), metadata = '{"plan":  "x"}'
       WHERE organization_id = $1 AND id = $2`,
      [id, facts!.visitor],
    );
    await parley.query(`UPDATE chats SET metadata = '{"page": [1,  2]}' WHERE organization_id = $1 AND id = $2`, [
      id,
      chatId,
    ]);
    await parley.query('UPDATE groups SET bot_id = $3 WHERE organization_id = $1 AND id = $2', [
      id,
      facts!.group,
      botId,
    ]);
    await say('an answer');
    await tenant.bot.post('/transfer', { chatId }).expect(200);
    await tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    const bodies = (await receiver.count(5)).map(({ body }) => body.toString());
    const chatsOf = (type: string, more = '') =>
      bodies
        .filter((body) => body.includes(`"type":"${type}"`) && body.includes(more))
        .map((body) => /"chat":\{.*?"owner":"[A-Z]+","tags":\[\],"attributes":\{.*?\}\}/.exec(body)![0]);
    const changes = [...chatsOf('chat.transferred'), ...chatsOf('chat.closed')];
    expect(changes).toHaveLength(2);
    expect(chatsOf('message.created', '"type":"SYSTEM"')).toEqual(changes);
    expect(changes[0]).toContain(`"botId":"${botId}"`);
    expect(changes[0]).toContain('"metadata":{"page": [1,  2]}');
  });

  it("a webhook gets only subscribed events, and none while it's disabled", async () => {
    const others = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
    const [closings, visitors, disabled] = others as [Receiver, Receiver, Receiver];
    await create();
    await create({ url: closings.url, events: ['chat.closed'] });
    await create({ url: visitors.url, senderTypes: ['VISITOR', 'AGENT'] });
    await create({ url: disabled.url, isEnabled: false });
    await say('one');
    await parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content: 'two' }).expect(201);
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    await Promise.all([receiver.count(3), closings.count(1), visitors.count(2)]);
    expect(closings.received.map(({ event }) => event.type)).toEqual(['chat.closed']);
    expect(visitors.received.map(({ event }) => event.data.message?.content)).toEqual(['two', undefined]);
    expect(disabled.received).toEqual([]);
    expect(await count('deliveries')).toBe('7');
  });

  it('messages cost nothing more without a webhook', async () => {
    await say('quiet');
    expect(await count('deliveries')).toBe('0');
  });

  it('an event has one id and one body for all webhooks, and each event has another', async () => {
    const other = await startReceiver();
    await create();
    await create({ url: other.url });
    await Promise.all(Array.from({ length: 30 }, (_, n) => say(`${n}`)));
    const bodies = async (one: Receiver) =>
      (await one.count(30)).map(({ headers, body }) => `${headers['webhook-id']} ${body}`).toSorted();
    expect(await bodies(receiver)).toEqual(await bodies(other));
    expect(new Set(await bodies(other)).size).toBe(30);
    expect(receiver.received.map(({ event }) => event.data.message.seq)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  it('a webhook is configured over the admin API', async () => {
    const made = await create({ events: ['chat.closed', 'message.created'], senderTypes: ['BOT'] });
    expect(made).toMatchObject({ url: receiver.url, events: ['chat.closed', 'message.created'], senderTypes: ['BOT'] });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { body: shown } = await tenant.admin.get(`/webhooks/${made.id}`).expect(200);
    const { secret, ...rest } = made;
    expect(shown).toEqual(rest);
    const { body: list } = await tenant.admin.get('/webhooks').expect(200);
    expect(list).toEqual({ webhooks: [rest], nextCursor: null });
    const { body: changed } = await tenant.admin.patch(`/webhooks/${made.id}`, { isEnabled: false }).expect(200);
    expect(changed).toEqual({ ...rest, isEnabled: false });
    const [row] = await parley.query<{ kept: string }>('SELECT w::text AS kept FROM webhooks w WHERE id = $1', [
      made.id,
    ]);
    expect(row!.kept).not.toContain(secret);
    await tenant.admin.delete(`/webhooks/${made.id}`).expect(204);
    await tenant.admin.get(`/webhooks/${made.id}`).expect(404);
    await tenant.admin.delete(`/webhooks/${made.id}`).expect(404);
  });

  it.each([
    [{ url: 5 }, '/url'],
    [{ url: 'nonsense' }, '/url'],
    [{ url: 'ftp://example.com' }, '/url'],
    [{ url: 'https://user:pass@example.com' }, '/url'],
    [{ url: `https://example.com/${'x'.repeat(2_048)}` }, '/url'],
    [{ events: [] }, '/events'],
    [{ events: 'message.created' }, '/events'],
    [{ events: ['message.deleted'] }, '/events'],
    [{ senderTypes: ['ROBOT'] }, '/senderTypes'],
    [{ isEnabled: 'yes' }, '/isEnabled'],
  ])('an invalid webhook is rejected: %#', async (body, pointer) => {
    const { body: problem } = await tenant.admin.post('/webhooks', { url: receiver.url, ...body }).expect(400);
    expect(problem.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
    const { id } = await create();
    await tenant.admin.patch(`/webhooks/${id}`, body).expect(400);
  });

  it('an organization has at most 50 webhooks', async () => {
    const answers = await Promise.all(
      Array.from({ length: 54 }, () => tenant.admin.post('/webhooks', { url: receiver.url })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
  });

  it("events are signed with both secrets during a rotation's grace period", async () => {
    const { id, secret: first } = await create();
    const { body } = await tenant.admin.post(`/webhooks/${id}/rotate-secret`, {}).expect(200);
    await say('rotated');
    const [received] = (await receiver.count(1)) as [Received];
    expect(received.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of [first, body.secret]) new Webhook(secret).verify(received.body, received.headers);
    const { body: shown } = await tenant.admin.get(`/webhooks/${id}`).expect(200);
    expect(Date.parse(shown.previousSecretExpiresAt) - Date.now()).toBeGreaterThan(86_000_000);
    await parley.query('UPDATE webhooks SET previous_secret_expires_at = now() WHERE id = $1', [id]);
    await say('later');
    const later = (await receiver.count(2))[1]!;
    new Webhook(body.secret).verify(later.body, later.headers);
    expect(() => new Webhook(first).verify(later.body, later.headers)).toThrow('No matching signature');
  });

  it("a ping returns the receiver's response", async () => {
    const { id, secret } = await create({ isEnabled: false });
    const ping = async () => (await tenant.admin.post(`/webhooks/${id}/ping`).expect(200)).body;
    expect(await ping()).toEqual({ status: 200, durationMs: expect.any(Number), error: null });
    const { headers, body } = receiver.received[0]!;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'ping', organizationId: tenant.id });
    receiver.become((_, response) => void response.writeHead(503).end());
    expect(await ping()).toMatchObject({ status: 503, error: 'answered 503' });
    await receiver.close();
    expect(await ping()).toMatchObject({ status: null, error: 'connection refused' });
    expect(await count('deliveries')).toBe('0');
  });

  it('deleting a webhook leaves no rows', async () => {
    receiver.become((_, response) => void response.writeHead(500).end());
    const { id } = await create();
    await create();
    await say('one');
    await receiver.count(2);
    await tenant.admin.delete(`/webhooks/${id}`).expect(204);
    const left = (wanted: string) =>
      eventually(
        () => Promise.all(['deliveries', 'attempts', 'webhook_lanes'].map(count)),
        (counts) => counts.every((n) => n === wanted),
      );
    await left('1');
    await parley.admin.delete(`/${tenant.id}?now=true`).expect(204);
    await left('0');
  });
});
