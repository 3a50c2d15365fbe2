import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queryOnce } from '../support/database.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

/** How many requests run at a time. */
const CONCURRENT = 16;

describe('terminated database connections', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    parley.database.on('error', () => undefined);
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  it('a connection terminated at any moment costs at most a 503', async () => {
    const { chatId } = tenant;
    const statuses = new Set<number>();
    let answers = 0;
    let isOver = false;
    const ask = async () => {
      while (!isOver) {
        const visitor = parley.visitor(tenant.visitorToken);
        statuses.add((await visitor.get(`/chats/${chatId}/messages?afterSeq=0`)).status);
        statuses.add((await tenant.bot.post('/transfer', { chatId })).status);
        answers++;
      }
    };
    const asking = Promise.all(Array.from({ length: CONCURRENT }, ask));
    for (let round = 0; round < 60; round++) {
      await parley.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'parley'`,
      );
      const before = answers;
      await until('as many requests as run at a time are answered since', () => answers >= before + CONCURRENT);
    }
    isOver = true;
    await asking;
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });

  it('requests are 503 while the database rejects new connections for good, and work again afterward', async () => {
    const server = process.env.TEST_DATABASE_URL!;
    const name = new URL(parley.databaseUrl).pathname.slice(1);
    const read = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`)).status;
    const isRenamed = async () => {
      await queryOnce(server, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      return queryOnce(server, `ALTER DATABASE ${name} RENAME TO ${name}_away`).then(
        () => true,
        () => false,
      );
    };
    await until('it has another name', isRenamed);
    expect(await read()).toBe(503);
    await queryOnce(server, `ALTER DATABASE ${name}_away RENAME TO ${name}`);
    await until('it works again', async () => (await read()) === 200);
  });
});
