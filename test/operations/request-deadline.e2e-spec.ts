import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { Parley, PRODUCT_TIME_LIMITS, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { Road } from '../support/road.js';
import { VisitorSocket } from '../support/visitor.js';

describe('request deadlines', () => {
  let database: TestDatabase;
  let road: Road;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createDatabase();
    const over = await Road.toDatabase(database.url);
    road = over.road;
    const environment = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', DATABASE_POOL_SIZE: '4' };
    // The statement's other limits are higher: only the deadline ends a request before the test times out.
    const timeLimits = { ...PRODUCT_TIME_LIMITS, statement: 90_000, silence: 90_000, connection: 90_000 };
    parley = await Parley.start(environment, over.url, timeLimits);
    tenant = await parley.createTenant();
  });
  afterAll(async () => {
    await parley.stop();
    await road.close();
    await database.drop();
  });

  it('a request to a silent database is answered 503 in time, over REST and sockets, and the service recovers', async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    road.freeze();
    const { chatId } = tenant;
    const answers = Promise.all([
      tenant.bot.get('/groups'),
      tenant.bot.get('/chats'),
      tenant.bot.get(`/chats/${chatId}/messages`),
      tenant.bot.post('/transfer', { chatId }),
      tenant.admin.get('/bots'),
      parley.visitor(tenant.visitorToken).get('/chats'),
      ...Array.from({ length: 20 }, (_, index) =>
        tenant.bot.post('/messages', { chatId, content: `${index}` }).set('Idempotency-Key', `frozen-${index}`),
      ),
    ]);
    const handshake = VisitorSocket.connect(parley.url, tenant.visitorToken).catch((error: unknown) => error);
    const acks = Promise.all([
      visitor.ask('chat:open', { chatId }),
      visitor.ask('sync', { chatId, afterSeq: 0 }),
      ...Array.from({ length: 3 }, (_, index) =>
        visitor.ask('message:send', { chatId, content: `v${index}`, clientMessageId: `frozen-${index}` }),
      ),
    ]);
    for (const { status, headers, body } of await answers) {
      expect({ status, code: body.code, retryAfter: headers['retry-after'] }).toEqual({
        status: 503,
        code: 'unavailable',
        retryAfter: '1',
      });
      expect(headers['content-type']).toContain('application/problem+json');
    }
    expect(await handshake).toMatchObject({ data: { code: 'unavailable' } });
    for (const answer of await acks) expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    road.thaw();
    // A request that was done after all was done once.
    for (let index = 0; index < 20; index++) {
      const key = `frozen-${index}`;
      let status = 503;
      while (status === 503) {
        const sent = tenant.bot.post('/messages', { chatId, content: `${index}` }).set('Idempotency-Key', key);
        ({ status } = await sent);
      }
      expect(status).toBe(200);
    }
    const contents = (await tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body.messages
      .filter(({ sender }: { sender: { type: string } }) => sender.type === 'BOT')
      .map(({ content }: { content: string }) => Number(content));
    expect(contents.toSorted((a: number, b: number) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("a timed-out request doesn't break its connection, whose next request is answered", async () => {
    const socket = connect(Number(new URL(parley.url).port), '127.0.0.1');
    let said = '';
    const hears = async (pattern: RegExp) => {
      while (!pattern.test(said)) {
        said += await new Promise<string>((resolve, reject) => {
          socket.once('data', (chunk: Buffer) => resolve(chunk.toString()));
          socket.once('close', () => reject(new Error(`closed after ${said}`)));
        });
      }
    };
    const ask = (path: string) =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n\r\n`);
    road.freeze();
    ask('/api/bot/groups');
    await hears(/503 Service Unavailable[^]*"unavailable"/);
    road.thaw();
    said = '';
    // The first response may still finish behind the second.
    for (let count = 0; count < 3; count++) {
      said = '';
      ask('/health/live');
      await hears(/200 OK[^]*"ok"/);
    }
    socket.destroy();
  });

  it("a slow body and a ping of a slow webhook don't time out", async () => {
    const receiver = await Receiver.start((_, response) => void setTimeout(() => response.end(), 5_500));
    const webhook = await tenant.admin.post('/webhooks', { url: receiver.url, isEnabled: false }).expect(201);
    const ping = tenant.admin.post(`/webhooks/${webhook.body.id}/ping`).then(({ status, body }) => ({ status, body }));

    const body = JSON.stringify({ chatId: tenant.chatId, content: 'slowly' });
    const socket = connect(Number(new URL(parley.url).port), '127.0.0.1');
    const heard = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    socket.write(
      `POST /api/bot/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    setTimeout(() => socket.write(body.slice(10)), 5_500);
    expect(await heard).toMatch(/^HTTP\/1.1 200 OK/);
    socket.destroy();
    expect(await ping).toMatchObject({ status: 200, body: { status: 200, error: null } });
    await receiver.close();
  });
});
