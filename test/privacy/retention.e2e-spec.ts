import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/platform/lib/ids.js';
import { AppenderService } from '../../src/messages/appender.service.js';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { RetentionService } from '../../src/privacy/retention.service.js';
import { Cli } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { Scrape } from '../support/scrape.js';
import { fillChat, findTraces, readSeqs, stopOwnPasses, upTo } from '../support/traces.js';

const DAY = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);

describe('retention', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    stopOwnPasses(parley);
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const keep = (days: number | null) => parley.admin.patch(`/${tenant.id}`, { retentionDays: days }).expect(200);
  const clean = (now: Date, node = parley) => node.app.get(DataRemoval).run(now);
  const send = (chatId: string, content: string) => tenant.bot.post('/messages', { chatId, content });
  const begin = async () => {
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const { body: opened } = await parley.visitor(session.token).post('/chats', {}).expect(201);
    return { id: session.visitor.id as string, token: session.token as string, chatId: opened.chat.id as string };
  };
  /** Moves a chat's messages from this seq on, and its last activity, to this time. */
  const say = (chatId: string, fromSeq: number, at: Date) =>
    parley.query(
      `WITH moved AS (UPDATE messages SET created_at = $3 WHERE chat_id = $1 AND seq >= $2)
      UPDATE chats SET last_message_at = $3 WHERE id = $1`,
      [chatId, fromSeq, at],
    );

  /** Stores a message with a time in the future. */
  const sayLater = (chatId: string, createdAt: Date) => {
    const sender = { type: 'BOT', id: tenant.botId, name: 'Bot' } as const;
    const said = { id: newId('msg'), type: 'TEXT', content: 'and here', metadata: null, sender, createdAt } as const;
    const none = { clientMessageId: null, replyTo: null, ifOwnerIsBot: false, traceparent: null, startedAt: 0 };
    const message = { ...said, ...none, organizationId: tenant.id, chatId };
    return parley.app.get(AppenderService).appendAlone({ message, reservation: null });
  };

  it("retention is off until it's set, in days or null", async () => {
    expect((await parley.admin.get(`/${tenant.id}`).expect(200)).body.retentionDays).toBeNull();
    for (const retentionDays of [0, 3651, 1.5, '30', true]) {
      const { body } = await parley.admin.patch(`/${tenant.id}`, { retentionDays }).expect(400);
      expect(body.errors).toEqual([
        { pointer: '/retentionDays', detail: 'must be an integer from 1 to 3650, or null' },
      ]);
    }
    expect((await keep(30)).body.retentionDays).toBe(30);
    expect((await parley.admin.patch(`/${tenant.id}`, { name: 'Same' }).expect(200)).body.retentionDays).toBe(30);
    expect((await keep(null)).body.retentionDays).toBeNull();
    const { body: made } = await parley.admin.post('', { name: 'Made', retentionDays: 3650 }).expect(201);
    expect(made.retentionDays).toBe(3650);
    await send(tenant.chatId, 'stays').expect(200);
    await clean(inDays(5_000));
    expect(await findTraces(parley, 'stays')).toContain('stays in messages');
  });

  it("a rating and its event are deleted in time, even if the next message isn't old yet", async () => {
    await keep(30);
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    const hook = { url: 'http://127.0.0.1:9/', events: ['chat.rated'] };
    const { body: webhook } = await tenant.admin.post('/webhooks', hook).expect(201);
    const { token, chatId } = await begin();
    const visitor = parley.visitor(token);
    await visitor.post(`/chats/${chatId}/messages`, { content: 'day 0' }).expect(201);
    await visitor.post(`/chats/${chatId}/close`, {}).expect(200);
    await visitor.post(`/chats/${chatId}/rating`, { score: 1, comment: 'not good' }).expect(200);
    await parley.query(
      `WITH rated AS (UPDATE ratings SET rated_at = $2 WHERE chat_id = $1)
      UPDATE deliveries SET created_at = $2 WHERE chat_id = $1`,
      [chatId, inDays(1)],
    );
    await visitor.post(`/chats/${chatId}/messages`, { content: 'day 20' }).expect(201);
    await say(chatId, 2, inDays(20));
    await clean(inDays(30.5));
    const kept = async () => {
      const ratings = await parley.query('SELECT comment FROM ratings WHERE chat_id = $1', [chatId]);
      const events = await parley.query('SELECT FROM deliveries WHERE receiver_id = $1', [webhook.id]);
      return { ratings, events: events.length };
    };
    expect(await kept()).toEqual({ ratings: [{ comment: 'not good' }], events: 1 });
    await clean(inDays(45));
    expect(await kept()).toEqual({ ratings: [], events: 0 });
  });

  it('an organization whose rows cannot be removed keeps no other one waiting', async () => {
    const tenants = [await parley.createTenant(), await parley.createTenant()];
    tenants.sort((one, other) => (one.id < other.id ? -1 : 1));
    const [stuck, later] = tenants as [Tenant, Tenant];
    for (const { id, bot, chatId } of tenants) {
      await parley.admin.patch(`/${id}`, { retentionDays: 30 }).expect(200);
      await bot.post('/messages', { chatId, content: 'too old' }).expect(200);
    }
    await parley.query(
      `CREATE FUNCTION keep_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the rows stay'; END $$;
       CREATE TRIGGER keep_rows BEFORE DELETE ON chats FOR EACH ROW WHEN (OLD.organization_id = '${stuck.id}')
       EXECUTE FUNCTION keep_rows()`,
    );
    const chats = ({ chatId }: Tenant) => parley.query('SELECT FROM chats WHERE id = $1', [chatId]);
    await clean(inDays(40));
    expect([await chats(stuck), await chats(later)]).toEqual([[{}], []]);
    expect((await Scrape.of(parley.url)).value('parley_retention_behind_seconds')).toBeGreaterThan(0);
    await parley.query('DROP TRIGGER keep_rows ON chats; DROP FUNCTION keep_rows()');
    await clean(inDays(40));
    expect(await chats(stuck)).toEqual([]);
  });

  it("a chat's title is deleted with its first messages", async () => {
    await keep(30);
    const { chatId } = await begin();
    await send(chatId, 'day 0').expect(200);
    await tenant.bot.patch(`/chats/${chatId}`, { title: 'Vera Miller' }).expect(200);
    await say(chatId, 2, inDays(20));
    const title = async () => (await tenant.bot.get(`/chats/${chatId}`).expect(200)).body.title;
    await clean(inDays(29));
    expect(await title()).toBe('Vera Miller');
    await clean(inDays(31));
    expect(await title()).toBeNull();
  });

  it('what a bot keeps about a chat is deleted in time', async () => {
    await keep(30);
    const { chatId } = await begin();
    await tenant.bot.put(`/chats/${chatId}/state`, { state: { step: 1 } }).expect(200);
    await parley.query('UPDATE bot_states SET updated_at = $2 WHERE chat_id = $1', [chatId, inDays(1)]);
    await say(chatId, 1, inDays(20));
    const version = async () => (await tenant.bot.get(`/chats/${chatId}/state`).expect(200)).body.version;
    await clean(inDays(30.5));
    expect(await version()).toBe(1);
    await clean(inDays(45));
    expect(await version()).toBe(0);
  });

  it('an inactive chat is deleted with everything that belongs to it', async () => {
    await keep(30);
    const receiver = await Receiver.start();
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    const { id, token, chatId } = await begin();
    const visitor = parley.visitor(token);
    await visitor.post(`/chats/${chatId}/messages`, { content: 'long ago' }).expect(201);
    await send(chatId, 'long ago too').set('Idempotency-Key', 'long-ago').expect(200);
    await visitor.post(`/chats/${chatId}/read`, { seq: 1 }).expect(200);
    await receiver.count(3);
    await clean(inDays(29));
    expect(await findTraces(parley, chatId)).not.toEqual([]);
    const socket = await parley.connectVisitor(token);
    await socket.ask('chat:open', {});

    await clean(inDays(31));

    expect(await findTraces(parley, chatId, 'long ago', 'long-ago', id)).toEqual([]);
    await eventually(
      () => socket.socket.connected,
      (isConnected) => !isConnected,
    );
    await tenant.bot.get(`/chats/${chatId}`).expect(404);
    await visitor.get('/chats').expect(401);
    await receiver.close();
  });

  it('old messages of an active chat become tombstones, once, and a retry creates no second message', async () => {
    await keep(30);
    const { token, chatId } = await begin();
    const visitor = parley.visitor(token);
    const old = { content: 'old words', clientMessageId: 'mine' };
    const { body: first } = await visitor.post(`/chats/${chatId}/messages`, old).expect(201);
    await fillChat(parley, tenant.id, chatId, 1_199);
    await send(chatId, 'young').expect(200);
    await say(chatId, 1_201, inDays(40));
    await clean(inDays(45));

    const page = async (afterSeq: number) =>
      (await visitor.get(`/chats/${chatId}/messages?limit=200&afterSeq=${afterSeq}`).expect(200)).body;
    const deletedAt = expect.any(String);
    expect((await page(0)).messages[0]).toEqual({
      ...first.message,
      content: '',
      sender: { ...first.message.sender, name: null },
      deletedAt,
    });
    const { messages, latestSeq } = await page(1_190);
    expect(latestSeq).toBe(1_201);
    expect(messages.map(({ deletedAt: at }: any) => typeof at)).toEqual([...Array(10).fill('string'), 'undefined']);
    expect((await readSeqs(parley, tenant.id, chatId)).seqs).toEqual(upTo(1_201));
    const { body: again } = await visitor.post(`/chats/${chatId}/messages`, old).expect(201);
    expect(again.message).toMatchObject({ id: first.message.id, seq: 1, content: '' });
    const written = await parley.query('SELECT xmin FROM messages WHERE chat_id = $1', [chatId]);
    await clean(inDays(45));
    expect(await parley.query('SELECT xmin FROM messages WHERE chat_id = $1', [chatId])).toEqual(written);
    await send(chatId, 'goes on').expect(200);
    expect((await page(1_201)).messages).toMatchObject([{ seq: 1_202, content: 'goes on' }]);
  });

  it('a long chat is deleted from its end, so the rest is complete at every moment', async () => {
    await keep(1);
    const { token, chatId } = await begin();
    await fillChat(parley, tenant.id, chatId, 2_500);
    const seen: (number | null)[] = [];
    const retention = parley.app.get(RetentionService);
    for (let steps = 0; seen.at(-1) !== null; steps = 0) {
      await retention.removeChats(tenant.id, [chatId], inDays(10), () => ++steps > 1);
      const { seqs, messageCount } = await readSeqs(parley, tenant.id, chatId);
      expect(seqs).toEqual(upTo(messageCount ?? 0));
      if (messageCount !== null) {
        await send(chatId, 'none may take the place of another').expect(404);
        const { body: opened } = await parley.visitor(token).post('/chats', {}).expect(201);
        expect(opened.chat.id).not.toBe(chatId);
      }
      seen.push(messageCount);
    }
    expect(seen).toEqual([1_500, 500, null]);
    await parley.visitor(token).get(`/chats/${chatId}/messages`).expect(404);
  });

  it("simultaneous nodes share the work of retention, and don't delay messages", async () => {
    await keep(30);
    const otherNode = await Parley.start({}, parley.databaseUrl);
    const chats = await Promise.all(Array.from({ length: 12 }, begin));
    for (const { chatId } of chats) await fillChat(parley, tenant.id, chatId, 300);
    const talking = chats.slice(0, 3);
    const replies = talking.map(async ({ chatId }) => {
      for (let n = 0; n < 10; n++) await send(chatId, 'still here').expect(200);
      await say(chatId, 301, inDays(40));
    });
    await Promise.all(replies);
    const passes = [parley, otherNode].map((node) => clean(inDays(45), node));
    expect(await Promise.all(talking.map(({ chatId }) => sayLater(chatId, inDays(41))))).toMatchObject(
      talking.map(() => ({ seq: 311 })),
    );
    await Promise.all(passes);
    for (const { chatId } of chats.slice(3)) expect(await findTraces(parley, chatId)).toEqual([]);
    for (const { chatId } of talking) {
      const { seqs, messageCount } = await readSeqs(parley, tenant.id, chatId);
      expect([seqs, messageCount]).toEqual([upTo(311), 311]);
    }
    await otherNode.stop();
  });

  it('retention deletes visitors who never wrote, and none of another organization', async () => {
    await keep(30);
    const other = await parley.createTenant();
    const { body: silent } = await parley.beginSession(tenant, { visitor: { name: 'Silent' } }).expect(201);
    await clean(inDays(31));
    await parley.visitor(silent.token).get('/chats').expect(401);
    expect(await findTraces(parley, 'Silent')).toEqual([]);
    await parley.visitor(other.visitorToken).get('/chats').expect(200);
  });

  it('a metric and the doctor tell how far retention is behind', async () => {
    const behind = async () => (await Scrape.of(parley.url)).value('parley_retention_behind_seconds');
    const warned = async () => {
      const { checks } = JSON.parse(
        (await Cli.of(parley, { DATABASE_URL: parley.databaseUrl }).run('doctor', '--json')).stdout,
      ) as { checks: { name: string; status: string; detail: string }[] };
      return checks.find(({ name }) => name === 'retention');
    };
    await keep(30);
    await clean(new Date());
    expect([await behind(), await warned()]).toEqual([0, undefined]);
    const { chatId } = await begin();
    await send(chatId, 'long ago').expect(200);
    await say(chatId, 1, inDays(-45));
    expect(await warned()).toMatchObject({
      status: 'warning',
      detail: `chats of 1 organizations are kept too long, by up to 15 days (${tenant.id})`,
    });
    await parley.app.get(RetentionService).run(inDays(31), () => true);
    expect(Number(await behind())).toBeGreaterThan(45 * 24 * 60 * 60);
    await clean(inDays(31));
    expect([await behind(), await warned()]).toEqual([0, undefined]);
  });
});
