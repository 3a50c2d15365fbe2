import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNING } from '../../src/platform/database/data-source.js';
import { takeEvents } from '../../src/pull/take.queries.js';
import { Parley, type Tenant } from '../support/parley.js';

const DELIVERIES = 20_000;
const EVENTS = 10;
/** Rows of the table that a poll may read for each of its events. */
const BOUND = 10;

describe(`polls beside ${DELIVERIES} deliveries of a webhook`, () => {
  let parley: Parley;
  let tenant: Tenant;
  let client: pg.Client;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    client = new pg.Client({ connectionString: parley.databaseUrl, options: PLANNING });
    await client.connect();
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await parley.stop();
  });

  const say = async () => {
    for (let event = 0; event < EVENTS; event++)
      await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Hi' }).expect(200);
  };
  const fill = () =>
    parley.query(
      `INSERT INTO deliveries (organization_id, webhook_id, id, position, chat_id, event_type, payload, outcome, created_at)
       SELECT $1, 'whk_full', 'dlv_' || number, nextval('deliveries_position'), $2, 'message.created', '{}', 'delivered', now()
       FROM generate_series(1, $3) AS number`,
      [tenant.id, tenant.chatId, DELIVERIES],
    );
  const take = async (presented: string | null, ack: string) => {
    const [token] = await parley.query('SELECT id, bot_id AS "botId" FROM access_tokens WHERE organization_id = $1', [
      tenant.id,
    ]);
    return takeEvents(
      client as unknown as pg.Pool,
      { organizationId: tenant.id, botId: token!.botId, tokenId: token!.id },
      { limit: 100, presented, ack, generation: null, mayBeEmpty: true },
    );
  };
  const rowsReadBy = async (work: () => Promise<unknown>): Promise<number> => {
    await client.query('BEGIN');
    await work();
    const { rows } = await client.query(
      `SELECT sum(pg_stat_get_xact_tuples_fetched(indexrelid))::integer AS read
       FROM pg_index WHERE indrelid = 'deliveries'::regclass`,
    );
    await client.query('COMMIT');
    return rows[0].read;
  };

  it('a poll whose plan was made while the table was empty reads only its own events, also to acknowledge them', async () => {
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await say();
    expect(await take(null, 'first')).toMatchObject({ count: EVENTS });
    expect(await take('first', 'second')).toMatchObject({ count: 0 });
    await fill();
    await say();
    expect(await take('second', 'third')).toMatchObject({ count: EVENTS });
    const read = await rowsReadBy(async () => expect(await take('third', 'fourth')).toMatchObject({ count: 0 }));
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(EVENTS * BOUND);
    expect(await parley.query('SELECT FROM deliveries WHERE webhook_id LIKE $1', ['sub%'])).toHaveLength(0);
  });
});
