import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { RedisLink } from '../../src/platform/cluster/redis-link.js';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/redis.js';
import { Road } from '../support/road.js';

describe('the connection to Redis', () => {
  let redis: RedisServer;
  let road: Road;
  let link: RedisLink;
  let timesThere: number;
  let reasons: string[];

  beforeEach(async () => {
    redis = await RedisServer.start();
    road = await Road.to(redis.url);
    timesThere = 0;
    reasons = [];
    link = new RedisLink(road.url.replace('http', 'redis'), {
      onText: () => undefined,
      onDisconnected: ({ message }) => void reasons.push(message),
      onRefused: () => undefined,
      onConnected: () => timesThere++,
    });
    link.open();
    await isAway(false);
  });
  afterEach(async () => {
    link.close();
    await road.close();
    await redis.kill();
  });

  const isAway = (isSo: boolean) =>
    eventually(
      () => link.isDisconnected,
      (seen) => seen === isSo,
    );

  /** Waits until the link has sent its changes: it collects them until the event loop gets to `setImmediate`. */
  const sent = async () => {
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  };

  it("subscribing again waits for a channel's unsubscription", async () => {
    await link.subscribe('parley:a');
    redis.freeze();
    link.unsubscribe('parley:a');
    await sent();
    let isThrough = false;
    const subscribed = link.subscribe('parley:a').then(() => (isThrough = true));
    await sent();
    expect(isThrough).toBe(false);
    redis.thaw();
    await subscribed;
    expect(await redis.channels()).toEqual(['parley:a']);
  });

  it("the connection isn't reported as restored by a waiter that stopped waiting", async () => {
    redis.freeze();
    await isAway(true);
    await link.subscribe('parley:a');
    link.unsubscribe('parley:a');
    await sent();
    expect([link.isDisconnected, timesThere]).toEqual([true, 1]);
    redis.thaw();
    await isAway(false);
  });

  it('a connection that receives nothing is closed, however much is published', async () => {
    road.losesAnswerTo = () => true;
    await isAway(true);
    road.losesAnswerTo = () => false;
    const publishing = setInterval(() => link.publish('parley:a', 'x'), 100);
    try {
      await eventually(
        () => link.isDisconnected,
        (isStill) => !isStill,
        15_000,
      );
    } finally {
      clearInterval(publishing);
    }
  }, 30_000);

  it('a slow Redis is disconnected until it answers quickly again, and not connected in between', async () => {
    road.delay = 600;
    await isAway(true);
    expect(reasons).toEqual(['Redis is slow: no answer to a ping within 1000 ms']);
    // Five pings are answered, each too late.
    for (let pings = 0; pings < 5; pings++) await road.passes(/PONG/);
    expect([link.isDisconnected, timesThere, reasons.length]).toEqual([true, 1, 1]);
    expect(link.roundTripSeconds).toBeGreaterThan(1);
    road.delay = 0;
    await isAway(false);
    expect(timesThere).toBe(2);
    expect(link.roundTripSeconds).toBeLessThan(1);
  });

  it('a changed password is named, once', async () => {
    await redis.run(['CONFIG', 'SET', 'requirepass', 'another']);
    road.end();
    await eventually(
      () => reasons.at(-1) ?? '',
      (reason) => /NOAUTH|WRONGPASS/.test(reason),
    );
    expect(reasons.filter((reason) => /NOAUTH|WRONGPASS/.test(reason))).toHaveLength(1);
  });

  it('a link that is closed reports nothing', async () => {
    link.close();
    await sent();
    expect(reasons).toEqual([]);
  });
});
