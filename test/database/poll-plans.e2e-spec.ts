import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNING } from '../../src/platform/database/data-source.js';
import { takeEvents } from '../../src/pull/take.queries.js';
import { Parley, type Tenant } from '../support/parley.js';

const DELIVERIES = 20_000;
const EVENTS = 10;
/** The most events of a poll. */
const MOST = 100;
/** Events that wait for a bot, more than a poll returns. */
const BACKLOG = 1_000;
/** Rows of the table that a poll may read for each of its events. */
const BOUND = 10;

describe('polls on tables without statistics', () => {
  let parley: Parley;
  let tenant: Tenant;
  let client: pg.Client;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  }, 120_000);
  beforeEach(async () => {
    client = new pg.Client({ connectionString: parley.databaseUrl, options: PLANNING });
    await client.connect();
  });
  afterEach(() => client.end());
  afterAll(() => parley.stop());

  const say = async () => {
    for (let event = 0; event < EVENTS; event++)
      await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Hi' }).expect(200);
  };
  const fill = (webhookId: string, count: number, outcome: string | null) =>
    parley.query(
      `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, outcome, created_at)
       SELECT $1, $3, 'dlv_' || number, nextval('deliveries_position'), $2, 'message.created', '{}', $5, now()
       FROM generate_series(1, $4) AS number`,
      [tenant.id, tenant.chatId, webhookId, count, outcome],
    );
  const take = async (presented: string | null, ack: string) => {
    const [token] = await parley.query('SELECT id, bot_id AS "botId" FROM access_tokens WHERE organization_id = $1', [
      tenant.id,
    ]);
    return takeEvents(
      client as unknown as pg.Pool,
      { organizationId: tenant.id, botId: token!.botId, tokenId: token!.id },
      { limit: MOST, presented, ack, generation: null, mayBeEmpty: true },
    );
  };
  /** Rows of the table that the client has read since it last reported its statistics, which it never does within a transaction. */
  const countRead = async (): Promise<number> => {
    const { rows } = await client.query(
      `SELECT sum(pg_stat_get_xact_tuples_fetched(indexrelid))::integer AS read
       FROM pg_index WHERE indrelid = 'deliveries'::regclass`,
    );
    return rows[0].read;
  };
  const rowsReadBy = async (work: () => Promise<unknown>): Promise<number> => {
    await client.query('BEGIN');
    const before = await countRead();
    await work();
    const read = (await countRead()) - before;
    await client.query('COMMIT');
    return read;
  };

  it(`read only what they return, count, and acknowledge of ${BACKLOG} events that wait`, async () => {
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await say();
    const { id } = (await take(null, 'first'))!;
    await fill(id, BACKLOG, null);
    expect(await take(null, 'second')).toMatchObject({ count: MOST });
    const read = await rowsReadBy(async () => expect(await take('second', 'third')).toMatchObject({ count: MOST }));
    expect(read).toBeGreaterThan(BACKLOG - MOST);
    expect(read).toBeLessThan(BACKLOG + MOST * BOUND);
    const left = await parley.query('SELECT FROM deliveries WHERE receiver_id = $1', [id]);
    expect(left).toHaveLength(EVENTS + BACKLOG - MOST);
    await parley.query('DELETE FROM deliveries');
  });

  it(`read only their own events, also to acknowledge them, beside ${DELIVERIES} deliveries of a webhook that came after their plan was made`, async () => {
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await say();
    expect(await take(null, 'first')).toMatchObject({ count: EVENTS });
    expect(await take('first', 'second')).toMatchObject({ count: 0 });
    await fill('whk_full', DELIVERIES, 'delivered');
    await say();
    expect(await take('second', 'third')).toMatchObject({ count: EVENTS });
    const read = await rowsReadBy(async () => expect(await take('third', 'fourth')).toMatchObject({ count: 0 }));
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(EVENTS * BOUND);
    expect(await parley.query('SELECT FROM deliveries WHERE receiver_id LIKE $1', ['sub%'])).toHaveLength(0);
  });
});
