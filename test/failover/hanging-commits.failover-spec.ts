import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TIME_LIMITS_MS } from '../../src/platform/lib/time-limits.js';
import { until } from '../support/eventually.js';
import { Parley, PRODUCT_TIME_LIMITS, type Tenant } from '../support/parley.js';
import { Pair } from './support/pair.js';

describe('while the synchronous standby is silent', () => {
  let pair: Pair;
  let parley: Parley;
  let tenant: Tenant;

  beforeEach(async () => {
    pair = await Pair.start();
    parley = await Parley.start({}, pair.url, PRODUCT_TIME_LIMITS);
    parley.database.on('error', () => undefined);
    tenant = await parley.createTenant();
  });
  afterEach(async () => {
    await parley.stop();
    await pair.stop();
  });

  const send = (content: string) =>
    tenant.bot.post('/messages', { chatId: tenant.chatId, content }).set('Idempotency-Key', content).then(noChange);

  const ready = async () => {
    const answer = await fetch(`${parley.url}/health/ready`);
    return { status: answer.status, body: await answer.json() };
  };

  const isRefused = async () => (await send('refused')).headers['retry-after'] === '5';

  it('an idle connection notices the silent standby too', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => send(`before-${index}`)));
    const idle = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'parley' AND state = 'idle'
      AND state_change < now() - $1 * interval '1 ms'`;
    const isIdle = async () => (await pair.query<{ count: number }>(idle, [TIME_LIMITS_MS.commit + 500]))[0]!.count > 0;
    await until('a connection was idle', isIdle);
    pair.cutWire();
    await send('waits');
    await until('writes are refused', isRefused);
  });

  it('a node fails fast even while another one is busy committing', async () => {
    const other = await Parley.start({}, pair.url, PRODUCT_TIME_LIMITS);
    other.database.on('error', () => undefined);
    let isOver = false;
    const sendThere = async (name: number) => {
      const bot = other.bot(tenant.token);
      for (let count = 0; !isOver; count++) {
        await bot
          .post('/messages', { chatId: tenant.chatId, content: 'busy' })
          .set('Idempotency-Key', `${name}-${count}`);
      }
    };
    pair.cutWire();
    await send('waits');
    await until('writes are refused', isRefused);
    const senders = Array.from({ length: 8 }, (_, name) => sendThere(name));
    pair.mendWire();
    await until('a write is stored', async () => (await send('refused')).status === 200);
    isOver = true;
    await Promise.all(senders);
    await other.stop();
  });

  it('polls of events are answered, because their statement never waits for the standby', async () => {
    await tenant.bot.put('/subscription', {});
    pair.cutWire();
    await send('waits');
    await until('writes are refused', isRefused);
    expect((await tenant.bot.get('/events?wait=0')).status).toBe(200);
  });

  it('a write is rejected with the cause, a read is answered, and no further connection hangs', async () => {
    pair.cutWire();
    expect((await send('waits')).status).toBe(503);
    await until('writes are refused', isRefused);
    const before = await pair.waiting();

    const refused = await Promise.all(Array.from({ length: 40 }, (_, index) => send(`refused-${index}`)));
    expect(refused.map(({ status }) => status)).toEqual(Array(40).fill(503));
    expect(refused[0]!.body).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('synchronous standby'),
    });
    const visitor = await parley.visitor(tenant.visitorToken).get(`/chats/${tenant.chatId}/messages`);
    expect(visitor.status).toBe(200);
    expect((await tenant.bot.get(`/chats/${tenant.chatId}`)).status).toBe(200);
    expect(await ready()).toEqual({
      status: 200,
      body: { status: 'degraded', detail: expect.stringContaining('synchronous standby') },
    });
    const known = new Set(before.map(({ pid }) => pid));
    expect((await pair.waiting()).filter(({ pid }) => !known.has(pid))).toEqual([]);
  });

  it('writes work again by themselves once the standby answers, and each is stored once', async () => {
    pair.cutWire();
    await send('waits');
    await until('writes are refused', isRefused);
    pair.mendWire();
    await until('a write is stored', async () => (await send('refused')).status === 200);
    expect((await send('waits')).status).toBe(200);
    expect(await ready()).toEqual({ status: 200, body: { status: 'ok' } });
    const rows = await pair.query('SELECT content FROM messages WHERE content = ANY ($1)', [['waits', 'refused']]);
    expect(rows.map((row) => (row as { content: string }).content).toSorted()).toEqual(['refused', 'waits']);
  });

  it('one commit at a time checks whether the standby is back, even when waiting ones are terminated from outside', async () => {
    pair.cutWire();
    await send('waits');
    await until('writes are refused', isRefused);
    for (let round = 0; round < 3; round++) {
      for (const { pid } of await pair.waiting()) await pair.query('SELECT pg_terminate_backend($1::int)', [pid]);
      // One reading, because a commit that tries gives up soon, and the next begins.
      let waiting: unknown[] = [];
      await until('a commit tries', async () => (waiting = await pair.waiting()).length > 0);
      expect(waiting).toHaveLength(1);
      expect(await isRefused()).toBe(true);
    }
  });
});

const noChange = <T>(value: T): T => value;
