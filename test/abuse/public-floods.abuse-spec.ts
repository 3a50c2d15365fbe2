import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PUBLIC_REQUESTS } from './support/public-requests.js';
import { Victim } from './support/victim.js';

const FLOOD = fileURLToPath(new URL('./support/flood.mjs', import.meta.url));
/** Megabytes that a flood may add to the memory of the process. */
const GROWTH = 180;
const BURSTS: [connections: number, pipelined: number][] = [
  [1_000, 100],
  [2_000, 60],
  [1_000, 9],
];
const BYTES_PER_SECOND = 410_000;
const STEADY: [connections: number, pipelined: number] = [200, 20];
/** A bot sends for this long with the flood, and as long without. */
const ROUND_MS = 600;
/** What the bot loses to a busy machine is no fault of the service: the best of several comparisons counts. */
const COMPARISONS = 12;
const BOT_CONNECTIONS = 8;

describe('floods of public requests from one address', () => {
  let victim: Victim;
  let tenant: Awaited<ReturnType<Victim['createTenant']>>;
  let bot: Agent;
  let atStart: number;

  beforeAll(async () => {
    victim = await Victim.start();
    tenant = await victim.createTenant();
    bot = new Agent({ keepAlive: true, maxSockets: BOT_CONNECTIONS });
    await accepted();
    atStart = victim.memory;
  });
  afterAll(async () => {
    bot.destroy();
    await victim.stop();
  });

  const begin = (text: string, connections: number, pipelined: number, bytesPerSecond = 0): ChildProcess => {
    const { port } = new URL(victim.url);
    const flood = spawn(process.execPath, [FLOOD, port, `${connections}`, `${pipelined}`, `${bytesPerSecond}`]);
    flood.stdin.end(text);
    return flood;
  };
  const end = async (flood: ChildProcess) => {
    flood.kill('SIGKILL');
    await once(flood, 'close');
  };

  const send = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
    const outgoing = request(`${victim.url}/api/bot/messages`, { method: 'POST', agent: bot, headers });
    outgoing.end(JSON.stringify({ chatId: tenant.chatId, content: 'hello' }));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode === 200;
  };
  /** The messages of a bot that the service accepts in a round. */
  const accepted = async (): Promise<number> => {
    const until = performance.now() + ROUND_MS;
    let count = 0;
    const work = async () => {
      while (performance.now() < until) if (await send().catch(() => false)) count++;
    };
    await Promise.all(Array.from({ length: BOT_CONNECTIONS }, work));
    return count;
  };

  it.each(PUBLIC_REQUESTS)('the service survives bursts of it: %s', async (name, text) => {
    let highest = 0;
    const timer = setInterval(() => victim.isAlive && (highest = Math.max(highest, victim.memory)), 25);
    for (const [connections, pipelined] of BURSTS) {
      const flood = begin(text, connections, pipelined);
      await once(flood.stdout!, 'data');
      for (let count = 0; count < 5; count++) await victim.answerTime();
      await end(flood);
    }
    clearInterval(timer);
    process.stdout.write(`  grew by ${Math.round(highest - atStart)} MB: ${name}\n`);
    expect(victim.isAlive).toBe(true);
    expect(await send()).toBe(true);
    expect(highest - atStart).toBeLessThan(GROWTH);
  });

  it.each(PUBLIC_REQUESTS)("a bot's messages are accepted beside 410 kB/s of it: %s", async (name, text) => {
    let ratio = 0;
    for (let count = 0; count < COMPARISONS && ratio < 0.9; count++) {
      const before = await accepted();
      const flood = begin(text, ...STEADY, BYTES_PER_SECOND);
      await once(flood.stdout!, 'data');
      const during = await accepted();
      await end(flood);
      ratio = Math.max(ratio, (2 * during) / (before + (await accepted())));
    }
    process.stdout.write(`  ${ratio.toFixed(2)} of a bot's messages beside: ${name}\n`);
    expect(ratio).toBeGreaterThanOrEqual(0.9);
  });
});
