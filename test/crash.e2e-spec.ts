import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type TestDatabase, createDatabase } from './support/database.js';
import { Client } from './support/client.js';
import { freePort, ServiceProcess, temporaryDirectory } from './support/process.js';

const ADMIN_TOKEN = 'crash-admin-token';

describe('the process is killed while messages are sent', () => {
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

  const start = async () => {
    const service = ServiceProcess.spawn(environment);
    await service.prints(/health\/ready/);
    return service;
  };

  it('and every acked message is there once after the restart, retries included', async () => {
    let service = await start();
    const admin = new Client(`${url}/api/admin/organizations`, ADMIN_TOKEN);
    const { body: organization } = await admin.post('', { name: 'Crash' }).expect(201);
    const { body: bot } = await admin.post(`/${organization.id}/bots`, { name: 'Bot' }).expect(201);
    const { body: token } = await admin.post(`/${organization.id}/bots/${bot.id}/tokens`, {}).expect(201);
    const { body: chat } = await admin.post(`/${organization.id}/chats`, {}).expect(201);

    const acked = new Map<string, string>();
    let isDone = false;
    // A sender that does what the contract allows: the same key and body again until it is answered.
    const sender = async (name: number) => {
      for (let count = 0; !isDone; count++) {
        const content = `${name}-${count}`;
        const headers = {
          Authorization: `Bearer ${token.token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': content,
        };
        const request = { method: 'POST', headers, body: JSON.stringify({ chatId: chat.id, content }) };
        for (let isAnswered = false; !isAnswered;) {
          const answer = await fetch(`${url}/api/bot/messages`, request)
            .then(async (response) => ({ status: response.status, body: (await response.json()) as { id: string } }))
            .catch(() => null);
          if (answer === null) await new Promise((resolve) => setTimeout(resolve, 20));
          else expect([200, 503]).toContain(answer.status);
          isAnswered = answer?.status === 200;
          if (isAnswered) acked.set(content, answer!.body.id);
        }
      }
    };
    const senders = Promise.all(Array.from({ length: 8 }, (_, name) => sender(name)));
    // A sender that fails fails the test, which must not wait for its messages then.
    const untilAcked = async (target: number) => {
      const acknowledged = async () => {
        while (acked.size < target) await new Promise((resolve) => setTimeout(resolve, 1));
      };
      await Promise.race([acknowledged(), senders]);
    };
    for (let round = 1; round <= 4; round++) {
      await untilAcked(acked.size + 50 + Math.floor(Math.random() * 100));
      expect((await service.kill('SIGKILL')).signal).toBe('SIGKILL');
      service = await start();
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
  }, 60_000);
});
