import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { Scrape } from '../support/scrape.js';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('messages that share a statement', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const body = (content: string, more: object = {}) => ({ chatId: tenant.chatId, content, ...more });
  const say = (content: string, key?: string) => {
    const sent = tenant.bot.post('/messages', body(content));
    return key === undefined ? sent : sent.set('Idempotency-Key', key);
  };
  const stored = () =>
    parley.query<{ seq: number; id: string; content: string; xmin: string }>(
      'SELECT seq, id, content, xmin::text FROM messages WHERE chat_id = $1 ORDER BY seq',
      [tenant.chatId],
    );
  const count = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.messageCount;

  /** Runs requests that wait behind one statement that can't end, so they're stored together when it does. */
  async function together<T>(ask: () => PromiseLike<T>[]): Promise<T[]> {
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE messages IN SHARE ROW EXCLUSIVE MODE');
    const first = say('first').then(({ status }) => status);
    const isWaiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(
      () => parley.query(isWaiting),
      ({ length }) => length > 0,
    );
    // Requests are sent when their answers are asked for.
    const requests = ask();
    const answers = Promise.all(requests);
    await eventually(
      async () => (await Scrape.of(parley.url)).value('parley_queue_depth', { queue: 'append' }),
      (depth) => depth === requests.length + 1,
    );
    await holder.query('COMMIT');
    await holder.end();
    expect(await first).toBe(200);
    return answers;
  }

  it('a batch stores 63 of 64 messages when the database rejects one, and says which', async () => {
    await parley.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '22021'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON messages FOR EACH ROW WHEN (NEW.content = 'refuse me') EXECUTE FUNCTION refuse()`);
    const answers = await together(() => upTo(64).map((n) => say(n === 40 ? 'refuse me' : `${n}`)));
    await parley.query('DROP FUNCTION refuse CASCADE');
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(63);
    expect(answers[39]!.body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await count()).toBe(64);
  });

  it('each message of a batch is stored once, with any repetitions', async () => {
    await say('before', 'old').expect(200);
    const answers = await together(() => [
      ...upTo(20).map((n) => say(`new ${n}`, `new-${n}`)),
      ...upTo(20).map((n) => say(`new ${n}`, `new-${n}`)),
      ...upTo(5).map(() => say('before', 'old')),
      say('another body', 'old'),
      say('another body', 'new-1'),
      ...upTo(10).map((n) => say(`plain ${n}`)),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 45)).toEqual(upTo(45).map(() => 200));
    expect(statuses.slice(45, 47)).toEqual([422, 422]);
    expect(statuses.slice(47)).toEqual(upTo(10).map(() => 200));
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(25);
    for (const n of upTo(20)) expect(answers[n - 1]!.body).toEqual(answers[n + 19]!.body);
    const rows = await stored();
    expect(rows.map(({ seq }) => seq)).toEqual(upTo(32));
    // They shared statements: fewer transactions stored the 30 new messages.
    const shared = rows.filter(({ content }) => /^(new|plain) /.test(content));
    expect(shared).toHaveLength(30);
    expect(new Set(shared.map(({ xmin }) => xmin)).size).toBeLessThan(30);
  });

  it('a message that waits for its key is accepted before the wait, so its key is never reserved without it', async () => {
    const { body: other } = await tenant.admin.post('/bots', { name: 'Other' }).expect(201);
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO idempotency_keys (organization_id, bot_id, endpoint, key, fingerprint, response, created_at)
       VALUES ($1, $2, 'messages', 'contended', '', '{}', now())`,
      [tenant.id, tenant.botId],
    );
    const answer = tenant.bot
      .post('/messages', body('mine', { ifOwner: 'BOT' }))
      .set('Idempotency-Key', 'contended')
      .then(({ status }) => status);
    const isWaiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(
      () => parley.query(isWaiting),
      ({ length }) => length > 0,
    );
    await parley.query('UPDATE groups SET bot_id = $2 WHERE organization_id = $1', [tenant.id, other.id]);
    await holder.query('ROLLBACK');
    await holder.end();
    expect(await answer).toBe(200);
    expect((await stored()).map(({ content }) => content)).toEqual(['mine']);
  });

  it("a batch stores one message per clientMessageId, beside bots' messages", async () => {
    const visitor = parley.visitor(tenant.visitorToken);
    const path = `/chats/${tenant.chatId}/messages`;
    const write = (n: number) => visitor.post(path, { content: `${n}`, clientMessageId: `c${n}` });
    const { body: old } = await write(1).expect(201);
    const answers = await together(() => [
      ...upTo(10).map(write),
      ...upTo(10).map(write),
      ...upTo(10).map((n) => say(`b${n}`)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...upTo(20).map(() => 201), ...upTo(10).map(() => 200)]);
    expect(answers[0]!.body).toEqual(old);
    for (const n of upTo(10)) expect(answers[n - 1]!.body).toEqual(answers[n + 9]!.body);
    expect((await stored()).map(({ seq }) => seq)).toEqual(upTo(21));
    expect(await count()).toBe(21);
  });

  it('each event of a batch has the state at its message', async () => {
    const receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['message.created'] }).expect(201);
    const { body: chat } = await tenant.admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201);
    const visitor = parley.visitor(chat.visitorToken);
    const path = `/chats/${chat.id}/messages`;
    await together(() => [
      visitor.post(path, { content: 'v1' }).expect(201),
      ...upTo(3).map((n) => tenant.bot.post('/messages', { chatId: chat.id, content: `b${n}` }).expect(200)),
      visitor.post(path, { content: 'v2' }).expect(201),
    ]);
    const received = await receiver.until(
      (all) => all.filter(({ event }) => event.data.chat.id === chat.id).length === 5,
    );
    const events = received.map(({ event }) => event.data).filter((data) => data.chat.id === chat.id);
    const { body: read } = await tenant.bot.get(`/chats/${chat.id}`).expect(200);
    let answeredAt: string | null = null;
    for (const { message, chat: then } of events) {
      if (message.sender.type === 'BOT') answeredAt ??= message.createdAt;
      expect(then).toMatchObject({ messageCount: message.seq, lastMessageAt: message.createdAt });
      expect(then.firstResponseAt).toBe(answeredAt);
    }
    expect(events.map(({ message }) => message.seq)).toEqual(upTo(5));
    expect(read.firstResponseAt).toBe(answeredAt);
    await receiver.close();
  });

  it('a batch can be of any size', async () => {
    const content = '🚀'.repeat(5_000);
    const metadata = { text: 'x'.repeat(10_000) };
    const answers = await together(() => upTo(64).map(() => tenant.bot.post('/messages', body(content, { metadata }))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await stored();
    expect(rows.map(({ seq }) => seq)).toEqual(upTo(65));
    const inOne = new Map<string, number>();
    for (const { xmin } of rows) inOne.set(xmin, (inOne.get(xmin) ?? 0) + 1);
    // 262,144 code units hold 13 of these.
    expect(Math.max(...inOne.values())).toBeLessThanOrEqual(13);
    expect(inOne.size).toBeLessThan(10);
  });
});
