import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { type Bot, createBot, verifyWebhook, WebhookError } from '../../packages/bot/src/index.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

type FetchHandler = ReturnType<Bot['fetch']>;

const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
const BODY = JSON.stringify({ id: 'evt_x', type: 'ping', data: { webhookId: 'whk_x' } });

/** The headers of a signed request. */
function sign(body: string, { secret = SECRET, at = new Date() } = {}): Record<string, string> {
  return {
    'webhook-id': 'evt_x',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_x', at, body),
  };
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const OTHER = `whsec_${Buffer.alloc(32).toString('base64')}`;

describe("the SDK's fetch handler", () => {
  let parley: Parley;
  let tenant: Tenant;
  let server: Server;
  let handler: FetchHandler;
  let bot: Bot;
  let secret: string;
  const log: string[] = [];

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    server = createServer((request, response) => {
      void request.toArray().then(async (chunks) => {
        const headers = request.headers as Record<string, string>;
        const body = request.method === 'POST' ? Buffer.concat(chunks) : undefined;
        const answer = await handler(new Request('http://bot.test/hook', { method: request.method, headers, body }));
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    ({ secret } = (await tenant.admin.post('/webhooks', { url }).expect(201)).body);
    log.length = 0;
    bot = createBot({ url: parley.url, token: tenant.token, log: (line) => log.push(line) });
    bot.on('message', ({ message, reply }) => reply(`You said: ${message.content}`));
    handler = bot.fetch({ secret: [OTHER, secret] });
  });
  afterEach(async () => {
    await bot.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('the fetch handler replies to visitors', async () => {
    await parley
      .visitor(tenant.visitorToken)
      .post(`/chats/${tenant.chatId}/messages`, { content: 'hello' })
      .expect(201);
    const contents = async () =>
      (await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200)).body.messages.map(
        ({ content }: { content: string }) => content,
      );
    await eventually(contents, (seen: string[]) => seen.join() === 'hello,You said: hello');
    expect(log).toEqual([]);
  });

  it("the fetch handler rejects requests that Parley didn't sign, and logs why once a minute", async () => {
    handler = bot.fetch({ secret: SECRET });
    const post = async (headers: Record<string, string>, body = BODY) =>
      (await handler(new Request('http://bot.test', { method: 'POST', headers, body }))).status;
    expect(await post(sign(BODY))).toBe(204);
    expect(log).toEqual([]);
    expect(await post(sign(BODY, { at: ago(400) }))).toBe(401);
    expect(log).toEqual([expect.stringMatching(/the signature is 40\d s old: is the clock of this machine right\?/)]);
    expect(await post(sign(BODY, { secret: OTHER }))).toBe(401);
    expect(await post(sign('other'))).toBe(401);
    expect(await post({})).toBe(401);
    expect(log).toHaveLength(1);
    expect(await post(sign(BODY), 'x'.repeat(300_000))).toBe(413);
    expect((await handler(new Request('http://bot.test'))).status).toBe(405);
  });

  it('the fetch handler keeps the platform from ending a handler whose event was already answered', async () => {
    let isOver = false;
    const own = createBot({ url: parley.url, token: tenant.token, log: (line) => log.push(line) });
    own.on('message', async ({ ignore }) => {
      await eventually(() => isOver, Boolean);
      ignore();
    });
    const { body: chat } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    const message = { id: 'msg_x', seq: 1, content: 'hello', sender: { type: 'VISITOR' } };
    const body = JSON.stringify({ id: 'evt_x', type: 'message.created', data: { chat, message } });
    const rest: Promise<unknown>[] = [];
    const answer = await own.fetch({ secret: SECRET, answer: 'atOnce' })(
      new Request('http://bot.test', { method: 'POST', headers: sign(body), body }),
      { waitUntil: (work) => rest.push(work) },
    );
    expect([answer.status, rest.length]).toEqual([202, 1]);
    isOver = true;
    await rest[0];
    await own.stop();
    expect(log).toEqual([]);
  });
});

describe('verifyWebhook', () => {
  it('verifyWebhook returns the event for any type of body and headers', async () => {
    const headers = sign(BODY);
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, bytes.buffer]) {
      expect(await verifyWebhook(body, new Headers(headers), SECRET)).toMatchObject({ id: 'evt_x', type: 'ping' });
    }
    expect(await verifyWebhook(Buffer.from(BODY), headers, [OTHER, SECRET])).toMatchObject({ id: 'evt_x' });
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    ['another secret', () => sign(BODY, { secret: OTHER }), /no signature fits/],
    ['another body', () => sign('{}'), /no signature fits/],
    ['what is no base64', () => ({ ...sign(BODY), 'webhook-signature': 'v1,§§ v1 v2,a' }), /no signature fits/],
    ['an old signature', () => sign(BODY, { at: ago(400) }), /4\d\d s old/],
    ['one ahead', () => sign(BODY, { at: ago(-600) }), /\d{3} s ahead/],
    ['a time that is none', () => ({ ...sign(BODY), 'webhook-timestamp': 'soon' }), /no number/],
    ['no signature', () => ({}), /not from Parley/],
  ])('verifyWebhook throws for %s', async (_, headersOf, reason) => {
    const error = await verifyWebhook(BODY, headersOf(), SECRET).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookError);
    expect(String(error)).toMatch(reason);
  });

  it('verifyWebhook computes one HMAC per secret for any number of signatures', async () => {
    const hmacs = (['sign', 'verify'] as const).map((name) => jest.spyOn(crypto.subtle, name));
    // Signed once: the second may end between two signatures.
    const signed = sign(BODY);
    const wrong = sign('{}')['webhook-signature'];
    const headers = { ...signed, 'webhook-signature': `${`${wrong} `.repeat(300)}${signed['webhook-signature']}` };
    expect(await verifyWebhook(BODY, headers, [OTHER, SECRET])).toMatchObject({ id: 'evt_x' });
    expect(hmacs.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(2);
    for (const hmac of hmacs) hmac.mockRestore();
  });

  it('verifyWebhook needs a secret', async () => {
    await expect(verifyWebhook(BODY, sign(BODY), '')).rejects.toThrow('secret is missing');
  });
});

describe("the SDK's files", () => {
  it('the SDK imports nothing of Node, so it runs on Workers, Deno, and Bun', () => {
    const folder = new URL('../../packages/bot/src/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const imports = files.flatMap((name) =>
      [...readFileSync(new URL(name, folder), 'utf8').matchAll(/from '([^']+)'/g)].map(([, source]) => source!),
    );
    expect(files.length).toBeGreaterThan(10);
    expect(imports.filter((source) => !/^\.\.?\//.test(source))).toEqual([]);
  });
});
