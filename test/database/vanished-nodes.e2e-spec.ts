import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { Parley, PRODUCT_TIME_LIMITS, type Tenant } from '../support/parley.js';
import { Road } from '../support/road.js';

describe('a node that vanishes during a transaction', () => {
  let made: TestDatabase;
  let road: Road;
  let vanishing: Parley;
  let other: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    made = await createDatabase();
    const over = await Road.toDatabase(made.url);
    road = over.road;
    vanishing = await Parley.start({}, over.url, PRODUCT_TIME_LIMITS);
    other = await Parley.start({}, made.url, PRODUCT_TIME_LIMITS);
    tenant = await vanishing.createTenant();
  });
  afterAll(async () => {
    road.hidesEnds = false;
    road.end();
    road.thaw();
    await vanishing.stop();
    await other.stop();
    await road.close();
    await made.drop();
  });

  /** Starts a transfer, and interrupts its node during the transaction. */
  const beginTransfer = async (interrupt: () => void): Promise<{ status: Promise<number> }> => {
    const blocker = await other.database.connect();
    await blocker.query('BEGIN; LOCK TABLE handoffs IN EXCLUSIVE MODE');
    const status = tenant.bot.post('/transfer', { chatId: tenant.chatId }).then((answer) => answer.status);
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, 'handoffs') > 0`;
    await until('the transfer has the chat and waits', async () => (await other.query(waiting)).length > 0);
    const committed = blocker.query('COMMIT');
    interrupt();
    await committed;
    blocker.release();
    return { status };
  };

  it('a node that only paused continues, and answers 503', async () => {
    const { status } = await beginTransfer(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000));
    expect(await status).toBe(503);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
  });

  it("a vanished node's chat is available to the other nodes", async () => {
    const { chatId, token } = tenant;
    const { status } = await beginTransfer(() => {
      road.freeze();
      road.hidesEnds = true;
    });
    const send = async () => (await other.bot(token).post('/messages', { chatId, content: 'hello' })).status;
    await until('another node gets at the chat', async () => (await send()) === 200, 15_000);
    expect(await status).toBe(503);
  });
});
