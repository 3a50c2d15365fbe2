import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { CaptchaProvider } from '../support/captcha-provider.js';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { Scrape } from '../support/scrape.js';

const REPEATS = 60;
/** The most lines of one cause in a minute. Requests of one test may be in two of them. */
const MAX_LINES = 10;
const INFO = 30;

describe('the log lines that anyone can cause', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let provider: CaptchaProvider;
  let receiver: Receiver;
  let url: string;
  let own: Client;
  let widgetKey: string;
  let bot: Client;
  let visitorToken: string;
  let webhookId: string;
  let lines: Record<string, any>[];
  let scraped: Scrape;

  const repeat = async (send: (n: number) => PromiseLike<unknown>) => {
    for (let n = 0; n < REPEATS; n++) await send(n);
  };
  const begin = (more: object) =>
    request(url)
      .post('/api/visitor/sessions')
      .send({ widgetKey, ...more });
  const answers = (status: number, route: string) =>
    lines.filter((line) => line.msg === 'answered' && line.status === status && line.route === route);
  /** How many lines a cause left out, by the lines that count them. */
  const omitted = (cause: string) =>
    lines.reduce((sum, line) => sum + ((line.omitted as Record<string, number> | undefined)?.[cause] ?? 0), 0);

  beforeAll(async () => {
    database = await createDatabase();
    provider = await CaptchaProvider.start();
    receiver = await Receiver.start((_, response) => void response.writeHead(302, { Location: '/login' }).end());
    await start();
    await setUp();
    await beStrangers();
    await beKnown();
    scraped = await Scrape.of(url);
    await service.kill('SIGTERM');
    lines = service.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  });
  afterAll(async () => {
    await provider.close();
    await receiver.close();
    await database.drop();
  });

  async function start(): Promise<void> {
    const PORT = await freePort();
    url = `http://127.0.0.1:${PORT}`;
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: temporaryDirectory(),
      PORT,
      ADMIN_TOKEN: 'admin-token-of-the-test',
      SECRET_KEY: 'secret-key-of-the-test',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      WRONG_TOKEN_LIMIT: '0',
      VISITOR_RATE_LIMIT: '0',
      LOG_LEVEL: 'info',
      DEMO: '0',
    });
  }

  async function setUp(): Promise<void> {
    const admin = new Client(`${url}/api/admin/organizations`, 'admin-token-of-the-test');
    const { body: organization } = await admin.post('', { name: 'Shop' }).expect(201);
    widgetKey = organization.widgetKey;
    own = admin.below(`/${organization.id}`);
    const { body: made } = await own.post('/bots', { name: 'Echo' }).expect(201);
    bot = new Client(`${url}/api/bot`, (await own.post(`/bots/${made.id}/tokens`, {}).expect(201)).body.token);
    visitorToken = (await begin({}).expect(201)).body.token;
    const captcha = { provider: 'TURNSTILE', siteKey: 'site', secret: 'the-secret', verifyUrl: provider.url };
    await own.put('/captcha', captcha).expect(200);
    webhookId = (await own.post('/webhooks', { url: receiver.url }).expect(201)).body.id;
  }

  async function beStrangers(): Promise<void> {
    await repeat((n) => request(url).get(`/nowhere-${n}`).expect(404));
    await repeat(() => new Client(`${url}/api/bot`, 'wrong').get('/groups').expect(401));
    await repeat(() => begin({ merge: 'yes' }).expect(400));
    const anonymous = new Client(`${url}/api/visitor`, visitorToken);
    await repeat((n) => anonymous.get(`/chats/none-${n}/messages`).expect(404));
    provider.fault = 'fails';
    await repeat((n) => begin({ visitor: { captcha: `solved-${n}` } }).expect(503));
  }

  async function beKnown(): Promise<void> {
    await repeat((n) => bot.get(`/chats/none-${n}`).expect(404));
    await repeat((n) => own.get(`/chats/none-${n}`).expect(404));
    const { body: chat } = await own.post('/chats', {}).expect(201);
    await repeat(() => bot.post('/messages', { chatId: chat.id, content: 'hello' }).expect(200));
    await receiver.count(REPEATS);
  }

  it.each([
    [404, 'unmatched', '404 unmatched'],
    [401, '/api/bot/groups', '401 /api/bot/groups'],
    [400, '/api/visitor/sessions', '400 /api/visitor/sessions'],
    [404, '/api/visitor/chats/:id/messages', ''],
    [503, '/api/visitor/sessions', '503 /api/visitor/sessions'],
  ])('%i of %s is logged some times a minute, with the number of further ones', (status, route, cause) => {
    const actual = route.includes(':')
      ? lines.find((line) => line.route?.startsWith('/api/visitor/chats/:'))!.route
      : route;
    const found = answers(status, actual);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(MAX_LINES);
    expect(found.every(({ level }) => level === INFO)).toBe(true);
    expect(found.length + omitted(cause || `404 ${actual}`)).toBe(REPEATS);
  });

  it('a captcha that is not checked is no warning, and is logged some times a minute', () => {
    const found = lines.filter(({ msg }) => msg === 'a captcha was not checked');
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(MAX_LINES);
    // The start warns about the settings of the tests' database.
    expect(lines.filter(({ level, context }) => level > INFO && context !== 'Database')).toEqual([]);
  });

  it('a webhook that redirects is logged some times a minute, with what its receiver answered', () => {
    const found = lines.filter((line) => line.webhookId === webhookId);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(MAX_LINES);
    const reason = `answered 302: a redirect within ${new URL(receiver.url).origin}, which isn't followed`;
    expect(found[0]).toMatchObject({ level: INFO, status: 302, reason });
    expect(JSON.stringify(found)).not.toContain('/login');
  });

  it('every request with a valid token of a bot or an administrator has its line', () => {
    expect(answers(404, '/api/bot/chats/:chatId')).toHaveLength(REPEATS);
    expect(answers(404, '/api/admin/organizations/:organizationId/chats/:chatId')).toHaveLength(REPEATS);
  });

  it('metrics count every request', () => {
    const count = (method: string, route: string, status: string) =>
      scraped.value('parley_http_requests_total', { method, route, status });
    expect(count('GET', 'unmatched', '404')).toBe(REPEATS);
    expect(count('GET', '/api/bot/groups', '401')).toBe(REPEATS);
    expect(count('POST', '/api/visitor/sessions', '503')).toBe(REPEATS);
  });
});
