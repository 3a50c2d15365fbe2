import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { until } from '../support/eventually.js';
import { Example } from '../support/example.js';
import { Parley, type Tenant } from '../support/parley.js';

// Other copies get the chats of a killed one after its lease, 30 s.
jest.setTimeout(300_000);
const LONG = 120_000;

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
    const messages: any[] = [];
    for (let hasMore = true; hasMore;) {
      const path = `/chats/${id}/messages?limit=200&afterSeq=${messages.at(-1)?.seq ?? 0}`;
      const { body } = await tenant.bot.get(path).expect(200);
      messages.push(...body.messages);
      ({ hasMore } = body);
    }
    return messages.filter(({ sender }: any) => sender.type === 'BOT').map(({ content }: any) => content);
  };

  it('answer each message once and in order while one is killed, one joins, and one stops under load', async () => {
    const chats = await makeChats(12);
    await tenant.bot.put('/subscription', { senderTypes: ['VISITOR'] }).expect(200);
    const [one, two, three] = [start(), start(), start()];
    const names = () => parley.query('SELECT copy FROM subscription_copies WHERE organization_id = $1', [tenant.id]);
    await until('all three poll', async () => (await names()).length === 3);
    let isOver = false;
    let written = 0;
    const begun = () => copies.reduce((sum, copy) => sum + copy.begun, 0);
    /** Writes until the copies have come and gone. @returns how many messages */
    const write = async ({ id, visitorToken }: (typeof chats)[number]) => {
      let round = 0;
      while (!isOver) {
        await parley
          .visitor(visitorToken)
          .post(`/chats/${id}/messages`, { content: `${++round}` })
          .expect(201);
        written++;
        await until('some of it is answered', () => isOver || written < 60 + begun(), LONG);
      }
      return round;
    };
    const writing = Promise.all(chats.map(write));
    await until('all three work', () => [one, two, three].every((copy) => copy.begun > 0));
    const busy = one.begun;
    await until('the first begins another answer', () => one.begun > busy);
    one.child.kill('SIGKILL');
    const four = start();
    await one.ended;
    await until('the new one works', () => four.begun > 0, LONG);
    two.child.kill('SIGTERM');
    expect(await two.ended).toEqual([0, null]);
    isOver = true;
    const rounds = await writing;
    for (const [index, chat] of chats.entries()) {
      const wanted = Array.from({ length: rounds[index]! }, (_, round) => `to ${round + 1}`);
      await until('all are answered', async () => (await answersOf(chat)).length >= wanted.length, LONG);
      expect(await answersOf(chat)).toEqual(wanted);
    }
    const pending = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending;
    await until('all events are acknowledged', async () => (await pending()) === 0);
    for (const [index, chat] of chats.entries()) expect(await answersOf(chat)).toHaveLength(rounds[index]!);
  });
});
