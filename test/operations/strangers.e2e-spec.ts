import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { VisitorSocket } from '../support/visitor.js';
import { Pipeline, request } from './support/pipeline.js';

const LIVE = request('/health/live');

describe('connections of strangers', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ VISITOR_CONNECTION_LIMIT: '4' });
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const ofBot = () => request('/api/bot/me', { headers: [`Authorization: Bearer ${tenant.token}`] });
  const poll = () => request('/api/bot/events?wait=25', { headers: [`Authorization: Bearer ${tenant.token}`] });

  it('the oldest idle connection of an address closes when another one opens', async () => {
    const all: Pipeline[] = [];
    for (let count = 0; count < 4; count++) all.push(await Pipeline.open(parley.url));
    expect(await all[0]!.send(LIVE).answers(1)).toEqual([200]);
    const fifth = await Pipeline.open(parley.url);
    expect(await fifth.send(LIVE).answers(1)).toEqual([200]);
    expect(await all[0]!.end()).toEqual([200]);
    expect(await all[3]!.send(LIVE).answers(1)).toEqual([200]);
    for (const one of [...all, fifth]) one.close();
    const scrape = await Scrape.of(parley.url);
    expect(
      scrape.value('parley_http_connections_closed_total', { limit: 'connections_of_address' }),
    ).toBeGreaterThanOrEqual(1);
  });

  it("a bot's connections stay open, idle or not", async () => {
    const idle = await Pipeline.open(parley.url);
    expect(await idle.send(ofBot()).answers(1)).toEqual([200]);
    const waiting = (await Pipeline.open(parley.url)).send(poll());
    await parley.bot(tenant.token).get('/me').expect(200);
    const others: Pipeline[] = [];
    for (let count = 0; count < 12; count++) {
      const other = await Pipeline.open(parley.url);
      expect(await other.send(LIVE).answers(1)).toEqual([200]);
      others.push(other);
    }
    await others[0]!.end();
    expect(await idle.send(ofBot()).answers(2)).toEqual([200, 200]);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    expect(waiting.isClosed).toBe(false);
    for (const one of [...others, idle, waiting]) one.close();
  });

  it("sockets and their polls aren't counted as strangers", async () => {
    const sockets = await Promise.all(
      ['websocket', 'polling'].map((transport) =>
        VisitorSocket.connect(parley.url, tenant.visitorToken, { transports: [transport as 'polling'] }),
      ),
    );
    for (let count = 0; count < 10; count++) await (await Pipeline.open(parley.url)).send(LIVE).answers(1);
    for (const socket of sockets) {
      expect(await socket.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
      socket.close();
    }
  });

  it("a trusted proxy's connections have no limit", async () => {
    const proxied = await Parley.start({ VISITOR_CONNECTION_LIMIT: '4', TRUST_PROXY: '1' }, parley.databaseUrl);
    const all: Pipeline[] = [];
    for (let count = 0; count < 12; count++) all.push(await Pipeline.open(proxied.url));
    for (const one of all) expect(await one.send(LIVE).answers(1)).toEqual([200]);
    for (const one of all) one.close();
    await proxied.stop();
  });
});

describe('requests without a token', () => {
  /** 10 a second for strangers. */
  const environment = { VISITOR_RATE_LIMIT: '1' };
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start(environment);
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const flood = async (ask: () => supertest.Test): Promise<supertest.Response> => {
    for (;;) {
      const answers = await Promise.all(Array.from({ length: 30 }, ask));
      const refused = answers.find(({ status }) => status === 429);
      if (refused) return refused;
    }
  };

  it.each([
    '/docs/',
    '/DOCS/',
    '/console',
    '/widget.js',
    '/sdk/parley-bot.tgz',
    '/api/bot/docs',
    '/API/admin/docs/',
    '/nowhere',
    '/api/bot/nowhere',
    '/api/bot/me',
    '/errors',
    '/demo',
    '/health/live',
    '/health/ready',
    '/metrics',
  ])('%s has a rate by address', async (path) => {
    const { headers, body } = await flood(() => supertest(parley.url).get(path));
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('application/problem+json'),
      'retry-after': '1',
      'x-content-type-options': 'nosniff',
      'x-request-id': body.requestId,
    });
    expect(body).toMatchObject({ code: 'rate_limited', status: 429 });
  });

  it('preflights have one too', async () => {
    await flood(() => supertest(parley.url).options('/api/visitor/chats'));
  });

  it('requests to open a socket have one too', async () => {
    await flood(() => supertest(parley.url).get('/socket.io/?EIO=4&transport=polling'));
    await flood(() => supertest(parley.url).get('/socket.io/?EIO=4&transport=polling&sid=made-up'));
  });

  it("a flood doesn't fail a bot's requests or health checks from the same address", async () => {
    const isReady = async () => (await supertest(parley.url).get('/health/ready')).status === 200;
    await until('the flood of health checks is over', isReady);
    await flood(() => supertest(parley.url).get('/docs/'));
    await tenant.bot.get('/me').expect(200);
    await flood(() => supertest(parley.url).get('/docs/'));
    await supertest(parley.url).get('/health/ready').expect(200);
  });

  it('the rest of a pipeline is dropped with the refusal', async () => {
    const isRefused = (all: number[]) => all.at(-1) === 429;
    const sendNine = async () => {
      await flood(() => supertest(parley.url).get('/docs/'));
      const pipeline = (await Pipeline.open(parley.url)).send(...Array<string>(9).fill(request('/nowhere')));
      const seen = await pipeline.answers(9);
      if (isRefused(seen)) return pipeline.end();
      pipeline.close();
      return seen;
    };
    // The limit's window may end just before they arrive. Then all are answered 404.
    expect((await eventually(sendNine, isRefused)).length).toBeLessThan(12);
  });
});
