import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import pg from 'pg';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { createTenant, type Tenant } from '../support/tenant.js';

const ADMIN_TOKEN = 'search-crash-admin-token';
const MESSAGES = 300;
const KILLS = 3;

describe('a process killed while it writes the search index', () => {
  const DATA_DIR = temporaryDirectory();
  let database: TestDatabase;
  let client: pg.Client;
  const ports: string[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    ports.push(await freePort(), await freePort());
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const start = (port: string) =>
    ServiceProcess.start({
      PORT: port,
      DATABASE_URL: database.url,
      DATA_DIR,
      ADMIN_TOKEN,
      SECRET_KEY: 'search-crash-secret-key',
      DEMO: '0',
      BOT_RATE_LIMIT: '0',
    });
  const count = async ({ id }: Tenant) => {
    const text = `SELECT count(*)::integer AS count FROM search_entries WHERE organization_id = $1 AND kind = 'BOT'`;
    return (await client.query<{ count: number }>(text, [id])).rows[0]!.count;
  };

  it('another node goes on, and no message is missing', async () => {
    const stable = await start(ports[0]!);
    let victim = await start(ports[1]!);
    const tenant = await createTenant(`http://127.0.0.1:${ports[0]}`, ADMIN_TOKEN);
    const { admin, bot } = tenant;
    const chats = await Promise.all(Array.from({ length: 10 }, async () => (await admin.post('/chats', {})).body.id));
    for (let round = 0; round < KILLS; round++) {
      const before = await count(tenant);
      const sending = Promise.all(
        Array.from({ length: MESSAGES }, async (_, n) => {
          const chatId = chats[n % chats.length];
          await bot.post('/messages', { chatId, content: `round ${round} number ${n}` }).expect(200);
        }),
      );
      const enough = before + randomInt(1, MESSAGES / 2);
      await until('some messages are indexed', async () => (await count(tenant)) >= enough);
      await victim.kill('SIGKILL');
      await sending;
      await until('all messages are indexed', async () => (await count(tenant)) === (round + 1) * MESSAGES);
      victim = await start(ports[1]!);
    }
    const { rows } = await client.query(
      `SELECT FROM messages m WHERE m.sender_type <> 'SYSTEM' AND NOT EXISTS (
        SELECT FROM search_entries e WHERE e.organization_id = m.organization_id AND e.id = m.id AND e.seq = m.seq)`,
    );
    expect(rows).toEqual([]);
    await Promise.all([stable.kill('SIGKILL'), victim.kill('SIGKILL')]);
  });
});
