import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { MetricsText } from '../../src/api/public/health/metrics-text.js';
import { isSameMachine } from '../../src/api/public/health/same-machine.js';
import { VisitorMissedMessages } from '../../src/live/visitors/visitor-missed-messages.js';
import { eventually } from '../support/eventually.js';
import { BUILD } from '../../src/platform/telemetry/build.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { Scrape } from '../support/scrape.js';

describe('metrics', () => {
  let parley: Parley;
  let tenant: Tenant;
  let before: Scrape;

  const scrape = () => Scrape.of(parley.url);
  /** How much a number has grown since the last `begin`. */
  const growth = (after: Scrape, name: string, labels: Record<string, string> = {}) =>
    (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
  const begin = async () => void (before = await scrape());
  const send = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content });

  beforeAll(async () => {
    const limits = { BOT_RATE_LIMIT: '1000', VISITOR_RATE_LIMIT: '15', DATABASE_POOL_SIZE: '7' };
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.05', ...limits });
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  it('metrics count requests by method, route, and status', async () => {
    await begin();
    for (const content of ['one', 'two', 'three']) await send(content).expect(200);
    await send('').expect(400);
    await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    await tenant.bot.get('/chats/cht_none').expect(404);
    await parley.bot('wrong').get('/groups').expect(401);
    await parley.admin.get('/org_none').expect(404);
    const after = await scrape();
    const of = (method: string, route: string, status: string) =>
      growth(after, 'parley_http_requests_total', { method, route, status });
    expect(of('POST', '/api/bot/messages', '200')).toBe(3);
    expect(of('POST', '/api/bot/messages', '400')).toBe(1);
    expect(of('GET', '/api/bot/chats/:chatId', '200')).toBe(1);
    expect(of('GET', '/api/bot/chats/:chatId', '404')).toBe(1);
    expect(of('GET', '/api/bot/groups', '401')).toBe(1);
    expect(of('GET', '/api/admin/organizations/:organizationId', '404')).toBe(1);
    const route = { method: 'POST', route: '/api/bot/messages' };
    expect(growth(after, 'parley_http_request_duration_seconds_count', route)).toBe(4);
    expect(growth(after, 'parley_http_request_duration_seconds_sum', route)).toBeGreaterThan(0);
    expect(after.value('parley_http_requests_in_flight')).toBe(1);
  });

  it('metrics count the turns, the answers, and the refused requests of single bots', async () => {
    await begin();
    const bot = { bot: tenant.botId };
    await parley
      .visitor(tenant.visitorToken)
      .post(`/chats/${tenant.chatId}/messages`, { content: 'hello' })
      .expect(201);
    await send('hi').expect(200);
    await send('anything else?').expect(200);
    const transfer = (cause: object) => tenant.bot.post('/transfer', { chatId: tenant.chatId, cause });
    for (let number = 0; number < 12; number++) await transfer({ name: `Error${number}`, message: '' }).expect(200);
    await transfer({ name: 'a "strange" name\n', message: 'x' }).expect(200);
    await transfer({ name: '', message: 'x' }).expect(400);
    await transfer({ name: 'Error' }).expect(400);
    const after = await scrape();
    expect(growth(after, 'parley_bot_turns_total', { ...bot, outcome: 'answered' })).toBe(1);
    expect(growth(after, 'parley_bot_turns_total', { ...bot, outcome: 'failed' })).toBe(13);
    expect(growth(after, 'parley_bot_answer_duration_seconds_count', bot)).toBe(1);
    expect(growth(after, 'parley_bot_failures_total', { ...bot, cause: 'Error9' })).toBe(1);
    expect(growth(after, 'parley_bot_failures_total', { ...bot, cause: 'other' })).toBe(3);
    await tenant.bot.post(`/chats/${tenant.chatId}/return`, {}).expect(200);
  });

  it("metrics have only the service's routes, for any request", async () => {
    await begin();
    for (const path of ['/nowhere', '/api/bot/secret-1', '/%zz', '/api/bot/chats/%zz'])
      await request(parley.url).get(path);
    await request(parley.url).put('/api/bot/messages');
    await new Promise<void>((resolve, reject) => {
      const { hostname, port } = new URL(parley.url);
      httpRequest({ hostname, port, method: 'PROPFIND', path: '/a' }, (answer) => answer.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
    const after = await scrape();
    expect(growth(after, 'parley_http_requests_total', { route: 'unmatched' })).toBeGreaterThanOrEqual(5);
    expect(growth(after, 'parley_http_requests_total', { method: 'other' })).toBe(1);
    expect(after.text).not.toMatch(/nowhere|secret|PROPFIND|%zz/);
    for (const id of [tenant.id, tenant.chatId, tenant.visitorId]) expect(after.text).not.toContain(id);
  });

  it("metrics count a client that doesn't wait for its response as aborted", async () => {
    await begin();
    const holder = await parley.database.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE groups');
    const given = new AbortController();
    const asked = fetch(`${parley.url}/api/bot/groups`, {
      headers: { Authorization: `Bearer ${tenant.token}` },
      signal: given.signal,
    }).catch(() => null);
    await eventually(scrape, (seen) => seen.value('parley_http_requests_in_flight') === 2);
    given.abort();
    await asked;
    const of = (seen: Scrape) => growth(seen, 'parley_http_requests_total', { status: 'aborted' });
    const after = await eventually(scrape, (seen) => of(seen) === 1);
    expect(growth(after, 'parley_http_requests_total', { route: '/api/bot/groups', status: 'aborted' })).toBe(1);
    await holder.query('COMMIT');
    holder.release();
  });

  it('metrics show how messages were stored: by sender type, batch size, and queue length', async () => {
    await begin();
    await Promise.all(Array.from({ length: 20 }, (_, index) => send(`${index}`).expect(200)));
    await parley
      .visitor(tenant.visitorToken)
      .post(`/chats/${tenant.chatId}/messages`, { content: 'hello' })
      .expect(201);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    const after = await scrape();
    const stored = (sender: string) => growth(after, 'parley_message_send_duration_seconds_count', { sender });
    expect([stored('BOT'), stored('VISITOR'), stored('SYSTEM'), stored('AGENT')]).toEqual([20, 1, 1, 0]);
    // The transfer's transaction stores the system message.
    expect(growth(after, 'parley_append_batch_size_sum')).toBe(21);
    const statements = growth(after, 'parley_append_batch_size_count');
    expect(statements).toBeLessThanOrEqual(21);
    expect(growth(after, 'parley_append_statement_duration_seconds_count')).toBe(statements);
    for (const queue of ['append', 'append_alone', 'token_check', 'webhook_result', 'database_connection'])
      expect(after.value('parley_queue_depth', { queue })).toBe(0);
  });

  it('metrics show sockets, their requests, and their events', async () => {
    await begin();
    await expect(parley.connectVisitor('wrong')).rejects.toThrow();
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    await visitor.ask('chat:open', { chatId: 'cht_none' });
    await visitor.ask('message:send', { chatId: tenant.chatId, content: 'from a socket' });
    await visitor.ask('nonsense', {});
    await visitor.next('message');
    const after = await scrape();
    expect([after.value('parley_sockets'), after.value('parley_live_chats')]).toEqual([1, 1]);
    const asked = (name: string, outcome: string) =>
      growth(after, 'parley_socket_requests_total', { request: name, outcome });
    expect([asked('chat:open', 'ok'), asked('chat:open', 'not_found'), asked('message:send', 'ok')]).toEqual([1, 1, 1]);
    expect(asked('other', 'not_found')).toBe(1);
    expect(growth(after, 'parley_socket_refused_total', { reason: 'unauthorized' })).toBe(1);
    expect(growth(after, 'parley_live_delivery_delay_seconds_count', { source: 'here' })).toBe(1);
    visitor.close();
    await eventually(scrape, (seen) => seen.value('parley_sockets') === 0 && seen.value('parley_live_chats') === 0);
  });

  it('metrics show why Parley closed a socket', async () => {
    await begin();
    const { token } = (await parley.beginSession(tenant).expect(201)).body;
    await parley.connectVisitor(token);
    await parley.visitor(token).delete('/sessions').expect(204);
    const why = { reason: 'session_ended' };
    await eventually(scrape, (seen) => growth(seen, 'parley_socket_ended_total', why) === 1);
  });

  it('metrics count missed messages that the database poll found', async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    await begin();
    // Another process has stored it, and its hint was lost.
    const other = await Parley.start({}, parley.databaseUrl);
    await other.bot(tenant.token).post('/messages', { chatId: tenant.chatId, content: 'missed' }).expect(200);
    await other.stop();
    await (parley.app.get(VisitorMissedMessages) as unknown as { sweep: { run(): Promise<void> } }).sweep.run();
    expect(await visitor.next('message')).toMatchObject({ content: 'missed' });
    expect(growth(await scrape(), 'parley_live_delivery_delay_seconds_count', { source: 'sweep' })).toBe(1);
    visitor.close();
  });

  it('webhook metrics start at 0, so that an increase shows the first event', async () => {
    const fresh = await Parley.start({}, parley.databaseUrl);
    const seen = await Scrape.of(fresh.url);
    await fresh.stop();
    const of = (name: string, outcomes: string[]) =>
      outcomes.map((outcome) => seen.value(`parley_webhook_${name}`, { outcome }));
    expect(of('deliveries_total', ['delivered', 'retry', 'dead', 'gone'])).toEqual([0, 0, 0, 0]);
    for (const name of ['attempts_total', 'attempt_duration_seconds_count'])
      expect(of(name, ['delivered', 'failed'])).toEqual([0, 0]);
  });

  it('metrics show the outcomes of webhook deliveries', async () => {
    const receiver = await Receiver.start((_received, response) => void response.writeHead(500).end());
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await begin();
    await send('refused twice').expect(200);
    const of = (seen: Scrape, outcome: string) => growth(seen, 'parley_webhook_deliveries_total', { outcome });
    await eventually(scrape, (seen) => of(seen, 'dead') === 1);
    receiver.become((_received, response) => void response.end());
    await send('taken').expect(200);
    const after = await eventually(scrape, (seen) => of(seen, 'delivered') === 1);
    expect([of(after, 'retry'), of(after, 'dead'), of(after, 'gone')]).toEqual([1, 1, 0]);
    const made = (name: string, outcome: string) => growth(after, `parley_webhook_${name}`, { outcome });
    expect([made('attempts_total', 'failed'), made('attempts_total', 'delivered')]).toEqual([2, 1]);
    expect(made('attempt_duration_seconds_count', 'failed')).toBe(2);
    expect(after.value('parley_webhook_deliveries_dead')).toBe(1);
    expect(after.value('parley_webhook_attempts_in_flight')).toBe(0);
    expect(after.value('parley_webhook_oldest_due_age_seconds', { receiver: 'failing' })).toBe(0);
    await receiver.close();
  });

  it('metrics count rejected requests by limit', async () => {
    await begin();
    let refused = 0;
    const burst = async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => parley.beginSession(tenant)));
      return (refused += answers.filter(({ status }) => status === 429).length);
    };
    // A slow machine may spread a burst over several windows of the limit.
    await eventually(burst, (count) => count > 0);
    const after = await scrape();
    expect(growth(after, 'parley_rate_limited_total', { limit: 'sessions' })).toBe(refused);
    expect(growth(after, 'parley_rate_limited_total', { limit: 'bot' })).toBe(0);
  });

  it('metrics show the process, its connections, and its version', async () => {
    const seen = await scrape();
    expect(BUILD.commit).toMatch(/^(?:[0-9a-f]{7,40}(?:-dirty)?|unknown)$/);
    expect(seen.value('parley_build_info', { ...BUILD, node: process.version })).toBe(1);
    expect([seen.value('parley_ready'), seen.value('parley_database_connections_max')]).toEqual([1, 7]);
    const connections = seen.value('parley_database_connections');
    expect(connections).toBeGreaterThan(0);
    expect(connections).toBeLessThanOrEqual(7);
    expect(seen.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(seen.value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(seen.names.filter((name) => name.startsWith('parley_redis'))).toEqual([]);
  });
});

describe('METRICS_TOKEN', () => {
  it('METRICS_TOKEN rejects everyone without it', async () => {
    const METRICS_TOKEN = 'a-token-for-prometheus';
    const parley = await Parley.start({ METRICS_TOKEN });
    const ask = (token?: string) => {
      const asked = request(parley.url).get('/metrics');
      return token === undefined ? asked : asked.set('Authorization', `Bearer ${token}`);
    };
    const { headers } = await ask().expect(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    await ask('wrong').expect(401);
    expect((await ask(METRICS_TOKEN).expect(200)).text).toContain('parley_build_info');
    await request(parley.url).get('/health/ready').expect(200);
    await parley.stop();
  });
});

describe('/metrics without METRICS_TOKEN', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start({ TRUST_PROXY: 'loopback' });
  });
  afterAll(() => parley.stop());

  const ask = async (head: string[], version = '1.1') => {
    const socket = connect(Number(new URL(parley.url).port), '127.0.0.1');
    socket.write([`GET /metrics HTTP/${version}`, 'Connection: close', ...head, '', ''].join('\r\n'));
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  };

  it.each([['Host: 127.0.0.1:3000'], ['Host: localhost:9090'], ['Host: [::1]:3000'], ['Host: 127.0.0.2']])(
    '/metrics without METRICS_TOKEN answers this machine (%s)',
    async (host) => {
      expect(await ask([host])).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it.each([
    ['a proxy', ['Host: localhost', 'X-Forwarded-For: 192.0.2.1'], '1.1'],
    ['a proxy that says it was this machine', ['Host: localhost', 'X-Forwarded-For: 127.0.0.1'], '1.1'],
    ['a proxy that says it otherwise', ['Host: localhost', 'Forwarded: for=192.0.2.1'], '1.1'],
    ['a proxy that says nothing, as nginx', ['Host: localhost:3000'], '1.0'],
    ['a proxy that passes the name on', ['Host: chat.example'], '1.1'],
    ['a tunnel', ['Host: localhost:3000', 'CF-Connecting-IP: 192.0.2.1'], '1.1'],
  ])('/metrics without METRICS_TOKEN rejects %s, and names the variable', async (_name, head, version) => {
    const answer = await ask(head, version);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('METRICS_TOKEN');
    expect(answer).not.toContain('parley_build_info');
  });

  it("/metrics without METRICS_TOKEN rejects an address that isn't loopback", () => {
    const from = (remoteAddress: string) =>
      isSameMachine({ socket: { remoteAddress }, headers: { host: 'localhost' }, httpVersion: '1.1' } as never);
    expect(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'].map(from)).toEqual([true, true, true, true]);
    expect(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '172.17.0.1', ''].map(from)).not.toContain(true);
  });

  it('all requests within a second get the same scrape, and later ones a new one', async () => {
    const made = parley.app.get(MetricsText);
    expect(new MetricsText(null as never).maxAgeMs).toBe(1_000);
    made.maxAgeMs = 600_000;
    const texts = new Set<string>();
    texts.add((await Scrape.of(parley.url)).text);
    for (let count = 0; count < 3; count++) {
      await request(parley.url).get('/nowhere').expect(404);
      texts.add((await Scrape.of(parley.url)).text);
    }
    expect(texts.size).toBe(1);
    made.maxAgeMs = 0;
    const fresh = await Scrape.of(parley.url);
    expect(texts).not.toContain(fresh.text);
    expect(fresh.value('parley_http_requests_total', { route: 'unmatched' })).toBe(3);
    const together = await Promise.all(Array.from({ length: 20 }, () => Scrape.of(parley.url)));
    expect(new Set(together.map(({ text }) => text)).size).toBeLessThan(20);
  });
});
