import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { programWith } from './support/pages.js';
import { freePort, platforms, Program, RUN_WORKER } from './support/runtimes.js';

describe('the bots of the pages about platforms', () => {
  let parley: Parley;
  let tenant: Tenant;
  let cleanUp: (() => unknown)[];
  let loaded = 0;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1' });
    await platforms.installWithSdk(parley.url);
  }, 600_000);
  afterAll(() => parley.stop());
  beforeEach(async () => {
    cleanUp = [];
    tenant = await parley.createTenant();
  });
  afterEach(async () => {
    for (const end of cleanUp) await end();
  });

  const say = (content: string) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);
  const contents = async (): Promise<string[]> =>
    (await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200)).body.messages.map((one: any) => one.content);
  const reads = (...wanted: string[]) => eventually(contents, (seen) => seen.join() === wanted.join());
  const makeWebhook = async (url: string): Promise<string> =>
    (await tenant.admin.post('/webhooks', { url }).expect(201)).body.secret;
  const variables = (more: NodeJS.ProcessEnv = {}) => ({ PARLEY_URL: parley.url, PARLEY_TOKEN: tenant.token, ...more });
  const answersTwice = async () => {
    await say('hello');
    await reads('hello', 'You said: hello');
    await say('again');
    await reads('hello', 'You said: hello', 'again', 'You said: again');
  };
  const rejectsStrangers = async (url: string) => {
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
  };
  const isSubscribed = async () => (await tenant.bot.get('/subscription')).status === 200;

  const polling = () => programWith('deploy', 'SupersededError');

  it.each(['node', 'deno', 'bun'] as const)(
    'the polling bot answers on %s, and SIGTERM ends it with 0',
    async (platform) => {
      const program = Program.start(platform, platforms.write(`polling-${platform}.mjs`, polling()), variables());
      cleanUp.push(() => program.stop('SIGKILL'));
      await until('the bot polls', isSubscribed);
      await answersTwice();
      expect(await program.stop()).toBe(0);
    },
  );

  it.each(['node', 'deno', 'bun'] as const)('a second polling bot on %s ends the first with 75', async (platform) => {
    const path = platforms.write(`second-${platform}.mjs`, polling());
    const first = Program.start(platform, path, variables());
    await until('the first bot polls', isSubscribed);
    const second = Program.start(platform, path, variables());
    cleanUp.push(
      () => first.stop('SIGKILL'),
      () => second.stop('SIGKILL'),
    );
    // Which one is the first to wait is not known: one of them ends.
    expect(await Promise.race([first.ended(), second.ended()])).toBe(75);
  });

  it.each([
    ['deno', 'Deno.serve'],
    ['bun', 'Bun.serve'],
  ] as const)('the webhook bot answers on %s', async (platform, words) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const path = platforms.write(`serve-${platform}.mjs`, programWith('deploy', words));
    const secret = await makeWebhook(url);
    const program = Program.start(platform, path, variables({ WEBHOOK_SECRET: secret, PORT: `${port}` }));
    cleanUp.push(() => program.stop('SIGKILL'));
    await until('it listens', async () => (await fetch(url).catch(() => null)) !== null);
    await rejectsStrangers(url);
    await answersTwice();
  });

  it('the Worker answers in workerd', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const worker = platforms.write('worker.mjs', programWith('deploy', 'export default {'));
    const environment = {
      WORKER: worker,
      SDK: platforms.sdkModules,
      PORT: `${port}`,
      WEBHOOK_SECRET: await makeWebhook(url),
    };
    const program = Program.start('node', RUN_WORKER, variables(environment));
    cleanUp.push(() => program.stop());
    await until('it listens', async () => program.output.includes('ready'));
    await rejectsStrangers(url);
    await answersTwice();
  });

  /** Serves what answers a request of a platform. */
  const serve = async (answer: (request: Request) => Promise<Response>): Promise<string> => {
    const server: Server = createServer((request, response) => {
      void request.toArray().then(async (chunks) => {
        const { method } = request;
        const headers = request.headers as Record<string, string>;
        const body = method === 'POST' ? Buffer.concat(chunks) : undefined;
        const { status, headers: given } = await answer(new Request('https://function/', { method, headers, body }));
        response.writeHead(status, Object.fromEntries(given)).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  /** Loads a page's program as a module of this process, with its variables. */
  const load = async (words: string, more: NodeJS.ProcessEnv): Promise<any> => {
    const environment = variables(more);
    Object.assign(process.env, environment);
    cleanUp.push(() => Object.keys(environment).forEach((name) => delete process.env[name]));
    return import(pathToFileURL(platforms.write(`loaded-${++loaded}.mjs`, programWith('deploy', words))).href);
  };

  it('the route of Vercel answers, and rejects strangers', async () => {
    let route: any;
    const url = await serve(async (request) =>
      request.method === 'POST' ? route.POST(request) : new Response(null, { status: 405 }),
    );
    route = await load('waitUntil', { WEBHOOK_SECRET: await makeWebhook(url) });
    await rejectsStrangers(url);
    await answersTwice();
    expect(route.maxDuration).toBe(60);
  });

  it.each([true, false])('the function of Lambda answers, with a body in base64: %s', async (isBase64Encoded) => {
    let handler: any;
    // What a function URL passes on: the format 2.0 of API Gateway.
    const url = await serve(async (request) => {
      const bytes = Buffer.from(await request.arrayBuffer());
      const body = bytes.length > 0 ? bytes.toString(isBase64Encoded ? 'base64' : 'utf8') : undefined;
      const headers = Object.fromEntries(request.headers);
      const requestContext = { http: { method: request.method, path: '/' } };
      const event = { version: '2.0', rawPath: '/', requestContext, headers, body, isBase64Encoded };
      const { statusCode, headers: given } = await handler(event);
      return new Response(null, { status: statusCode, headers: given });
    });
    const secret = await makeWebhook(url);
    ({ handler } = await load('isBase64Encoded', { WEBHOOK_SECRET: secret }));
    await rejectsStrangers(url);
    await answersTwice();
  });
});
