import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '@redis/client';
import { Neighbors } from '../../src/platform/cluster/neighbors.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { RedisServer } from '../support/redis.js';
import { Scrape } from '../support/scrape.js';
import { startNodes } from './support/nodes.js';

const EVERYBODY = 'parley:all';
const wiretap = (url: string) => createClient({ url });

describe('hints of others on the same Redis', () => {
  let redis: RedisServer;
  let here: Parley;
  let there: Parley;
  let client: ReturnType<typeof wiretap>;
  let tenant: Tenant;

  beforeAll(async () => {
    redis = await RedisServer.start();
    [here, there] = (await startNodes(redis, {}, undefined, 2)) as [Parley, Parley];
    for (const node of [here, there]) {
      node.app.get(Timings).seqHints = 600_000;
      // Its hints would be counted too.
      await node.app.get(Neighbors).beforeApplicationShutdown();
    }
    client = wiretap(redis.url);
    await client.connect();
  });
  afterAll(async () => {
    client?.destroy();
    await there?.stop();
    await here?.stop();
    await redis.kill();
  });
  beforeEach(async () => {
    tenant = await here.createTenant();
  });

  const counts = async (node: Parley) => {
    const seen = await Scrape.of(node.url);
    return {
      refused: seen.value('parley_redis_hints_refused_total')!,
      received: seen.value('parley_redis_hints_received_total')!,
    };
  };
  const listen = async (node: Parley) => {
    const visitor = await node.connectVisitor(tenant.visitorToken);
    expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    return visitor;
  };
  /** The hints that a node publishes in a channel during `act`. */
  const record = async (channel: string, act: () => unknown) => {
    const texts: string[] = [];
    await client.sSubscribe(channel, (text: string) => texts.push(text));
    await act();
    await eventually(
      () => texts.length,
      (count) => count > 0,
    );
    await client.sUnsubscribe(channel);
    return texts;
  };
  /** A message arrives: earlier hints have been received too. */
  const comesThrough = async (visitor: Awaited<ReturnType<typeof listen>>, content: string) => {
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
    await visitor.until(() => visitor.all('message').some((message) => message.content === content));
  };

  it('foreign hints of any form change nothing, and are counted', async () => {
    const visitor = await listen(there);
    const before = await counts(there);
    const deleted = JSON.stringify(['organization.deleted', { organizationId: tenant.id }]);
    const forged = [
      `stranger${deleted}`,
      `stranger${deleted.slice(0, -1)},"AAAAAAAAAAAAAAAAAAAAAA"]`,
      `stranger${deleted.slice(0, -1)},"AAAAAAAAAAAAAAAAAAAAA"]`,
      deleted,
      '',
      'x',
      `stranger${'['.repeat(100_000)}`,
      '\u0000\ud800',
    ];
    for (const text of forged) await client.sPublish(EVERYBODY, text);
    const message = { id: 'msg_forged', chatId: tenant.chatId, seq: 1, content: 'forged', sender: { type: 'BOT' } };
    const fact = ['message.created', { organizationId: tenant.id, message }];
    await client.sPublish(`parley:${tenant.chatId}`, `stranger${JSON.stringify(fact)}`);
    await comesThrough(visitor, 'real');
    expect(visitor.socket.connected).toBe(true);
    expect(visitor.all('message').map(({ content }) => content)).toEqual(['real']);
    const after = await counts(there);
    expect(after.refused - before.refused).toBe(forged.length + 1);
    expect(after.received - before.received).toBeLessThanOrEqual(2);
  });

  it('hints of another installation are rejected unchanged', async () => {
    const visitor = await listen(there);
    const [other] = (await startNodes(redis, { SECRET_KEY: 'another-secret-key' }, here.databaseUrl, 1)) as [Parley];
    const texts = await record(EVERYBODY, async () => {
      const stranger = await other.createTenant();
      await stranger.admin.delete('').expect(204);
    });
    // All hints that the other installation published, even at its end, are rejected by now, and no longer counted.
    await other.stop();
    await comesThrough(visitor, 'before');
    const before = await counts(there);
    for (const text of texts) await client.sPublish(EVERYBODY, text.replace(/org_\w+/, tenant.id));
    for (const text of texts) await client.sPublish(EVERYBODY, text);
    await comesThrough(visitor, 'still here');
    expect((await counts(there)).refused - before.refused).toBe(2 * texts.length);
  });

  it('a hint is valid only in the channel it was published in', async () => {
    const visitor = await listen(there);
    const elsewhere = (await here.createTenant()) as Tenant;
    const listener = await there.connectVisitor(elsewhere.visitorToken);
    await listener.ask('chat:open', { chatId: elsewhere.chatId });
    const channel = `parley:${elsewhere.chatId}`;
    const [typing] = await record(channel, () =>
      elsewhere.bot.post(`/chats/${elsewhere.chatId}/typing`, { isTyping: true }).expect(200),
    );
    await listener.next('typing');
    const before = await counts(there);
    await client.sPublish(`parley:${tenant.chatId}`, typing!);
    await client.sPublish(EVERYBODY, typing!);
    await comesThrough(visitor, 'on');
    expect((await counts(there)).refused - before.refused).toBe(2);
  });

  it('nodes of the previous release understand hints, because they read the first two items', async () => {
    const [text] = await record(`parley:${tenant.chatId}`, () =>
      here.bot(tenant.token).post(`/chats/${tenant.chatId}/typing`, { isTyping: true }).expect(200),
    );
    const [fact, data] = JSON.parse(text!.slice(8)) as [string, unknown];
    expect([fact, data]).toEqual(['chat.typing', expect.objectContaining({ chatId: tenant.chatId, isTyping: true })]);
  });
});
