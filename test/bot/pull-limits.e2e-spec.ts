import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SubscriptionUpkeep } from '../../src/pull/subscription-upkeep.js';
import { dropEvents } from '../../src/pull/subscription-upkeep.queries.js';
import { eventually } from '../support/eventually.js';
import { ignoreDocuments } from '../support/check-answers.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { movedByDays } from '../support/times.js';

const DAY = 86_400_000;

describe("a bot's pending events", () => {
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

  const say = (content: string, chatId = tenant.chatId) =>
    tenant.bot.post('/messages', { chatId, content }).expect(200);
  const poll = async (query = '') => (await tenant.bot.get(`/events?wait=0${query}`).expect(200)).body;
  const ackOf = ({ ack }: any) => `&ack=${ack}`;
  const wordsOf = ({ events }: any): string[] => events.map(({ data }: any) => data.message?.content);
  const upkeep = (days = 0) => parley.app.get(SubscriptionUpkeep).run(new Date(Date.now() + days * DAY));
  const age = (days: number, words: string) =>
    parley.query(
      `UPDATE deliveries SET created_at = ${movedByDays('created_at', -days)} WHERE organization_id = $1 AND payload LIKE $2`,
      [tenant.id, `%${words}%`],
    );
  const fill = (count: number) =>
    parley.query(
      `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at)
       SELECT $1, s.id, 'dlv_' || n, nextval('deliveries_position'), $2, 'chat.closed', '{"n":' || n || '}', now()
       FROM subscriptions s, generate_series(1, $3::integer) n WHERE s.organization_id = $1`,
      [tenant.id, tenant.chatId, count],
    );

  it('a bot whose events cannot be dropped keeps no other one waiting', async () => {
    const other = await parley.createTenant();
    await other.bot.put('/subscription', { senderTypes: ['VISITOR', 'BOT'] }).expect(200);
    const [stuck, later] = [tenant, other].toSorted((one, next) => (one.id < next.id ? -1 : 1)) as [Tenant, Tenant];
    for (const { bot, chatId } of [stuck, later]) await bot.post('/messages', { chatId, content: 'old' }).expect(200);
    await parley.query(
      `CREATE FUNCTION keep_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it stays'; END $$;
       CREATE TRIGGER keep_event BEFORE DELETE ON deliveries FOR EACH ROW WHEN (OLD.organization_id = '${stuck.id}')
       EXECUTE FUNCTION keep_event();
       UPDATE deliveries SET created_at = ${movedByDays('created_at', -8)}`,
    );
    await upkeep();
    await parley.query('DROP TRIGGER keep_event ON deliveries; DROP FUNCTION keep_event()');
    const left = await parley.query(
      'SELECT DISTINCT organization_id AS id FROM deliveries WHERE organization_id = ANY ($1)',
      [[stuck.id, later.id]],
    );
    expect(left).toEqual([{ id: stuck.id }]);
  });

  it('events are dropped after 7 days, and polls report the gap until a response that reported it is acknowledged', async () => {
    for (const content of ['old one', 'old two', 'new']) await say(content);
    const before = await poll('&limit=2');
    await age(8, 'old');
    await upkeep();
    const gap = { droppedEvents: 2, since: before.events[0].timestamp };
    gap.since = new Date(Date.parse(gap.since) - 8 * DAY).toISOString();
    const first = await poll(ackOf(before));
    expect(first).toMatchObject({ gap, pending: 0 });
    expect(wordsOf(first)).toEqual(['new']);
    expect((await poll()).gap).toEqual(gap);
    const told = await poll();
    // Events dropped before the ack are reported with the earlier gap, and alone afterward.
    await say('old three');
    await age(9, '');
    await upkeep();
    const more = await poll();
    expect(more.gap.droppedEvents).toBe(4);
    expect(Date.parse(more.gap.since)).toBeLessThan(Date.parse(gap.since));
    expect((await poll(ackOf(told))).gap.droppedEvents).toBe(4);
    const last = await poll();
    await say('old four');
    await age(8, 'four');
    await upkeep();
    expect((await poll(ackOf(last))).gap.droppedEvents).toBe(1);
    expect(await poll(ackOf(await poll()))).not.toHaveProperty('gap');
  });

  it("a gap is reported immediately, and doesn't end another wait", async () => {
    await say('old');
    await age(8, 'old');
    const waiting = Promise.resolve(tenant.bot.get('/events?wait=50&limit=1'));
    expect(wordsOf((await waiting).body)).toEqual(['old']);
    await upkeep();
    const { body } = await tenant.bot.get('/events?wait=50').expect(200);
    expect(body).toMatchObject({ events: [], gap: { droppedEvents: 1 } });
    const { body: again } = await tenant.bot.get('/events?wait=1').expect(200);
    expect(again).toMatchObject({ events: [], gap: { droppedEvents: 1 } });
    const { body: done } = await tenant.bot.get(`/events?wait=1&ack=${again.ack}`).expect(200);
    expect(done).not.toHaveProperty('gap');
  });

  it("acknowledged events aren't sent again while the upkeep drops older ones", async () => {
    for (const content of ['one', 'two', 'three']) await say(content);
    const first = await poll('&limit=2');
    const [{ id }] = (await parley.query<{ id: string }>('SELECT id FROM subscriptions WHERE bot_id = $1', [
      tenant.botId,
    ])) as [{ id: string }];
    // Between the upkeep's statement and its commit. No event is old enough to be dropped.
    const upkeeper = await parley.database.connect();
    await upkeeper.query('BEGIN');
    const nothing = { isOld: true, dropUpTo: null, isSilent: false, isSuspended: false };
    const due = { organizationId: tenant.id, botId: tenant.botId, id, ...nothing };
    expect(await dropEvents(upkeeper as never, due, new Date(0))).toBe(0);
    const second = await poll(ackOf(first));
    await upkeeper.query('COMMIT');
    upkeeper.release();
    expect(wordsOf(second)).toEqual(['three']);
    expect(wordsOf(await poll(ackOf(second)))).toEqual([]);
  });

  it('at most 100,000 events are pending, and the oldest are dropped', async () => {
    ignoreDocuments();
    await fill(100_003);
    expect((await poll('&limit=3')).pending).toBe(1_000);
    const { body } = await tenant.bot.get('/subscription').expect(200);
    expect(body.pending).toBe(100_003);
    await upkeep();
    const answer = await poll('&limit=2');
    expect(answer).toMatchObject({ events: [{ n: 4 }, { n: 5 }], gap: { droppedEvents: 3 } });
    expect((await tenant.admin.get(`/bots/${tenant.botId}/subscription`)).body.pending).toBe(100_000);
  });

  it("a subscription that isn't polled for 7 days stores no events, and the next poll wakes it with its filters", async () => {
    await poll();
    await say('before the rest');
    await upkeep(6);
    expect((await tenant.bot.get('/subscription')).body.pending).toBe(1);
    await parley.query(
      `UPDATE subscriptions SET last_polled_at = ${movedByDays('last_polled_at', -8)} WHERE bot_id = $1`,
      [tenant.botId],
    );
    await parley.query(`UPDATE subscriptions SET awake_since = ${movedByDays('awake_since', -9)} WHERE bot_id = $1`, [
      tenant.botId,
    ]);
    await upkeep();
    await say('during the rest');
    expect((await tenant.bot.get('/subscription').expect(200)).body).toMatchObject({
      pending: 0,
      senderTypes: ['VISITOR', 'BOT'],
    });
    const woken = await poll();
    expect(woken).toMatchObject({ events: [], gap: { droppedEvents: null, since: expect.any(String) } });
    expect(Date.parse(woken.gap.since)).toBeLessThanOrEqual(Date.now());
    await say('after the rest');
    const next = await poll(ackOf(woken));
    expect(wordsOf(next)).toEqual(['after the rest']);
    expect(next).not.toHaveProperty('gap');
    await upkeep();
    expect(wordsOf(await poll())).toEqual(['after the rest']);
  });

  it('a resting subscription stores events again after a PUT', async () => {
    await parley.query(`UPDATE subscriptions SET awake_since = ${movedByDays('awake_since', -9)} WHERE bot_id = $1`, [
      tenant.botId,
    ]);
    await upkeep();
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await upkeep();
    await say('kept');
    const answer = await poll();
    expect(wordsOf(answer)).toEqual(['kept']);
    expect(answer.gap.droppedEvents).toBeNull();
  });

  it('erasing a visitor drops their events, including delivered ones, without a gap', async () => {
    const { body: chat } = await tenant.admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201);
    await say('of the erased', chat.id);
    await tenant.admin.patch(`/chats/${chat.id}`, { status: 'CLOSED' }).expect(200);
    await say('of another');
    const before = await poll();
    expect(JSON.stringify(before)).toContain('of the erased');
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
    const after = await poll();
    expect(JSON.stringify(after.events)).not.toContain(chat.id);
    expect(wordsOf(after)).toEqual(['of another']);
    expect(after).not.toHaveProperty('gap');
    expect((await poll(ackOf(after))).events).toEqual([]);
  });

  it('metrics count the pending events of all bots', async () => {
    const other = await parley.createTenant();
    await other.bot.get('/events?wait=0').expect(200);
    await parley.query(`UPDATE subscriptions SET last_polled_at = now() - interval '2 hours' WHERE bot_id = $1`, [
      other.botId,
    ]);
    await say('measured');
    await age(0.125, 'measured');
    const scrape = await Scrape.of(parley.url);
    expect(Number(scrape.value('parley_pull_events_waiting', {}))).toBeGreaterThanOrEqual(1);
    expect(Number(scrape.value('parley_pull_oldest_seconds', {}))).toBeGreaterThan(10_000);
    expect(Number(scrape.value('parley_pull_last_poll_seconds', {}))).toBeGreaterThan(7_000);
    expect(scrape.labelNames('parley_pull_events_waiting')).toEqual([]);
  });

  it('deleting a bot deletes its pending events', async () => {
    await say('of the bot');
    await tenant.admin.delete(`/bots/${tenant.botId}`).expect(204);
    await eventually(
      () => parley.query('SELECT FROM deliveries WHERE organization_id = $1', [tenant.id]),
      ({ length }) => length === 0,
    );
  });

  it('an organization has at most 50 subscriptions', async () => {
    await parley.query(
      `WITH bot AS (INSERT INTO bots (organization_id, id, name, created_at)
         SELECT $1, 'bot_' || n, 'x', now() FROM generate_series(1, 49) n RETURNING id),
       receiver AS (INSERT INTO receivers (organization_id, id, kind, bot_id, created_at)
         SELECT $1, 'sub_' || b.id, 'SUBSCRIPTION', b.id, now() FROM bot b RETURNING bot_id, id)
       INSERT INTO subscriptions (organization_id, bot_id, id, awake_since) SELECT $1, r.bot_id, r.id, now() FROM receiver r`,
      [tenant.id],
    );
    const { body: bot } = await tenant.admin.post('/bots', { name: 'One more' }).expect(201);
    const { body: token } = await tenant.admin.post(`/bots/${bot.id}/tokens`, {}).expect(201);
    await parley.bot(token.token).put('/subscription', {}).expect(409);
    await parley.bot(token.token).get('/events?wait=0').expect(409);
    await tenant.bot.put('/subscription', {}).expect(200);
  });
});
