import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RawSocket } from './support/raw-socket.js';
import { Victim } from './support/victim.js';

const KILOBYTE = 1_024;
const LARGEST = 262_000;

/** What a stranger may put after the first bytes of a packet. Each once cost, or might cost, more than its length. */
const FRAMES: Record<string, (length: number) => string> = {
  'a long number, then escapes': (length) => `42/visitor,["1234567890123456${'\\"'.repeat(length / 2)}`,
  'a long number, then quotes': (length) => `42/visitor,["1234567890123456",${'""'.repeat(length / 2)}`,
  digits: (length) => `42/visitor,[${'1'.repeat(length)}]`,
  'digits and dots': (length) => `42/visitor,[${'1.'.repeat(length / 2)}]`,
  'digits and exponents': (length) => `42/visitor,[${'1234567890123456e'.repeat(length / 17)}]`,
  'minus signs': (length) => `42/visitor,[1234567890123456,${'-'.repeat(length)}`,
  brackets: (length) => `42/visitor,${'['.repeat(length)}`,
  'an id without end': (length) => `42/visitor,${'9'.repeat(length)}`,
  'a namespace without end': (length) => `40/${'a'.repeat(length)}`,
  'binary attachments': (length) => `45${'1'.repeat(length)}-`,
};

describe('hostile frames', () => {
  let victim: Victim;
  let token: string;
  let chatId: string;

  beforeAll(async () => {
    victim = await Victim.start();
    ({ visitorToken: token, chatId } = await victim.createTenant());
  });
  afterAll(() => victim.stop());

  /** The longest time another client waited while this ran, in milliseconds. */
  const slowestMeanwhile = async (work: () => Promise<unknown>): Promise<number> => {
    let isOver = false;
    let slowest = 0;
    const working = work().finally(() => (isOver = true));
    while (!isOver) slowest = Math.max(slowest, await victim.answerTime());
    await working;
    return slowest;
  };

  it.each(Object.entries(FRAMES))(
    'the service closes a connection without a namespace that sends more than 4 kB: %s',
    async (_, make) => {
      const socket = await RawSocket.open(victim.url);
      const slowest = await slowestMeanwhile(async () => {
        socket.say(make(LARGEST));
        await socket.closed();
      });
      expect(slowest).toBeLessThan(1_000);
    },
  );

  it.each(Object.entries(FRAMES))("the service doesn't freeze when a visitor sends %s", async (_, make) => {
    const socket = await RawSocket.connect(victim.url, token);
    const slowest = await slowestMeanwhile(async () => {
      socket.say(make(LARGEST));
      socket.ask('sync', { chatId, afterSeq: 0 }, 7);
      await Promise.race([socket.closed(), socket.hears(/^43\/visitor,7/).catch(() => undefined)]);
    });
    expect(slowest).toBeLessThan(1_000);
    socket.close();
  });

  it('a connection without a namespace may send nothing but its request for one', async () => {
    for (const packet of ['42/visitor,["sync",{}]', '2', '3', '41', '43/visitor,1[]', '44{}', 'x', '']) {
      const socket = await RawSocket.open(victim.url);
      for (let count = 0; count < 20 && !socket.isClosed; count++) socket.say(packet);
      await socket.closed();
    }
  });

  it('the service reads at most 4 kB of a first packet', async () => {
    const socket = await RawSocket.open(victim.url);
    socket.say(`40/visitor,${JSON.stringify({ token, more: 'x'.repeat(3 * KILOBYTE) })}`);
    await socket.hears(/^40\/visitor/);
    const other = await RawSocket.open(victim.url);
    other.say(`40/visitor,${JSON.stringify({ token, more: 'x'.repeat(4 * KILOBYTE) })}`);
    await other.closed();
    expect(other.received.some((text) => text.startsWith('40/visitor'))).toBe(false);
    // In a namespace it may send all valid packets.
    socket.ask('message:send', { chatId, content: 'x'.repeat(5_000), metadata: { pad: 'y'.repeat(10_000) } }, 3);
    await socket.hears(/^43\/visitor,3\[\{"ok":true/);
    socket.close();
  });

  it('the service answers others while 100 connections send all hostile frames', async () => {
    const idle = await median(victim);
    const sockets = await Promise.all(Array.from({ length: 100 }, () => RawSocket.open(victim.url)));
    const seen: number[] = [];
    for (let round = 0; round < 5; round++) {
      for (const [index, socket] of sockets.entries()) {
        const frames = Object.values(FRAMES);
        socket.say(frames[(index + round) % frames.length]!(LARGEST));
        if (index % 10 === 0) seen.push(await victim.answerTime());
      }
    }
    for (const socket of sockets) socket.close();
    expect(victim.isAlive).toBe(true);
    seen.sort((a, b) => a - b);
    expect(seen[Math.floor(seen.length / 2)]! - idle).toBeLessThan(50);
  });
});

async function median(victim: Victim): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 21; count++) times.push(await victim.answerTime());
  return times.sort((a, b) => a - b)[10]!;
}
