import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { createTenant } from '../support/tenant.js';
import { VisitorSocket } from '../support/visitor.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECORDER = fileURLToPath(new URL('support/record-connections.mjs', import.meta.url));
const ADMIN_TOKEN = 'open-promise-admin-token';
/** What code or a setting would contain if it asked for a license. */
const ASKS_FOR_LICENSE = /licen[cs]e|enterprise|premium|subscription[_ ]?plan|activation[_ ]?key/i;

/** What the OpenAPI documents say of the service. */
const OWN_LICENSE = "license: { name: 'MIT', identifier: 'MIT' }";

const tracked = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const hosts = (file: string) => new Set(readFileSync(file, 'utf8').trim().split('\n'));

// docs/start/promise.md
describe('the open promise', () => {
  it('there is one edition, with one license (MIT) for every file and package', () => {
    expect(tracked('*LICEN[CS]E*', '*licen[cs]e*', '*COPYING*')).toEqual(['LICENSE']);
    expect(read('LICENSE')).toMatch(/^MIT License/);
    const licenses = tracked('package.json', ':(glob)packages/*/package.json').map(
      (path) => JSON.parse(read(path)).license,
    );
    expect(new Set(licenses)).toEqual(new Set(['MIT']));
  });

  it('no setting and no code asks for a license', () => {
    expect(Object.keys(VARIABLES).filter((name) => ASKS_FOR_LICENSE.test(name))).toEqual([]);
    const code = tracked(
      'src/*.ts',
      'console/*.ts*',
      'widget/*.ts*',
      'headless/*.ts*',
      'packages/*.ts',
      'migrations/*.ts',
    );
    expect(code.length).toBeGreaterThan(300);
    expect(code.filter((path) => ASKS_FOR_LICENSE.test(read(path).replace(OWN_LICENSE, '')))).toEqual([]);
  });

  describe('while the service runs', () => {
    let database: TestDatabase;
    let directory: string;
    let receiver: Receiver;
    let service: ServiceProcess | undefined;

    beforeEach(async () => {
      database = await createDatabase();
      directory = temporaryDirectory();
      receiver = await Receiver.start();
    });
    afterEach(async () => {
      await service?.kill('SIGTERM');
      await receiver.close();
      await database.drop();
      rmSync(directory, { recursive: true });
    });

    it('the service connects to nothing outside, from its start, through messages, webhooks, and a scrape, to its end', async () => {
      const PORT = await freePort();
      const url = `http://127.0.0.1:${PORT}`;
      const record = join(directory, 'connections');
      service = await ServiceProcess.start({
        PORT,
        DATABASE_URL: database.url,
        DATA_DIR: directory,
        ADMIN_TOKEN,
        SECRET_KEY: 'open-promise-secret-key',
        WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
        NODE_OPTIONS: `--import ${RECORDER}`,
        RECORD_CONNECTIONS: record,
        DEMO: '0',
      });
      const { admin, bot, chatId, visitorToken } = await createTenant(url, ADMIN_TOKEN);
      await admin.post('/webhooks', { url: receiver.url }).expect(201);
      const visitor = await VisitorSocket.connect(url, visitorToken);
      await visitor.ask('chat:open', { chatId });
      await bot.post('/messages', { chatId, content: 'hello' }).expect(200);
      await visitor.next('message');
      await receiver.count(1);
      for (const path of ['/metrics', '/health/ready', '/docs/', '/widget.js', '/console']) await fetch(url + path);
      visitor.close();
      expect((await service.kill('SIGTERM')).code).toBe(0);

      const reached = hosts(record);
      expect(reached).toContain('connect 127.0.0.1'); // the webhook: the recorder works
      const local = /^(?:connect|name) (?:127\.0\.0\.1|::1|localhost|\/.*)$/;
      expect([...reached].filter((line) => !local.test(line))).toEqual([]);
    });

    it('the test detects a connection to the outside', () => {
      const record = join(directory, 'connections');
      const call = `fetch('http://parley.invalid/').catch(() => 0); require('net').connect(9, '192.0.2.1').on('error', () => 0).destroy()`;
      const env = { ...process.env, NODE_OPTIONS: `--import ${RECORDER}`, RECORD_CONNECTIONS: record };
      spawnSync(process.execPath, ['-e', call], { env });
      expect([...hosts(record)]).toEqual(expect.arrayContaining(['connect 192.0.2.1', 'connect parley.invalid']));
    });
  });
});
