import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { createTenant } from '../support/tenant.js';
import { freePort } from '../support/ports.mjs';

const ADMIN_TOKEN = 'crash-admin-token';

describe('a process killed while messages are sent', () => {
  let database: TestDatabase;
  let environment: NodeJS.ProcessEnv;
  let url: string;

  beforeAll(async () => {
    database = await createDatabase({ isMigrated: false });
    const PORT = await freePort();
    url = `http://127.0.0.1:${PORT}`;
    environment = {
      PORT,
      DATABASE_URL: database.url,
      DATA_DIR: temporaryDirectory(),
      ADMIN_TOKEN,
      SECRET_KEY: 'crash-secret-key',
      DEMO: '0',
      BOT_RATE_LIMIT: '0',
    };
  });
  afterAll(() => database.drop());

  it('every acked message exists once after a kill and a restart, retries included', async () => {
    let service = await ServiceProcess.start(environment);
    const { chatId, token } = await createTenant(url, ADMIN_TOKEN);

    const acked = new Map<string, string>();
    let isDone = false;
    // A sender that follows the contract: it retries with the same key and body until it gets a response.
    const sender = async (name: number) => {
      for (let count = 0; !isDone; count++) {
        const content = `${name}-${count}`;
        const headers = {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': content,
        };
        const request = { method: 'POST', headers, body: JSON.stringify({ chatId, content }) };
        for (let isAnswered = false; !isAnswered;) {
          const answer = await fetch(`${url}/api/bot/messages`, request)
            .then(async (response) => ({ status: response.status, body: (await response.json()) as { id: string } }))
            .catch(() => null);
          if (answer === null) await sleep(20);
          else expect([200, 503]).toContain(answer.status);
          isAnswered = answer?.status === 200;
          if (isAnswered) acked.set(content, answer!.body.id);
        }
      }
    };
    const senders = Promise.all(Array.from({ length: 8 }, (_, name) => sender(name)));
    // A failed sender fails the test, which then must not wait for its messages.
    const untilAcked = async (target: number) => {
      const acknowledged = async () => {
        while (acked.size < target) await sleep(1);
      };
      await Promise.race([acknowledged(), senders]);
    };
    for (let round = 1; round <= 4; round++) {
      await untilAcked(acked.size + 50 + Math.floor(Math.random() * 100));
      expect((await service.kill('SIGKILL')).signal).toBe('SIGKILL');
      service = await ServiceProcess.start(environment);
    }
    await untilAcked(acked.size + 50);
    isDone = true;
    await senders;
    expect((await service.kill('SIGTERM')).code).toBe(0);

    const client = new pg.Client(database.url);
    await client.connect();
    const { rows } = await client.query<{ seq: number; id: string; content: string }>(
      'SELECT seq, id, content FROM messages ORDER BY seq',
    );
    const { rows: chats } = await client.query<{ message_count: number }>('SELECT message_count FROM chats');
    await client.end();
    expect(new Map(rows.map(({ content, id }) => [content, id]))).toEqual(acked);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(rows).toHaveLength(acked.size);
    expect(chats).toEqual([{ message_count: acked.size }]);
  }, 240_000);
});

describe('the service and its embedded PostgreSQL killed together', () => {
  const DATA_DIR = temporaryDirectory();
  const pidFile = join(DATA_DIR, 'postgres', 'postmaster.pid');
  const services: ServiceProcess[] = [];
  const acked: string[] = [];
  let PORT: string;

  beforeAll(async () => {
    PORT = await freePort();
  });
  afterAll(async () => {
    await services.at(-1)?.kill('SIGTERM');
    rmSync(DATA_DIR, { recursive: true, force: true });
  });

  const spawnService = () => {
    const service = ServiceProcess.spawn({ PORT, DATA_DIR, ADMIN_TOKEN, DEMO: '0' });
    services.push(service);
    return service;
  };
  const findsAllThatWasAcked = async (service: ServiceProcess) => {
    await service.prints(/health\/ready/);
    const admin = new Client(`http://127.0.0.1:${PORT}/api/admin/organizations`, ADMIN_TOKEN);
    const { body } = await admin.get('').expect(200);
    expect(body.organizations.map(({ id }: { id: string }) => id)).toEqual(acked);
    acked.push((await admin.post('', { name: 'Acked' }).expect(201)).body.id);
  };
  // Not the postmaster's children: they notice a moment later, and hold the shared memory until then.
  const killBoth = async () => {
    const service = services.at(-1)!;
    service.child.kill('SIGKILL');
    process.kill(Number.parseInt(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    await service.ended();
  };

  it('the next start finds all acked messages, six times in a row', async () => {
    await findsAllThatWasAcked(spawnService());
    for (let round = 1; round <= 6; round++) {
      await killBoth();
      await findsAllThatWasAcked(spawnService());
    }
  }, 180_000);

  it('the next start waits for a process that seems alive and is dying', async () => {
    await killBoth();
    // Has the old process's number and port, and ends when it's checked.
    const [, directory, started, port, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
    const dying = spawn(process.execPath, [
      '-e',
      `require('node:net').createServer(() => process.exit()).listen(${port}, '127.0.0.1', () => console.log('up'))`,
    ]);
    await once(dying.stdout, 'data');
    writeFileSync(pidFile, [dying.pid, directory, started, port, ...rest].join('\n'));
    const [service] = [spawnService(), await once(dying, 'exit')];
    await findsAllThatWasAcked(service);
  }, 240_000);

  it("the next start waits for child processes that haven't ended yet", async () => {
    const postmaster = readFileSync(pidFile, 'utf8').split('\n')[0]!;
    const child = Number.parseInt((await promisify(execFile)('pgrep', ['-P', postmaster])).stdout);
    process.kill(child, 'SIGSTOP');
    try {
      await killBoth();
      spawnService();
      const log = () => readFileSync(join(DATA_DIR, 'postgres', 'server.log'), 'utf8');
      await eventually(log, (text) => text.includes('pre-existing shared memory block'));
    } finally {
      process.kill(child, 'SIGCONT');
    }
    await findsAllThatWasAcked(services.at(-1)!);
  }, 240_000);
});
