import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('overload', () => {
  let parley: Parley;
  let tenant: Tenant;
  let heldChatId: string;
  let holder: pg.Client;

  beforeAll(async () => {
    parley = await Parley.start({ DATABASE_POOL_SIZE: '4' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    heldChatId = (await tenant.admin.post('/chats', {}).expect(201)).body.id;
    holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM chats WHERE id = $1 FOR UPDATE', [heldChatId]);
  });

  const release = async () => {
    await holder.query('COMMIT');
    await holder.end();
  };
  const send = (chatId: string, content: string) => tenant.bot.post('/messages', { chatId, content });

  const atLock = async () =>
    (await parley.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
      .length;

  it("many requests that wait for one chat don't stop the service", async () => {
    const waiting = upTo(60).map((n) => {
      const sent = send(heldChatId, `${n}`);
      return (n % 2 ? sent : sent.set('Idempotency-Key', `held-${n}`)).then(({ status }) => status);
    });
    // As many as allowed wait for the lock.
    await until('one is at the lock', async () => (await atLock()) > 0);
    const others = await Promise.all(upTo(60).map((n) => send(tenant.chatId, `${n}`)));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    await release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
    const { body } = await tenant.bot.get(`/chats/${heldChatId}`).expect(200);
    expect(body.messageCount).toBe(60);
  });

  it('overload is answered immediately, and accepted requests are done', async () => {
    // Each takes a connection and waits for the lock: 4 do, 200 wait for them, and the rest is too much.
    const answers = upTo(400).map((n) =>
      tenant.bot.post('/transfer', { chatId: heldChatId }).set('Idempotency-Key', `over-${n}`),
    );
    const all = Promise.all(answers);
    // More have arrived than may wait, and four are at the lock.
    const connections = () =>
      new Promise<number>((resolve) =>
        parley.app.getHttpServer().getConnections((_: unknown, count: number) => resolve(count)),
      );
    await until('four are at the lock', async () => (await atLock()) >= 4 && (await connections()) >= 250);
    await release();
    const statuses = (await all).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    for (const { status, body, headers } of await all) {
      if (status !== 503) continue;
      expect(body.code).toBe('unavailable');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    const { body } = await tenant.bot.get(`/chats/${heldChatId}`).expect(200);
    expect(body).toMatchObject({ status: 'QUEUED', messageCount: 1 });
    // Requests that timed out on a busy machine may have been done; rejected ones weren't.
    const kept = await parley.query<{ key: string }>('SELECT key FROM idempotency_keys WHERE bot_id = $1', [
      tenant.botId,
    ]);
    const isKept = new Set(kept.map(({ key }) => key));
    const answered = (await all).map(({ status, body: answer }, index) => ({
      status,
      answer,
      key: `over-${index + 1}`,
    }));
    for (const { status, answer, key } of answered) {
      if (answer.detail?.startsWith('Request timed out')) continue;
      expect([key, isKept.has(key)]).toEqual([key, status === 200]);
    }
  });
});
