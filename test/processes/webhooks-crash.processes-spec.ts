import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, createDatabase } from '../support/database.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';
import { Receiver } from '../support/receiver.js';
import { createTenant } from '../support/tenant.js';

const ADMIN_TOKEN = 'crash-admin-token';
const SENDS = 500;

describe('a process killed while webhooks are sent', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let environment: NodeJS.ProcessEnv;
  let url: string;

  beforeAll(async () => {
    database = await createDatabase();
    receiver = await Receiver.start();
    const PORT = await freePort();
    url = `http://127.0.0.1:${PORT}`;
    environment = {
      PORT,
      DATABASE_URL: database.url,
      DATA_DIR: temporaryDirectory(),
      ADMIN_TOKEN,
      SECRET_KEY: 'crash-secret-key',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1',
      DEMO: '0',
      BOT_RATE_LIMIT: '0',
    };
  });
  afterAll(async () => {
    await receiver.close();
    await database.drop();
  });

  it('the event of every acked message arrives, with duplicates under the same id', async () => {
    let service = await ServiceProcess.start(environment);
    const { admin, bot } = await createTenant(url, ADMIN_TOKEN);
    const chats = await Promise.all([1, 2, 3].map(async () => (await admin.post('/chats', {}).expect(201)).body.id));
    await admin.post('/webhooks', { url: receiver.url, events: ['message.created'] }).expect(201);

    const acked = new Set<string>();
    let next = 0;
    const sender = async () => {
      for (let n = next++; n < SENDS; n = next++) {
        for (let isAnswered = false; !isAnswered;) {
          const answer = await bot
            .post('/messages', { chatId: chats[n % 3], content: `${n}` })
            .set('Idempotency-Key', `${n}`)
            .catch(() => null);
          if (answer === null) await sleep(20);
          else expect([200, 503]).toContain(answer.status);
          isAnswered = answer?.status === 200;
          if (isAnswered) acked.add(answer!.body.id);
        }
      }
    };
    const senders = Promise.all(Array.from({ length: 8 }, sender));

    // Once at a random moment, and twice right after the receiver's 2xx, before it can have been stored.
    const kills = [
      () => receiver.count(30 + Math.floor(Math.random() * 50)),
      ...[1, 2].map(() => () => {
        const target = receiver.received.length + 20 + Math.floor(Math.random() * 50);
        return new Promise<void>((resolve) =>
          receiver.become((_, response) => {
            if (receiver.received.length !== target) return void response.end();
            receiver.become((_received, later) => void later.end());
            response.end(() => resolve());
          }),
        );
      }),
    ];
    for (const isTime of kills) {
      await isTime();
      expect((await service.kill('SIGKILL')).signal).toBe('SIGKILL');
      service = await ServiceProcess.start(environment);
    }
    await senders;
    expect(acked.size).toBe(SENDS);

    const messageIds = () => new Set(receiver.received.map(({ event }) => event.data.message.id as string));
    await receiver.until(() => messageIds().size >= SENDS, 60_000);
    expect(messageIds()).toEqual(acked);
    const bodies = new Map<string, string>();
    for (const { headers, body } of receiver.received) {
      const id = headers['webhook-id']!;
      expect(bodies.get(id) ?? body).toBe(body);
      bodies.set(id, body);
    }
    expect(bodies.size).toBe(SENDS);
    expect(receiver.received.length).toBeGreaterThan(SENDS);
    expect((await service.kill('SIGTERM')).code).toBe(0);
  }, 150_000);
});
