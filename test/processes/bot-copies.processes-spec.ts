import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { until } from '../support/eventually.js';
import { Example } from '../support/example.js';
import { Parley, type Tenant } from '../support/parley.js';

/** Prints the message that it begins to answer, and answers it a little later. */
const COPY = `
import { createBot } from 'parley-bot';
const { PARLEY_URL: url, PARLEY_TOKEN: token } = process.env;
const bot = createBot({ url, token, share: true, concurrency: 4, typingAfter: Infinity, log: () => undefined });
bot.on('message', async ({ message, reply }) => {
  console.log(message.id);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await reply('to ' + message.content);
});
await bot.run();
`;

interface Copy {
  child: ChildProcess;
  /** How many messages it has begun to answer. */
  begun: number;
  ended: Promise<unknown>;
}

describe('copies of a bot, each a process', () => {
  let parley: Parley;
  let tenant: Tenant;
  let example: Example;
  const copies: Copy[] = [];

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    example = Example.install('echo-bot');
    writeFileSync(example.file('copy.mjs'), COPY);
  });
  afterEach(async () => {
    for (const { child, ended } of copies.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
  });
  afterAll(async () => {
    example.remove();
    await parley.stop();
  });

  const start = (): Copy => {
    const env = { PATH: process.env.PATH, PARLEY_URL: parley.url, PARLEY_TOKEN: tenant.token };
    const child = spawn(process.execPath, [example.file('copy.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const copy: Copy = { child, begun: 0, ended: once(child, 'close') };
    child.stdout!.on('data', (chunk: Buffer) => (copy.begun += chunk.toString().trim().split('\n').length));
    copies.push(copy);
    return copy;
  };
  const makeChats = async (count: number) => {
    const chats = [];
    for (let made = 0; made < count; made++) chats.push((await tenant.admin.post('/chats', {}).expect(201)).body);
    return chats as { id: string; visitorToken: string }[];
  };
  const answersOf = async ({ id }: { id: string }): Promise<string[]> => {
    const { messages } = (await tenant.bot.get(`/chats/${id}/messages?limit=200`).expect(200)).body;
    return messages.filter(({ sender }: any) => sender.type === 'BOT').map(({ content }: any) => content);
  };

  it('answer each message once and in order while one is killed, one joins, and one stops under load', async () => {
    const [chats, rounds] = [await makeChats(12), 10];
    await tenant.bot.put('/subscription', { senderTypes: ['VISITOR'] }).expect(200);
    const [one, two, three] = [start(), start(), start()];
    let written = 0;
    const write = async ({ id, visitorToken }: (typeof chats)[number]) => {
      for (let round = 1; round <= rounds; round++) {
        await parley
          .visitor(visitorToken)
          .post(`/chats/${id}/messages`, { content: `${round}` })
          .expect(201);
        written++;
        // The load goes on while copies come and go.
        const before = (copy: number) => copies[copy]?.begun ?? 0;
        await until('some of it is answered', async () => written < 60 + 2 * (before(0) + before(1) + before(2)));
      }
    };
    const writing = Promise.all(chats.map(write));
    await until('all three work', async () => [one, two, three].every(({ begun }) => begun > 0));
    const busy = one.begun;
    await until('the first begins another answer', async () => one.begun > busy);
    one.child.kill('SIGKILL');
    const four = start();
    await one.ended;
    two.child.kill('SIGTERM');
    expect(await two.ended).toEqual([0, null]);
    await writing;
    const wanted = Array.from({ length: rounds }, (_, index) => `to ${index + 1}`);
    for (const chat of chats) {
      await until('all are answered', async () => (await answersOf(chat)).length >= rounds);
      expect(await answersOf(chat)).toEqual(wanted);
    }
    const pending = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending;
    await until('all events are acknowledged', async () => (await pending()) === 0);
    expect(four.begun).toBeGreaterThan(0);
    for (const chat of chats) expect(await answersOf(chat)).toEqual(wanted);
  });
});
