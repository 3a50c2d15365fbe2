import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import request from 'supertest';
import { eventually } from '../support/eventually.js';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';
import { Receiver } from '../support/receiver.js';
import { VisitorSocket } from '../support/visitor.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
/** What people write, own, and are called; each value is unique. */
const PRIVATE = [
  'said-by-the-bot',
  'said-by-the-visitor',
  'said-over-a-socket',
  'kept-in-metadata',
  'broken-json-content',
  'reason-of-the-transfer',
  'name-of-the-organization',
  'name-of-the-visitor',
  'visitor@mail.example',
  'name-of-the-agent',
  'agent@mail.example',
  'name-of-the-group',
  'name-of-the-bot',
  'path-of-the-webhook',
  'an-idempotency-key',
  'pasted-into-the-path',
  'pasted-into-the-query',
  'admin-token-of-the-test',
  'secret-key-of-the-test',
  'metrics-token-of-the-test',
];

describe('the log of a busy service', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let receiver: Receiver;
  let organizationId: string;
  const secrets = [...PRIVATE];

  const lines = (): Record<string, unknown>[] =>
    service.output
      .split('\n')
      // The last line may be incomplete.
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  const lineOf = (requestId: string) =>
    eventually(
      () => lines().find((line) => line.requestId === requestId),
      (line) => line !== undefined,
    );

  beforeAll(async () => {
    database = await createDatabase();
    receiver = await Receiver.start();
    const PORT = await freePort();
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: temporaryDirectory(),
      PORT,
      ADMIN_TOKEN: 'admin-token-of-the-test',
      SECRET_KEY: 'secret-key-of-the-test',
      METRICS_TOKEN: 'metrics-token-of-the-test',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      WEBHOOK_RETRY_SECONDS: '0.05',
      LOG_LEVEL: 'trace',
      DEMO: '0',
    });
    await beBusy(`http://127.0.0.1:${PORT}`);
  });
  afterAll(async () => {
    await service.kill('SIGTERM');
    await receiver.close();
    await database.drop();
  });

  async function beBusy(url: string): Promise<void> {
    const admin = new Client(`${url}/api/admin/organizations`, 'admin-token-of-the-test');
    const { body: organization } = await admin.post('', { name: 'name-of-the-organization' }).expect(201);
    organizationId = organization.id;
    const own = admin.below(`/${organization.id}`);
    const { body: group } = await own.post('/groups', { name: 'name-of-the-group' }).expect(201);
    const agent = { name: 'name-of-the-agent', email: 'agent@mail.example', groupIds: [group.id] };
    await own.post('/agents', agent).expect(201);
    await own.post('/agents', agent).expect(409);
    const { body: bot } = await own.post('/bots', { name: 'name-of-the-bot' }).expect(201);
    const { body: token } = await own.post(`/bots/${bot.id}/tokens`, {}).expect(201);
    const visitor = { name: 'name-of-the-visitor', email: 'visitor@mail.example' };
    const { body: chat } = await own.post('/chats', { visitor }).expect(201);
    const hook = `${receiver.url}/path-of-the-webhook`;
    const { body: webhook } = await own.post('/webhooks', { url: hook }).expect(201);
    await own.post(`/webhooks/${webhook.id}/ping`).expect(200);
    const rotated = await own.post(`/webhooks/${webhook.id}/rotate-secret`).expect(200);
    secrets.push(organization.identitySecret, token.token, chat.visitorToken, webhook.secret, rotated.body.secret);
    await sayThings(url, chat, new Client(`${url}/api/bot`, token.token));
    await goWrong(url, chat, new Client(`${url}/api/bot`, token.token));
    await own.get('/webhooks/none/deliveries?status=pasted-into-the-query').expect(400);
    await own.delete('').expect(204);
  }

  async function sayThings(url: string, chat: any, bot: Client): Promise<void> {
    const metadata = { note: 'kept-in-metadata' };
    const message = { chatId: chat.id, content: 'said-by-the-bot', metadata };
    const traced = { 'X-Request-Id': 'traced-1', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    await bot.post('/messages', message).set(traced).expect(200);
    await bot.post('/messages', message).set('Idempotency-Key', 'an-idempotency-key').expect(200);
    const other = { ...message, content: 'said-by-the-bot, again' };
    await bot.post('/messages', other).set('Idempotency-Key', 'an-idempotency-key').expect(422);
    await bot.post('/transfer', { chatId: chat.id, reason: 'reason-of-the-transfer' }).expect(200);
    await bot.get(`/chats/${chat.id}/messages`).expect(200);
    const visitor = new Client(`${url}/api/visitor`, chat.visitorToken);
    await visitor.post(`/chats/${chat.id}/messages`, { content: 'said-by-the-visitor' }).expect(201);
    const socket = await VisitorSocket.connect(url, chat.visitorToken);
    await socket.ask('chat:open', { chatId: chat.id });
    await socket.ask('message:send', { chatId: chat.id, content: 'said-over-a-socket' });
    await socket.ask('message:send', { chatId: chat.id, content: 'said-over-a-socket', metadata: 5 });
    socket.close();
    await receiver.count(6);
  }

  async function goWrong(url: string, chat: any, bot: Client): Promise<void> {
    await bot.post('/messages', '{"content":"broken-json-content').set('Content-Type', 'application/json').expect(400);
    await bot.post('/messages', { chatId: chat.id, content: { text: 'said-by-the-bot' } }).expect(400);
    await bot.get('/chats/pasted-into-the-path?cursor=pasted-into-the-query').expect(404);
    await request(url).get('/pasted-into-the-path').expect(404);
    await request(url).get('/metrics').set('Authorization', 'Bearer metrics-token-of-the-test').expect(200);
    await new Client(`${url}/api/bot`, 'pasted-into-the-path').get('/groups').expect(401);
    await new Client(`${url}/api/admin/organizations`, 'pasted-into-the-path').get('').expect(401);
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query('ALTER TABLE messages RENAME TO elsewhere');
    const message = { chatId: chat.id, content: 'said-by-the-bot', metadata: { note: 'kept-in-metadata' } };
    await bot.post('/messages', message).set('X-Request-Id', 'broken-1').expect(500);
    await new Client(`${url}/api/visitor`, chat.visitorToken)
      .post(`/chats/${chat.id}/messages`, { content: 'said-by-the-visitor' })
      .expect(500);
    const socket = await VisitorSocket.connect(url, chat.visitorToken);
    await socket.ask('message:send', { chatId: chat.id, content: 'said-over-a-socket' });
    socket.close();
    await client.query('ALTER TABLE elsewhere RENAME TO messages');
    await client.end();
  }

  it("a request's line says who asked for what, and has its trace", async () => {
    expect(await lineOf('traced-1')).toMatchObject({
      level: 20,
      msg: 'answered',
      traceId: TRACE,
      organizationId,
      method: 'POST',
      route: '/api/bot/messages',
      status: 200,
      durationMs: expect.any(Number),
    });
  });

  it("an error's line says the same, and the reason", async () => {
    const told = await eventually(
      () => lines().filter(({ requestId }) => requestId === 'broken-1'),
      ({ length }) => length >= 1,
    );
    const same = { level: 50, organizationId, method: 'POST', route: '/api/bot/messages' };
    expect(told).toMatchObject([
      { ...same, msg: 'request failed', status: 500, err: { code: '42P01', stack: expect.any(String) } },
    ]);
    expect(told[0]).not.toHaveProperty('traceId');
    await eventually(lines, (all) =>
      all.some(
        (line) =>
          line.msg === 'socket request failed' &&
          line.organizationId === organizationId &&
          line.request === 'message:send',
      ),
    );
  });

  it("an administrator's request has the organization, and every request has a route", () => {
    const asked = lines().filter(({ msg }) => msg === 'answered');
    expect(asked).toContainEqual(
      expect.objectContaining({ route: '/api/admin/organizations/:organizationId/groups', organizationId }),
    );
    expect(asked).toContainEqual(expect.objectContaining({ route: 'unmatched', status: 404 }));
    expect(asked.every(({ route, requestId }) => route && requestId)).toBe(true);
  });

  it('the log contains no secret, no content, and no name', () => {
    expect(service.output.length).toBeGreaterThan(5_000);
    for (const secret of secrets) {
      expect(secret).toMatch(/.{8}/);
      expect(service.output.split('\n').filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});
