import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { type Bot, createBot, type MessageTurn } from '../../packages/bot/src/index.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('the SDK over a webhook', () => {
  let parley: Parley;
  let tenant: Tenant;
  let server: Server;
  let bot: Bot;
  let secret: string;
  let webhook: string;
  let listener: RequestListener;
  let fail: boolean;
  const log: string[] = [];

  beforeAll(async () => {
    const WEBHOOK_RETRY_SECONDS = Array(20).fill('0.2').join();
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    fail = false;
    tenant = await parley.createTenant();
    server = createServer((request, response) => {
      if (fail) return void response.writeHead(500).end();
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // All events of all senders: the SDK ignores events that aren't for the bot.
    const { body } = await tenant.admin.post('/webhooks', { url: url() }).expect(201);
    ({ secret, id: webhook } = body);
    log.length = 0;
    start(({ message, reply }) => reply(`You said: ${message.content}`));
  });
  afterEach(async () => {
    await bot.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const start = (handler: (turn: MessageTurn) => unknown) => {
    bot = createBot({ url: parley.url, token: tenant.token, log: (line) => log.push(line) }).on('message', handler);
    listener = bot.webhook({ secret });
  };
  const say = (content: string) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);
  const contents = async (): Promise<string[]> => {
    const { body } = await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200);
    return body.messages.map(({ content }: { content: string }) => content);
  };
  const deliveries = async (): Promise<any[]> =>
    (await tenant.admin.get(`/webhooks/${webhook}/deliveries`).expect(200)).body.deliveries;
  const delivered = (count: number) =>
    eventually(deliveries, (all) => all.length === count && all.every(({ status }) => status === 'delivered'));

  it('an event that is not about a chat is taken, and no handler gets it', async () => {
    await tenant.bot.patch(`/visitors/${tenant.visitorId}`, { attributes: { plan: 'gold' } }).expect(200);
    const [delivery] = await delivered(1);
    expect(delivery).toMatchObject({ type: 'visitor.updated', attempts: [{ status: 204 }] });
    await say('hello');
    await delivered(3);
    expect(await contents()).toEqual(['hello', 'You said: hello']);
  });

  it('the SDK replies to each visitor once, even after redeliveries, and ignores its own messages', async () => {
    await say('hello');
    const all = await delivered(2);
    const asked = all.find(({ eventId }) => eventId === all.at(-1).eventId);
    await tenant.admin.post(`/webhooks/${webhook}/deliveries/${asked.id}/redeliver`).expect(202);
    await eventually(deliveries, (seen) => seen.some(({ attempts }) => attempts.length === 2));
    start(() => {
      throw new Error('the same event, in a new process');
    });
    fail = true;
    await say('again');
    await eventually(deliveries, ([newest]) => newest.attempts.length > 1);
    await bot.stop();
    start(({ reply }) => reply('an answer'));
    fail = false;
    await delivered(4);
    expect(await contents()).toEqual(['hello', 'You said: hello', 'again', 'an answer']);
  });

  it('the SDK answers a ping, and serves behind Express', async () => {
    const app = express();
    app.post('/hook', bot.webhook({ secret: ['whsec_c29tZXRoaW5nIG9sZA==', secret] }));
    listener = app as unknown as RequestListener;
    const { body } = await tenant.admin.post(`/webhooks/${webhook}/ping`).expect(200);
    expect(body).toMatchObject({ status: 204 });
    await say('hello');
    await delivered(2);
    expect(await contents()).toEqual(['hello', 'You said: hello']);
  });

  it("the SDK takes the raw body that Express read, and says what's wrong with a parsed one", async () => {
    const app = express();
    app.post('/hook', express.raw({ type: '*/*' }), bot.webhook({ secret }));
    listener = app as unknown as RequestListener;
    expect((await tenant.admin.post(`/webhooks/${webhook}/ping`).expect(200)).body.status).toBe(204);
    const parsing = express();
    parsing.post('/hook', express.json(), bot.webhook({ secret }));
    listener = parsing as unknown as RequestListener;
    expect((await tenant.admin.post(`/webhooks/${webhook}/ping`).expect(200)).body.status).toBe(503);
    expect(log.join()).toContain('before express.json()');
  });

  it("the SDK rejects requests that aren't signed by Parley, are too old, or aren't events", async () => {
    const body = JSON.stringify({ id: 'evt_x', type: 'ping', data: { webhookId: webhook } });
    const post = async (signed: string, at = new Date(), text = body) => {
      const signature = new Webhook(signed).sign('evt_x', at, body);
      const timestamp = String(Math.floor(at.getTime() / 1000));
      const headers = { 'webhook-id': 'evt_x', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      return (await fetch(url(), { method: 'POST', headers, body: text })).status;
    };
    expect(await post(secret)).toBe(204);
    expect(await post(`whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(401);
    expect(await post(secret, new Date(Date.now() - 400_000))).toBe(401);
    expect(await post(secret, new Date(Date.now() + 400_000))).toBe(401);
    expect(await post(secret, new Date(), body.replace('ping', 'pong'))).toBe(401);
    expect(await post(secret, new Date(), 'x'.repeat(300_000))).toBe(413);
    expect((await fetch(url(), { method: 'POST', body })).status).toBe(401);
    expect((await fetch(url())).status).toBe(405);
  });

  it("an event that isn't handled when the bot stops is sent again", async () => {
    await bot.stop();
    await say('hello');
    await eventually(deliveries, ([newest]) => newest?.attempts.some(({ status }: any) => status === 503));
    start(({ reply }) => reply('now'));
    await delivered(2);
    expect(await contents()).toEqual(['hello', 'now']);
  });

  it("the SDK's webhook needs a secret", () => {
    expect(() => bot.webhook({ secret: '' })).toThrow('secret is missing');
  });

  it("the SDK doesn't answer a message that has been answered", async () => {
    let isOver = false;
    start(({ ignore }) => until('the handler may end', () => isOver).then(ignore));
    const inner = listener;
    let isAnswered = false;
    listener = (request, response) => {
      inner(request, response);
      response.writeHead(503).end();
      isAnswered = true;
    };
    await say('hello');
    await until('a server with a time limit has answered', () => isAnswered);
    listener = inner;
    isOver = true;
    await delivered(1);
    expect(log).toEqual([]);
  });
});
