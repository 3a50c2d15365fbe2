import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Response } from 'supertest';
import { ActivePolls } from '../../src/pull/active-polls.js';
import { DomainEventBus } from '../../src/platform/database/domain-events.js';
import { Lifecycle } from '../../src/platform/http/server/lifecycle.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('a poll that waits for events', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', { senderTypes: ['VISITOR', 'BOT'] }).expect(200);
  });

  const waiting = (node = parley) =>
    node.app
      .get(ActivePolls)
      .all()
      .filter(({ generation }) => generation !== undefined);
  /** Starts a poll, and resolves once it waits. Two that start together are indistinguishable. */
  const begin = async (query = '', client = tenant.bot, node = parley): Promise<{ answer: Promise<Response> }> => {
    const before = new Set(waiting(node));
    const answer = Promise.resolve(client.get(`/events?wait=50${query}`));
    await until('the call waits', () => waiting(node).some((call) => !before.has(call)));
    return { answer };
  };
  const say = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);

  it('a waiting poll returns the first event, and holds no database connection while it waits', async () => {
    const { answer } = await begin();
    // Now and then it polls the database itself, for a moment.
    const busy = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'
      AND query LIKE '%subscription%' AND pid <> pg_backend_pid()`;
    await until('no connection is held', async () => (await parley.query(busy)).length === 0);
    await say('hello');
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body).toMatchObject({ events: [{ data: { message: { content: 'hello' } } }], pending: 0 });
  });

  it('a waiting poll returns empty when its time is over, and its ack does no harm', async () => {
    const { body } = await tenant.bot.get('/events?wait=1').expect(200);
    expect(body).toEqual({ events: [], ack: expect.any(String), pending: 0 });
    await say('later');
    const next = await tenant.bot.get(`/events?wait=50&ack=${body.ack}`).expect(200);
    expect(next.body.events).toHaveLength(1);
  });

  it('a waiting poll finds events without a hint', async () => {
    const { answer } = await begin();
    const bus = parley.app.get(DomainEventBus);
    const emit = bus.emit.bind(bus);
    bus.emit = ((event, fact, tx) => event !== 'deliveries.queued' && emit(event, fact, tx)) as typeof bus.emit;
    try {
      await say('without a hint');
      expect((await answer).body.events).toHaveLength(1);
    } finally {
      bus.emit = emit;
    }
  });

  it("a waiting poll is superseded by a newer one on any node, even by one that doesn't wait", async () => {
    const other = await Parley.start({}, parley.databaseUrl);
    try {
      const first = await begin();
      const second = await begin();
      expect((await first.answer).body).toMatchObject({ status: 409, code: 'superseded' });
      await tenant.bot.get('/events?wait=0').expect(200);
      expect((await second.answer).body.code).toBe('superseded');
      const third = await begin();
      const fourth = await begin('', other.bot(tenant.token), other);
      expect((await third.answer).body.code).toBe('superseded');
      await say('to the newest');
      expect((await fourth.answer).body.events).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  it('one of many simultaneous polls gets the event, and none that finds something is rejected', async () => {
    await say('there');
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.bot.get('/events?wait=50')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { body } of answers) expect(body.events).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.ack)).size).toBe(20);
  });

  it('a waiting poll ends with 401 when its token is revoked or expires, or its bot or organization is deleted', async () => {
    const another = await parley.createTenant();
    const { body: made } = await another.admin.post(`/bots/${another.botId}/tokens`, {}).expect(201);
    const second = await parley.createTenant();
    const { body: expiring } = await second.admin
      .post(`/bots/${second.botId}/tokens`, { expiresAt: '2099-01-01T00:00:00Z' })
      .expect(201);
    const third = await parley.createTenant();
    const calls = [
      await begin('', parley.bot(made.token)),
      await begin('', parley.bot(expiring.token)),
      await begin('', third.bot),
      await begin(),
    ];
    await another.admin.delete(`/bots/${another.botId}/tokens/${made.id}`).expect(204);
    await parley.query('UPDATE access_tokens SET expires_at = now() WHERE id = $1', [expiring.id]);
    await third.admin.delete(`/bots/${third.botId}`).expect(204);
    await parley.admin.delete(`/${tenant.id}?now=true`).expect(204);
    for (const { answer } of calls) {
      const { status, headers } = await answer;
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    await eventually(
      () => parley.query('SELECT FROM subscriptions WHERE organization_id = ANY ($1)', [[tenant.id, third.id]]),
      ({ length }) => length === 0,
    );
    expect(await parley.query('SELECT FROM receivers WHERE bot_id = ANY ($1)', [[tenant.botId, third.botId]])).toEqual(
      [],
    );
  });

  it.each(['bots WHERE organization_id = $1', 'organizations WHERE id = $1'])(
    'a poll that is creating its first subscription ends with 401 after a concurrent DELETE FROM %s',
    async (rows) => {
      const another = await parley.createTenant();
      const holder = new Client({ connectionString: parley.databaseUrl });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [another.id]);
        const answer = another.bot.get('/events?wait=50').then(({ status }) => status);
        await until('the subscription waits for the organization', async () => {
          const [locked] = await parley.query(
            `SELECT count(*)::integer AS waiting FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT "Organization"%'`,
          );
          return locked!.waiting === 1;
        });
        await holder.query(`DELETE FROM ${rows}`, [another.id]);
        await holder.query('COMMIT');
        expect(await answer).toBe(401);
      } finally {
        await holder.end();
      }
    },
  );

  it('a waiting poll whose token is revoked takes no events, even if an event comes first', async () => {
    const { answer } = await begin();
    // The event and the end of the token are one commit.
    await parley.query(
      `WITH ended AS (DELETE FROM access_tokens WHERE bot_id = $1)
       INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at)
       SELECT organization_id, id, 'dlv_x', nextval('deliveries_position'), 'cht_x', 'chat.closed', '{}', now()
       FROM subscriptions WHERE bot_id = $1`,
      [tenant.botId],
    );
    expect((await answer).status).toBe(401);
  });

  it('a waiting poll ends with 404 when its subscription is deleted, and creates no new one', async () => {
    const { answer } = await begin();
    await tenant.bot.delete('/subscription').expect(204);
    expect((await answer).status).toBe(404);
    await tenant.bot.get('/subscription').expect(404);
    const other = await Parley.start({}, parley.databaseUrl);
    try {
      const elsewhere = await begin('', other.bot(tenant.token), other);
      await tenant.bot.delete('/subscription').expect(204);
      await tenant.bot.put('/subscription', {}).expect(200);
      expect((await elsewhere.answer).status).toBe(404);
    } finally {
      await other.stop();
    }
  });

  it('a poll takes no events after its client has disconnected', async () => {
    const gone = new AbortController();
    const headers = { Authorization: `Bearer ${tenant.token}` };
    const before = waiting().length;
    const call = fetch(`${parley.url}/api/bot/events?wait=50`, { headers, signal: gone.signal }).catch(() => 'gone');
    await until('the call waits', () => waiting().length > before);
    gone.abort();
    expect(await call).toBe('gone');
    await until('the call has ended', () => waiting().length === before);
    await say('for the next');
    const [{ answered }] = (await parley.query<{ answered: string[] }>(
      'SELECT answered FROM subscriptions WHERE bot_id = $1',
      [tenant.botId],
    )) as [{ answered: string[] }];
    expect(answered).toEqual([]);
  });

  it('a waiting poll returns empty and closes its connection when the process shuts down', async () => {
    const node = await Parley.start({}, parley.databaseUrl);
    try {
      const { answer } = await begin('', node.bot(tenant.token), node);
      node.app.get(Lifecycle).drain();
      const { status, body, headers } = await answer;
      expect([status, headers.connection]).toEqual([200, 'close']);
      expect(body).toEqual({ events: [], ack: expect.any(String), pending: 0 });
      await tenant.bot.get(`/events?wait=0&ack=${body.ack}`).expect(200);
    } finally {
      await node.stop();
    }
  });
});
