import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import request from 'supertest';
import { type Demo, DemoService } from '../../src/api/public/demo/demo.service.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { Parley } from '../support/parley.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';

describe("the demo's session", () => {
  let parley: Parley;
  let demo: Demo;

  beforeAll(async () => {
    parley = await Parley.start({ DEMO: '1', TRUST_PROXY: '1' });
    demo = (await parley.app.get(DemoService).prepare())!;
  });
  afterAll(() => parley.stop());

  /** The response to a request with this head. */
  async function ask(head: string[], version = '1.1'): Promise<string> {
    const socket = connect(Number(new URL(parley.url).port), '127.0.0.1');
    socket.write([`GET /demo/session HTTP/${version}`, 'Connection: close', ...head, '', ''].join('\r\n'));
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  it("the demo's session shows the bot token to clients with the key, however they connect", async () => {
    const key = `Authorization: Bearer ${demo.key}`;
    for (const head of [['Host: localhost:3000'], ['Host: demo.example', 'X-Forwarded-For: 192.0.2.1']])
      expect(await ask([...head, key])).toContain(`"botToken":"${demo.token}"`);
  });

  it("the demo's session creates a link to the console for clients with the key only", async () => {
    const client = new Client(parley.url, demo.key);
    const { body } = await client.post('/demo/sign-in-link').expect(201);
    const { body: session } = await parley
      .agent()
      .post('/session/link', { ...body, mode: 'token' })
      .expect(201);
    expect(session.agent).toMatchObject({ name: 'Ada', role: 'ADMIN' });
    await new Client(parley.url).post('/demo/sign-in-link').expect(401);
    await new Client(parley.url, 'a'.repeat(24)).post('/demo/sign-in-link').expect(401);
  });

  it.each([
    ['this machine', ['Host: localhost:3000'], '1.1'],
    [
      'this machine, with another key',
      ['Host: localhost:3000', 'Authorization: Bearer aaaaaaaaaaaaaaaaaaaaaaaa'],
      '1.1',
    ],
    ['a proxy that says for whom', ['Host: localhost', 'X-Forwarded-For: 192.0.2.1'], '1.1'],
    ['a proxy that says it was this machine', ['Host: localhost', 'X-Forwarded-For: 127.0.0.1'], '1.1'],
    ['a proxy that takes every header off, as if it were a browser here', ['Host: 127.0.0.1:3000'], '1.1'],
    ['a proxy that says nothing, as nginx', ['Host: localhost:3000'], '1.0'],
    ['a page that had its name point here', ['Host: rebound.example:3000'], '1.1'],
  ])("the demo's session rejects %s", async (_name, head, version) => {
    const answer = await ask(head, version);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    for (const secret of [demo.token, demo.key, demo.chatId, 'identity"']) expect(answer).not.toContain(secret);
  });
});

describe("the demo's agents", () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start({ DEMO: '1' });
  });
  afterAll(() => parley.stop());

  it("the demo's administrator and agent get offers for the chats that the bot hands over", async () => {
    const demos = parley.app.get(DemoService);
    const demo = (await demos.prepare())!;
    expect(await demos.prepare()).toEqual(demo);
    const link = new URL((await demos.makeLink(demo, parley.url))!);
    const body = { token: link.hash.slice(1), mode: 'token' };
    const { body: session } = await parley.agent().post('/session/link', body).expect(201);
    expect(session.agent).toMatchObject({ name: 'Ada', role: 'ADMIN' });
    const ada = await parley.connectAgent(session.token);
    const { body: people } = await parley.agent(session.token).get('/agents').expect(200);
    expect(people.agents).toHaveLength(2);
    await parley.bot(demo.token).post('/transfer', { chatId: demo.chatId }).expect(200);
    const offer = await ada.next('offer');
    expect(offer.chat).toMatchObject({ id: demo.chatId, group: { name: 'Support' } });
    await parley.agent(session.token).post(`/offers/${offer.id}/accept`, {}).expect(200);
    const { body: chat } = await parley.bot(demo.token).get(`/chats/${demo.chatId}`).expect(200);
    expect(chat).toMatchObject({ owner: 'AGENT', assignedTo: { name: 'Ada' } });
  });
});

it.each(['0.0.0.0', '::', '192.0.2.1', 'localhost.example'])('no demo exists with HOST=%s', async (HOST) => {
  const parley = await Parley.start({ DEMO: '1', HOST });
  expect(await parley.app.get(DemoService).prepare()).toBeNull();
  for (const path of ['/demo', '/demo/session']) await request(parley.url).get(path).expect(404);
  await request(parley.url).post('/demo/sign-in-link').expect(404);
  expect(await parley.query('SELECT FROM organizations')).toEqual([]);
  await parley.stop();
});

describe("the service's pages", () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start({ DEMO: '1' });
    await parley.app.get(DemoService).prepare();
  });
  afterAll(() => parley.stop());

  const policyOf = async (path: string) => {
    const { headers } = await request(parley.url).get(path).expect(200);
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
    const directives = headers['content-security-policy']!.split('; ').map((text) => text.split(' '));
    return Object.fromEntries(directives.map(([name, ...values]) => [name!, values.join(' ')]));
  };

  it.each(['/demo', '/demo/page.js', '/docs/', '/docs/bots/sdk', '/docs/api/bot/'])(
    "the page %s can't be framed, and runs only our code",
    async (path) => {
      expect(await policyOf(path)).toMatchObject({
        'default-src': "'none'",
        'script-src': "'self'",
        // Files have addresses with the service's own.
        'connect-src': expect.stringMatching(/^'self'( http:\/\/127\.0\.0\.1:\d+)?$/),
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
      });
    },
  );

  it("the widget's page may be framed anywhere", async () => {
    const { headers } = await request(parley.url).get('/widget.js').expect(200);
    expect(headers).not.toHaveProperty('x-frame-options');
  });
});

describe('a demo', () => {
  const services: ServiceProcess[] = [];

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.kill('SIGTERM')));
  });
  const start = async (environment: NodeJS.ProcessEnv) => {
    const given = { ADMIN_TOKEN: 'demo-admin-token', SECRET_KEY: 'demo-secret-key', PORT: await freePort() };
    const service = ServiceProcess.spawn({ ...given, ...environment });
    services.push(service);
    return { service, url: `http://127.0.0.1:${given.PORT}` };
  };

  it("a previous release's demo gets a key, and isn't available while others can reach the service", async () => {
    const [database, DATA_DIR] = [await createDatabase(), temporaryDirectory()];
    const common = { DATABASE_URL: database.url, DATA_DIR };
    const file = join(DATA_DIR, 'demo.json');
    const read = () => JSON.parse(readFileSync(file, 'utf8')) as Demo;
    const first = await start(common);
    await first.service.prints(/^curl .*$/m);
    await services.pop()!.kill('SIGTERM');
    const { key, ...before } = read();
    writeFileSync(file, JSON.stringify(before));

    const second = await start(common);
    await second.service.prints(/^curl .*$/m);
    const made = read();
    expect(made).toEqual({ ...before, key: expect.stringMatching(/^\w{24}$/) });
    expect(made.key).not.toBe(key);
    expect(second.service.output).toContain(`/demo#key=${made.key}`);
    expect(statSync(file).mode & 0o077).toBe(0);
    await services.pop()!.kill('SIGTERM');

    // Another name of 127.0.0.1 that the service doesn't recognize: the test listens to no other address.
    const open = await start({ ...common, HOST: '127.1', DEMO: '1' });
    await open.service.prints(/^curl .*health\/ready$/m);
    for (const path of ['/demo', '/demo/session', '/demo/page.js'])
      await request(open.url).get(path).set('Authorization', `Bearer ${made.key}`).expect(404);
    expect(open.service.output.match(/the demo is off.*DEMO.*HOST/g)).toHaveLength(1);
    await services.pop()!.kill('SIGTERM');
    rmSync(DATA_DIR, { recursive: true });
    await database.drop();
    // Three starts, which take their time on a busy machine.
  }, 300_000);
});
