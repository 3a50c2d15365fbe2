import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';
import { VisitorSocket } from '../support/visitor.js';

const run = promisify(execFile);
const CURL = /^curl -X POST .*$/m;
const IN_PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://127.0.0.1/x',
  ADMIN_TOKEN: 'a'.repeat(32),
  SECRET_KEY: 's'.repeat(32),
};

describe('npm start', () => {
  const services: ServiceProcess[] = [];
  const directories: string[] = [];

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.kill('SIGTERM')));
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  });

  const start = (environment: NodeJS.ProcessEnv) => {
    const service = ServiceProcess.spawn(environment);
    services.push(service);
    return service;
  };
  const directory = () => {
    const made = temporaryDirectory();
    directories.push(made);
    return made;
  };

  describe('without configuration', () => {
    it('the first start creates a database and a demo, and the printed curl line works and reaches the open page', async () => {
      const [DATA_DIR, PORT] = [directory(), await freePort()];
      const service = start({ DATA_DIR, PORT });
      const curl = await service.prints(CURL);
      const url = `http://127.0.0.1:${PORT}`;
      const [, key] = /^  Demo chat {4}http:\/\/127\.0\.0\.1:\d+\/demo#key=(\w{24})$/m.exec(service.output)!;
      const page = await (await fetch(`${url}/demo`)).text();
      for (const file of ['/demo/style.css', '/demo/page.js', '/demo/bag.svg']) {
        expect(page).toContain(file);
        expect((await fetch(url + file)).status).toBe(200);
      }
      const { body: demo } = await new Client(url, key).get('/demo/session').expect(200);
      expect(curl).toContain(demo.botToken);
      await service.prints(new RegExp(`^export PARLEY_URL=${url} PARLEY_TOKEN=${demo.botToken}$`, 'm'));
      const { widgetKey, identity } = demo;
      const { body } = await new Client(`${url}/api/visitor`).post('/sessions', { widgetKey, identity }).expect(201);
      const visitor = await VisitorSocket.connect(url, body.token);
      expect((await visitor.ask('chat:open', {})).chat.id).toBe(demo.chatId);
      const { stdout } = await run('sh', ['-c', `${curl} -s`]);
      expect(JSON.parse(stdout)).toEqual({ id: expect.any(String), status: 'sent' });
      expect(await visitor.next('message')).toMatchObject({
        id: JSON.parse(stdout).id,
        content: 'Hello from the bot!',
      });
      visitor.close();
      const [, link] = /^  Sign in {6}http:\/\/127\.0\.0\.1:\d+\/console\/link#(prl_lnk_\w{38})$/m.exec(
        service.output,
      )!;
      const signIn = () => new Client(`${url}/api/agent`).post('/session/link', { token: link, mode: 'token' });
      expect((await signIn().expect(201)).body.agent).toMatchObject({ name: 'Ada', role: 'ADMIN' });
      await signIn().expect(401);
      for (const file of ['secrets.json', 'demo.json']) expect(statSync(join(DATA_DIR, file)).mode & 0o077).toBe(0);
    });

    it('data, secrets, and the curl line survive a stop and a kill, and a second process is rejected', async () => {
      const [DATA_DIR, PORT] = [directory(), await freePort()];
      const first = start({ DATA_DIR, PORT });
      const curl = await first.prints(CURL);
      await run('sh', ['-c', `${curl} -s`]);
      const secrets = readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8');

      const second = start({ DATA_DIR, PORT: await freePort() });
      expect((await second.ended()).code).toBe(1);
      expect(second.output.trim()).toBe(
        `Parley cannot start: DATA_DIR ${DATA_DIR} is in use by another Parley that is running`,
      );

      expect(await first.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
      const third = start({ DATA_DIR, PORT });
      expect(await third.prints(CURL)).toBe(curl);
      expect((await third.kill('SIGINT')).code).toBe(0);
      const fourth = start({ DATA_DIR, PORT });
      expect(await fourth.prints(CURL)).toBe(curl);
      await run('sh', ['-c', `${curl} -s`]);
      const { chatId, token } = JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8')) as Record<string, string>;
      const chat = await fetch(`http://127.0.0.1:${PORT}/api/bot/chats/${chatId}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(await chat.json()).toMatchObject({ messageCount: 2 });
      expect(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8')).toBe(secrets);
      expect(fourth.output).not.toContain(JSON.parse(secrets).SECRET_KEY);
    });

    it('DEMO=0 creates no demo', async () => {
      const [DATA_DIR, PORT] = [directory(), await freePort()];
      await start({ DATA_DIR, PORT, DEMO: '0' }).prints(/^curl .*health\/ready$/m);
      expect((await fetch(`http://127.0.0.1:${PORT}/demo`)).status).toBe(404);
    });
  });

  describe('with a database', () => {
    let database: TestDatabase;
    const given = { ADMIN_TOKEN: 'start-admin-token', SECRET_KEY: 'start-secret-key', DEMO: '0' };

    beforeAll(async () => {
      database = await createDatabase({ isMigrated: false });
    });
    afterAll(() => database.drop());

    it('two processes that start together migrate the database once', async () => {
      const both = await Promise.all(
        [0, 1].map(async () =>
          start({ ...given, DATABASE_URL: database.url, DATA_DIR: directory(), PORT: await freePort() }),
        ),
      );
      await Promise.all(both.map((service) => service.prints(/health\/ready/)));
    });

    it('SIGTERM finishes accepted requests, then exits with 0', async () => {
      const PORT = await freePort();
      const service = start({ ...given, DATABASE_URL: database.url, DATA_DIR: directory(), PORT });
      await service.prints(/health\/ready/);
      const url = `http://127.0.0.1:${PORT}/api/admin/organizations`;
      const headers = { Authorization: `Bearer ${given.ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
      const asked = Array.from({ length: 50 }, () =>
        fetch(url, { method: 'POST', headers, body: '{"name":"late"}' }).then(
          ({ status }) => status,
          () => 0,
        ),
      );
      await Promise.race(asked);
      const ended = service.kill('SIGTERM');
      const statuses = await Promise.all(asked);
      expect((await ended).code).toBe(0);
      expect(statuses.filter((status) => status !== 201 && status !== 0)).toEqual([]);
    });

    it("SIGTERM doesn't wait for an idle connection, and the start creates DATA_DIR and logs no row", async () => {
      const [DATA_DIR, PORT] = [join(directory(), 'made', 'later'), await freePort()];
      const service = start({ ...given, DATABASE_URL: database.url, DATA_DIR, PORT, DEMO: '1', LOG_LEVEL: 'info' });
      await service.prints(/^curl .*$/m);
      const { connect } = await import('node:net');
      const silent = connect(Number(PORT), '127.0.0.1').on('error', () => undefined);
      await new Promise((resolve) => silent.once('connect', resolve));
      const client = new pg.Client(database.url);
      await client.connect();
      await client.query(`ALTER TABLE organizations ADD CONSTRAINT broken CHECK (name <> 'private words')`);
      const headers = { Authorization: `Bearer ${given.ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
      const url = `http://127.0.0.1:${PORT}/api/admin/organizations`;
      expect((await fetch(url, { method: 'POST', headers, body: '{"name":"private words"}' })).status).toBe(500);
      await client.query('ALTER TABLE organizations DROP CONSTRAINT broken');
      await client.end();
      const closed = new Promise((resolve) => silent.once('close', resolve));
      expect((await service.kill('SIGTERM')).code).toBe(0);
      await closed;
      expect(service.output).toContain('broken');
      expect(service.output).not.toContain('private words');
    });

    it('the start waits for a database that starts late', async () => {
      const late = new URL(database.url);
      const port = await freePort();
      const target = late.port;
      late.port = port;
      const service = start({ ...given, DATABASE_URL: late.href, DATA_DIR: directory(), PORT: await freePort() });
      const { connect } = await import('node:net');
      await sleep(700);
      expect(service.output).toBe('');
      const proxy: Server = createServer((socket) => {
        const upstream = connect(Number(target), '127.0.0.1');
        socket.pipe(upstream).pipe(socket);
        for (const end of [socket, upstream])
          end.on('error', () => undefined).on('close', () => (socket.destroy(), upstream.destroy()));
      }).listen(Number(port), '127.0.0.1');
      await service.prints(/health\/ready/);
      await service.kill('SIGTERM');
      proxy.close();
    });
  });

  it('a service with SMTP_URL and without PUBLIC_URL says at the start that it sends no e-mail', async () => {
    const database = await createDatabase();
    const DATA_DIR = directory();
    const mail = { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'support@example.com' };
    const linesWith = async (more: Record<string, string>) => {
      const PORT = await freePort();
      const service = start({ DATABASE_URL: database.url, DATA_DIR, PORT, DEMO: '0', ...more });
      await service.prints(/curl .*\/health\/ready/);
      await service.kill('SIGTERM');
      return service.output.split('\n').filter((line) => line.includes('no e-mail is sent'));
    };
    expect(await linesWith(mail)).toEqual([expect.stringContaining('PUBLIC_URL')]);
    expect(await linesWith({ ...mail, PUBLIC_URL: 'https://chat.example.com' })).toEqual([]);
    await database.drop();
  });

  it('in production the service prints only JSON, and no secret', async () => {
    const database = await createDatabase();
    const PORT = await freePort();
    const secrets = { ADMIN_TOKEN: 'production-admin-token'.repeat(2), SECRET_KEY: 'production-secret-key'.repeat(2) };
    const service = start({
      NODE_ENV: 'production',
      LOG_LEVEL: 'trace',
      DATABASE_URL: database.url,
      DATA_DIR: directory(),
      PORT,
      ...secrets,
    });
    await service.prints(/listening on/);
    const headers = {
      Authorization: `Bearer ${secrets.ADMIN_TOKEN}`,
      'Content-Type': 'application/json',
      'X-Request-Id': 'find-me',
    };
    const url = `http://127.0.0.1:${PORT}/api/admin/organizations?secret=in-the-query`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'secret-content' }) });
    const { identitySecret } = (await answer.json()) as { identitySecret: string };
    await service.prints(/find-me/);
    expect((await service.kill('SIGTERM')).code).toBe(0);
    for (const line of service.output.trim().split('\n')) JSON.parse(line);
    for (const secret of [
      ...Object.values(secrets),
      identitySecret,
      'secret-content',
      'in-the-query',
      new URL(database.url).password,
    ]) {
      expect(service.output).not.toContain(secret);
    }
    await database.drop();
  });

  it('a DATA_DIR that is a file is reported in one line', async () => {
    const secrets = { ADMIN_TOKEN: 'start-admin-token', SECRET_KEY: 'start-secret-key' };
    const service = start({ DATA_DIR: '/etc/hostname', ...secrets });
    expect((await service.ended()).code).toBe(1);
    expect(service.output).toMatch(/^Parley cannot start: .*DATA_DIR.*\n$/);
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['NODE_ENV', { NODE_ENV: 'Production' }],
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: ' ' }],
    ['PORT', { PORT: '0x50' }],
    ['ADMIN_TOKEN', { ADMIN_TOKEN: 'with a space' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://a:b@[bad/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['REDIS_URL', { REDIS_URL: 'localhost:6379' }],
    ['REDIS_URL', { REDIS_URL: 'redis://[bad/0' }],
    ['REDIS_URL', { REDIS_URL: 'redis://localhost/name' }],
    ['SOCKET_TRANSPORTS', { SOCKET_TRANSPORTS: 'websocket,pigeon' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['BOT_RATE_LIMIT', { BOT_RATE_LIMIT: '-1' }],
    ['VISITOR_RATE_LIMIT', { VISITOR_RATE_LIMIT: 'many' }],
    ['DEMO', { DEMO: 'maybe' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'somebody' }],
    ['TRUST_PROXY', { TRUST_PROXY: '0x1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://x' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://chat.example/?a=b' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null/data' }],
    ['DATA_DIR', { DATA_DIR: '/proc/none/data' }],
    ['DATABASE_URL', { NODE_ENV: 'production' }],
    ['ADMIN_TOKEN', { NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/x' }],
    ['SECRET_KEY', { NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/x', ADMIN_TOKEN: 'a'.repeat(32) }],
    [
      'SECRET_KEY',
      { NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/x', ADMIN_TOKEN: 'a'.repeat(32), SECRET_KEY: '' },
    ],
    ['ADMIN_TOKEN', { ...IN_PRODUCTION, ADMIN_TOKEN: 'a'.repeat(31) }],
    ['SECRET_KEY', { ...IN_PRODUCTION, SECRET_KEY: 's'.repeat(31) }],
  ])('the start stops with one line that names %s when the environment is %j', async (name, environment) => {
    const service = start({ DATA_DIR: directory(), ...environment });
    expect((await service.ended()).code).toBe(1);
    expect(service.output).toMatch(new RegExp(`^Parley cannot start: ${name} .*\n$`));
  });

  it('the start stops with one line for a used port, a wrong password, and an unknown database', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const PORT = String((taken.address() as { port: number }).port);
    const database = await createDatabase();
    const [wrong, none] = [new URL(database.url), new URL(database.url)];
    wrong.password = 'wrong';
    none.pathname = '/none';
    const given = { ADMIN_TOKEN: 'start-admin-token', SECRET_KEY: 'start-secret-key' };
    for (const [DATABASE_URL, words] of [
      [database.url, `PORT ${PORT} is in use`],
      [wrong.href, 'DATABASE_URL'],
      [none.href, 'DATABASE_URL'],
    ] as const) {
      const service = start({ ...given, DATABASE_URL, PORT, DATA_DIR: directory() });
      expect((await service.ended()).code).toBe(1);
      // The tests' database doesn't write to the disk, which is a warning of its own.
      const output = service.output.replaceAll(/^\{.*\b(?:fsync|full_page_writes) is off; .*\}\n/gm, '');
      expect(output).toMatch(/^Parley cannot start: .*\n$/);
      expect(output).toContain(words);
      expect(service.output).not.toMatch(/\n +at |wrong@|start-admin-token/);
    }
    taken.close();
    await database.drop();
  });
});
