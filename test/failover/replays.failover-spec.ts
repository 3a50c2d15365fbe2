import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import { Parley, PRODUCT_TIME_LIMITS, type Tenant } from '../support/parley.js';
import { Road } from '../support/road.js';
import { Pair } from './support/pair.js';

/** The outcomes that a client may see: a response that acknowledges, or one that leaves the outcome open. */
type Answer = { status: number };

describe('a retry after the commit lost its wait for the standby', () => {
  let pair: Pair;
  let address: Road;
  let parley: Parley;
  let tenant: Tenant;

  beforeEach(async () => {
    pair = await Pair.start();
    const over = await Road.toDatabase(pair.url);
    address = over.road;
    parley = await Parley.start({}, over.url, PRODUCT_TIME_LIMITS);
    parley.database.on('error', () => undefined);
    tenant = await parley.createTenant();
  });
  afterEach(async () => {
    await parley.stop();
    await address.close();
    await pair.stop();
  });

  /** Ends the wait of every commit whose statement matches: its rows are on the primary only. */
  const endWaits = async (how: 'pg_terminate_backend' | 'pg_cancel_backend', pattern = /./) => {
    const isMeant = ({ query }: { query: string }) => pattern.test(query);
    await until('a commit waits for the standby', async () => (await pair.waiting()).some(isMeant));
    const waiting = (await pair.waiting()).filter(isMeant);
    for (const { pid } of waiting) await pair.query(`SELECT ${how}($1::int)`, [pid]);
    const ended = async () => !(await pair.waiting()).some(({ pid }) => waiting.some((one) => one.pid === pid));
    await until('the wait has ended', ended);
  };

  const failOver = async () => {
    await pair.failOver();
    address.target = `http://${new URL(pair.standby.url).host}`;
    address.end();
  };

  const stored = (content: string) => pair.standby.query('SELECT FROM messages WHERE content = $1', [content]);

  const sendAsBot = (content: string, key: string): Promise<Answer> =>
    tenant.bot.post('/messages', { chatId: tenant.chatId, content }).set('Idempotency-Key', key).then(noChange);

  it("a retried bot message is answered 200 only when it's replicated", async () => {
    pair.cutWire();
    const first = sendAsBot('first', 'k1');
    await endWaits('pg_terminate_backend');
    expect((await first).status).toBe(503);
    // The commit of another message into the same chat waits for the standby, and locks the chat.
    expect((await sendAsBot('second', 'k2')).status).toBe(503);
    const repeated = await sendAsBot('first', 'k1');
    await failOver();
    if (repeated.status === 200) expect(await stored('first')).toHaveLength(1);
    await until('the retry is answered 200', async () => (await sendAsBot('first', 'k1')).status === 200);
    expect(await stored('first')).toHaveLength(1);
  });

  it("a retried visitor message is acknowledged only when it's replicated", async () => {
    const { chatId, visitorToken } = tenant;
    const content = 'from the visitor';
    const send = async () => {
      const visitor = await parley.connectVisitor(visitorToken);
      const answer = await visitor.ask('message:send', { chatId, content, clientMessageId: 'c1' }).catch(() => null);
      visitor.close();
      return answer?.message !== undefined;
    };
    pair.cutWire();
    const first = send();
    await endWaits('pg_terminate_backend');
    expect(await first).toBe(false);
    const isAcknowledged = await send();
    await failOver();
    if (isAcknowledged) expect(await stored(content)).toHaveLength(1);
    await until('the retry is acknowledged', send);
    expect(await stored(content)).toHaveLength(1);
  });

  it("a retried transfer is answered 200 only when it's replicated", async () => {
    const transfer = () =>
      tenant.bot.post('/transfer', { chatId: tenant.chatId }).set('Idempotency-Key', 't1').then(noChange);
    const queued = () => pair.standby.query(`SELECT FROM chats WHERE id = $1 AND status = 'QUEUED'`, [tenant.chatId]);
    pair.cutWire();
    const first = transfer();
    await endWaits('pg_terminate_backend');
    expect((await first).status).toBe(503);
    const repeated = await transfer();
    await failOver();
    if (repeated.status === 200) expect(await queued()).toHaveLength(1);
    await until('the retry is answered 200', async () => (await transfer()).status === 200);
    expect(await queued()).toHaveLength(1);
  });

  it.each(['MANUAL', 'OFFER'] as const)(
    "an agent's retried claim or acceptance is answered 200 only when it's replicated, in a group with routing %s",
    async (routing) => {
      const { admin, bot, chatId } = tenant;
      const { body: group } = await admin.post('/groups', { name: routing, routing }).expect(201);
      const agent = await parley.signInAgent(tenant, { groupIds: [group.id] });
      const socket = await parley.connectAgent(agent.token);
      await bot.post('/transfer', { chatId, targetGroupId: group.id }).expect(200);
      const path =
        routing === 'MANUAL' ? `/chats/${chatId}/claim` : `/offers/${(await socket.next('offer')).id}/accept`;
      const take = async () => (await agent.client.post(path)).status;
      const owned = () => pair.standby.query('SELECT FROM chats WHERE id = $1 AND agent_id = $2', [chatId, agent.id]);
      pair.cutWire();
      const first = take();
      await endWaits('pg_terminate_backend', /^COMMIT/);
      expect(await first).toBe(503);
      const repeated = await take();
      await failOver();
      if (repeated === 200) expect(await owned()).toHaveLength(1);
      const last = await eventually(take, (status) => status !== 503);
      // On a slow machine, the offer may have ended.
      if (routing === 'MANUAL' || last !== 409) expect([last, await owned()]).toEqual([200, [{}]]);
    },
  );

  it('a visitor is signed out only when that is replicated', async () => {
    const visitor = () => parley.visitor(tenant.visitorToken);
    const signOut = (): Promise<Answer> => visitor().delete('/sessions').then(noChange);
    pair.cutWire();
    const both = [signOut(), signOut()];
    const isQueued = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ended_visitor_tokens%'`;
    await until('one waits for the other', async () => (await pair.query(isQueued)).length > 0);
    await endWaits('pg_terminate_backend');
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    await failOver();
    const signedIn = async () => (await visitor().get('/chats')).status;
    await until('the standby serves', async () => (await signedIn()) !== 503);
    if (statuses.includes(204)) expect(await signedIn()).toBe(401);
  });

  it.each(['message', 'transfer'])('a %s whose wait is canceled is answered 503', async (kind) => {
    const { bot, chatId } = tenant;
    pair.cutWire();
    const request = kind === 'message' ? sendAsBot('hello', 'k') : bot.post('/transfer', { chatId }).then(noChange);
    await endWaits('pg_cancel_backend');
    expect((await request).status).toBe(503);
    pair.mendWire();
    await until('the database is used again', async () => (await sendAsBot('next', 'n')).status === 200);
  });
});

const noChange = <T>(value: T): T => value;
