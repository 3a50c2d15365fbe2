import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { ServiceProcess } from '../support/process.js';
import { freePort } from '../support/ports.mjs';

const run = promisify(execFile);
const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const [BOT, SETUP] = ['webhook-bot.mjs', 'setup.mjs'].map((file) => inRepository(`examples/webhook-bot/${file}`)) as [
  string,
  string,
];

type Behaviour = (request: IncomingMessage, response: ServerResponse, forward: () => Promise<number>) => unknown;

describe('the webhook bot', () => {
  let parley: Parley;
  let tenant: Tenant;
  let environment: NodeJS.ProcessEnv;
  let webhook: string;
  let bot: ServiceProcess;
  const closers: (() => void)[] = [];

  beforeAll(async () => {
    const WEBHOOK_RETRY_SECONDS = [...Array<string>(20).fill('0.2'), ...Array<string>(30).fill('1')].join();
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    const PORT = await freePort();
    environment = { PORT, PARLEY_URL: parley.url, PARLEY_TOKEN: tenant.token };
    const made = await setUp();
    webhook = made.WEBHOOK!;
    Object.assign(environment, made);
    bot = await start();
  });
  afterEach(async () => {
    await bot.kill('SIGTERM');
    for (const close of closers.splice(0)) close();
  });

  const hook = () => `http://127.0.0.1:${environment.PORT}/hook`;
  /** The variables that setup.mjs prints. */
  const setUp = async (): Promise<NodeJS.ProcessEnv> => {
    const env = { PARLEY_URL: parley.url, ADMIN_TOKEN, ORGANIZATION: tenant.id, HOOK_URL: hook() };
    const { stdout } = await run(process.execPath, [SETUP], { env });
    return Object.fromEntries([...stdout.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
  };
  const start = async (more: NodeJS.ProcessEnv = {}) => {
    const started = ServiceProcess.spawn({ ...environment, ...more }, BOT);
    await started.prints(/Listening/);
    return started;
  };
  const restart = async (signal: NodeJS.Signals = 'SIGTERM', more: NodeJS.ProcessEnv = {}) => {
    await bot.kill(signal);
    bot = await start(more);
  };
  const say = (content: string) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);
  const deliveries = async () =>
    (await tenant.admin.get(`/webhooks/${webhook}/deliveries`).expect(200)).body.deliveries;
  /** Waits until the newest of this many deliveries has been delivered, after this many attempts. */
  const delivered = async (count: number, attempts = 1) => {
    for (;;) {
      const all = await deliveries();
      const [newest] = all;
      if (all.length === count && newest.status === 'delivered' && newest.attempts.length >= attempts) return newest;
    }
  };
  const redeliver = async (id: string, attempts: number) => {
    await tenant.admin.post(`/webhooks/${webhook}/deliveries/${id}/redeliver`).expect(202);
    return delivered(1, attempts);
  };
  const messages = async () => (await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200)).body.messages;
  const contents = async () => (await messages()).map(({ content }: { content: string }) => content);
  /** A proxy between the bot and Parley; `forward` forwards the request and returns Parley's status. */
  const between = async (behave: Behaviour): Promise<string> => {
    const server = createServer((request, response) => {
      const forward = async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const {
          authorization,
          'content-type': type,
          'idempotency-key': key,
        } = request.headers as Record<string, string>;
        const headers = { authorization: authorization!, 'content-type': type!, 'idempotency-key': key! };
        const body = Buffer.concat(chunks);
        return (await fetch(parley.url + request.url, { method: 'POST', headers, body })).status;
      };
      void behave(request, response, forward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close().closeAllConnections());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it("the webhook bot answers a visitor's message with a choice once, despite restarts and redeliveries", async () => {
    await say('hello');
    const { id } = await delivered(1);
    const [, reply, ...others] = await messages();
    expect(others).toEqual([]);
    expect(reply).toMatchObject({ type: 'QUICK_REPLY', content: 'You said: hello', sender: { type: 'BOT' } });
    expect(reply.metadata.options).toEqual([
      { label: 'Talk to a person', value: 'human' },
      { label: 'Thanks', value: 'thanks' },
    ]);
    await redeliver(id, 2);
    expect(bot.output).toContain('is known');
    await restart();
    await redeliver(id, 3);
    expect(bot.output).toContain('200 again');
    expect(await contents()).toEqual(['hello', 'You said: hello']);
  });

  it("the webhook bot answers once when it's killed between its reply and its response to Parley", async () => {
    const held = new Promise<number>((resolve) => {
      const proxy = between(async (_request, _response, forward) => resolve(await forward()));
      void proxy.then((PARLEY_URL) => restart('SIGTERM', { PARLEY_URL })).then(() => say('hello'));
    });
    expect(await held).toBe(200);
    await restart('SIGKILL');
    const { attempts } = await delivered(1, 2);
    expect(attempts.slice(0, -1).every(({ status }: { status: number | null }) => status === null)).toBe(true);
    expect(bot.output).toContain('200 again');
    expect(await contents()).toEqual(['hello', 'You said: hello']);
  });

  it('an event is sent again when Parley or its token fails the webhook bot', async () => {
    const statuses = [500, 503, 429, 401];
    const PARLEY_URL = await between(async (_request, response, forward) => {
      const status = statuses.shift() ?? (await forward());
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
    });
    await restart('SIGTERM', { PARLEY_URL });
    await say('hello');
    const { attempts } = await delivered(1, 5);
    expect(attempts.map(({ status }: { status: number }) => status)).toEqual([503, 503, 503, 503, 200]);
    expect(await contents()).toEqual(['hello', 'You said: hello']);
  });

  it('the webhook bot hands the chat over on request, and is silent while agents have it', async () => {
    await say('Talk to a person');
    await delivered(1);
    await say('hello?');
    await delivered(2);
    expect(await contents()).toEqual(['Talk to a person', 'Chat transferred by bot', 'hello?']);
    const { body: chat } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    expect(chat.status).toBe('QUEUED');
  });

  it('the webhook bot completes an event of a chat that was closed before the hand-over', async () => {
    const PARLEY_URL = await between(async (_request, response, forward) => {
      await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
      response.writeHead(await forward(), { 'Content-Type': 'application/json' }).end('{"code":"conflict"}');
    });
    await restart('SIGTERM', { PARLEY_URL });
    await say('a human, please');
    expect((await delivered(1)).attempts).toHaveLength(1);
    expect(bot.output).toContain('409 conflict');
    expect(await contents()).toEqual(['a human, please', 'An administrator closed the chat']);
  });

  it("the webhook bot rejects requests that Parley didn't sign, and requests that aren't events", async () => {
    await say('hello');
    const { id } = await delivered(1);
    const { body: one } = await tenant.admin.get(`/webhooks/${webhook}/deliveries/${id}`).expect(200);
    const other = one.payload.replace('hello', 'forged');
    const now = new Date();
    const post = async (body: string, signature: string, eventId = 'evt_forged') => {
      const timestamp = String(Math.floor(now.getTime() / 1000));
      const headers = { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      return (await fetch(hook(), { method: 'POST', headers, body })).status;
    };
    const sign = (secret: string, body: string) => new Webhook(secret).sign('evt_forged', now, body);
    const stranger = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(await post(other, sign(stranger, other))).toBe(401);
    expect(await post(other, sign(environment.WEBHOOK_SECRET!, one.payload))).toBe(401);
    for (const malformed of ['v1', 'v1,', 'nonsense', 'v1,é']) expect(await post(other, malformed)).toBe(401);
    expect(await post('x'.repeat(300_000), 'v1,')).toBe(413);
    expect((await fetch(hook())).status).toBe(404);
    expect(await contents()).toEqual(['hello', 'You said: hello']);
  });

  it("running the webhook bot's setup again creates a new secret", async () => {
    const { WEBHOOK, WEBHOOK_SECRET } = await setUp();
    expect(WEBHOOK).toBe(webhook);
    expect(WEBHOOK_SECRET).not.toBe(environment.WEBHOOK_SECRET);
    await say('by the old secret');
    await delivered(1);
    await restart('SIGTERM', { WEBHOOK_SECRET });
    await say('by the new secret');
    await delivered(2);
    expect(await messages()).toHaveLength(4);
  });

  it('the webhook bot is the code in the guide', () => {
    const page = readFileSync(inRepository('docs/bots/webhooks.md'), 'utf8');
    const [shown] = /(?<=^```js\n)[^`]*async function take[^]*?(?=^```)/m.exec(page)!;
    expect(readFileSync(BOT, 'utf8')).toContain(shown);
  });
});
