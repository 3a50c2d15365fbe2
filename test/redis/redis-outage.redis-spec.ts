import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OtherNodes } from '../../src/platform/cluster/other-nodes.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { RedisServer } from '../support/redis.js';
import { Scrape } from '../support/scrape.js';
import type { VisitorSocket } from '../support/visitor.js';
import { startNodes } from './support/nodes.js';

describe('nodes during an outage of Redis', () => {
  let redis: RedisServer;
  let here: Parley;
  let there: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    redis = await RedisServer.start();
    [here, there] = (await startNodes(redis, {}, undefined, 2)) as [Parley, Parley];
    expect(there.app.get(Timings).seqHintsAlone).toBe(1_000);
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
    await redis.kill();
  });
  beforeEach(async () => {
    for (const node of [here, there]) Object.assign(node.app.get(Timings), { seqHints: 600_000, seqHintsAlone: 50 });
    await areAway(false);
    tenant = await here.createTenant();
  });
  afterEach(() => expect(here.app.get(OtherNodes).isDisconnected).toBe(false));

  const areAway = (isSo: boolean) =>
    eventually(
      () => [here, there].map((node) => node.app.get(OtherNodes).isDisconnected),
      (seen) => seen.every((isAway) => isAway === isSo),
    );
  const say = (node: Parley, content: string) =>
    node.bot(tenant.token).post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const listen = async (node: Parley, { visitorToken, chatId } = tenant): Promise<VisitorSocket> => {
    const visitor = await node.connectVisitor(visitorToken);
    expect(await visitor.ask('chat:open', { chatId })).toMatchObject({ ok: true });
    return visitor;
  };
  const goAway = { killed: () => redis.kill(), frozen: () => Promise.resolve(redis.freeze()) };
  const comeBack = { killed: () => redis.restart(), frozen: () => Promise.resolve(redis.thaw()) };

  it('metrics show the outage, and the hints that were sent, received, and dropped', async () => {
    const far = await listen(there);
    const before = [await Scrape.of(here.url), await Scrape.of(there.url)] as const;
    expect(before.map((seen) => seen.value('parley_redis_up'))).toEqual([1, 1]);
    await say(here, 'hinted');
    await far.next('message');
    const [near, distant] = [await Scrape.of(here.url), await Scrape.of(there.url)];
    const grew = (after: Scrape, earlier: Scrape, name: string) => after.value(name)! - earlier.value(name)!;
    expect(grew(near, before[0], 'parley_redis_hints_published_total')).toBeGreaterThan(0);
    expect(grew(distant, before[1], 'parley_redis_hints_received_total')).toBeGreaterThan(0);
    const delivered = 'parley_live_delivery_delay_seconds_count';
    expect(distant.value(delivered, { source: 'node' })! - before[1].value(delivered, { source: 'node' })!).toBe(1);
    await redis.kill();
    await areAway(true);
    await say(here, 'dropped');
    const away = await Scrape.of(here.url);
    expect(away.value('parley_redis_up')).toBe(0);
    expect(grew(away, near, 'parley_redis_hints_dropped_total')).toBeGreaterThan(0);
    await redis.restart();
    await areAway(false);
  });

  describe.each(['killed', 'frozen'] as const)('when Redis is %s', (how) => {
    it('nodes store messages, and deliver them here immediately and there with the next sweep', async () => {
      const [near, far] = [await listen(here), await listen(there)];
      await goAway[how]();
      await say(here, 'one');
      expect(await near.next('message')).toMatchObject({ content: 'one' });
      await areAway(true);
      expect(await far.next('message')).toMatchObject({ content: 'one' });
      await say(here, 'two');
      await say(there, 'three');
      await near.until(() => near.all('message').length === 3);
      await far.until(() => far.all('message').some(({ content }) => content === 'three'));
      const late = await listen(there);
      await say(here, 'four');
      expect(await late.next('message')).toMatchObject({ content: 'four' });
      await comeBack[how]();
      await areAway(false);
      await say(here, 'five');
      for (const visitor of [near, far, late])
        await visitor.until(() => visitor.all('message').some(({ content }) => content === 'five'));
    });

    it('nodes subscribe to what is listened to when Redis returns, and to nothing more', async () => {
      const other = await here.createTenant();
      const left = await listen(there, other);
      await goAway[how]();
      await areAway(true);
      left.close();
      const late = await listen(there);
      await comeBack[how]();
      await areAway(false);
      await eventually(
        () => redis.channels(),
        (names) => names.includes(`parley:${tenant.chatId}`) && !names.includes(`parley:${other.chatId}`),
      );
      await say(here, 'x');
      expect(await late.next('message')).toMatchObject({ content: 'x' });
    });
  });

  it("nodes start without Redis, and exchange hints as soon as it's up", async () => {
    await redis.kill();
    const [early] = await startNodes(redis, {}, here.databaseUrl, 1);
    Object.assign(early!.app.get(Timings), { seqHints: 600_000, seqHintsAlone: 600_000 });
    const visitor = await listen(early!);
    await redis.restart();
    await areAway(false);
    await eventually(
      () => early!.app.get(OtherNodes).isDisconnected,
      (isAway) => !isAway,
    );
    await say(here, 'x');
    expect(await visitor.next('message')).toMatchObject({ content: 'x' });
    await early!.stop();
  });
});
