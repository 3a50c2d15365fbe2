import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../support/eventually.js';
import { disown, own } from '../support/owned.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Example, inRepository } from '../support/example.js';

describe('the pull examples', () => {
  let parley: Parley;
  let tenant: Tenant;
  let echoBot: Example;
  let stop: () => Promise<number | null>;

  beforeAll(async () => {
    parley = await Parley.start();
    echoBot = Example.install('echo-bot');
  });
  afterAll(async () => {
    echoBot.remove();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });
  afterEach(() => stop());

  /** Starts an example, and waits until it has polled. */
  const start = async (command: string, args: string[]) => {
    const env = { ...process.env, PARLEY_URL: parley.url, PARLEY_TOKEN: tenant.token };
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    await once(child, 'spawn').catch((error: Error) => {
      throw new Error(`${command} does not start: this test needs it in the path (${error.message})`);
    });
    own(child.pid!);
    const ended = once(child, 'close').then(([code]) => code as number | null);
    stop = () => {
      child.kill('SIGTERM');
      return ended.finally(() => disown(child.pid!));
    };
    const polls = () => tenant.bot.get('/subscription');
    await eventually(polls, ({ body }) => body.lastPolledAt != null);
  };
  const say = (content: string) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);
  const contents = async (): Promise<string[]> => {
    const { body } = await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200);
    return body.messages.map(({ content }: { content: string }) => content);
  };

  it.each([
    ['the echo bot', process.execPath, () => [echoBot.file('echo-bot.mjs')]],
    ['the bot in Python', 'python3', () => [inRepository('examples/pull-bot.py')]],
  ])('%s answers once, even after it was killed, and hands the chat over', async (_name, command, args) => {
    await start(command, args());
    await say('hello 🙂');
    await eventually(contents, (seen) => seen.length === 2);
    expect(await stop()).toBe(0);
    await say('while it is away');
    await start(command, args());
    await eventually(contents, (seen) => seen.length === 4);
    await say('human');
    const wanted = ['hello 🙂', 'You said: hello 🙂', 'while it is away', 'You said: while it is away', 'human'];
    await eventually(contents, (seen) => seen.length === 6);
    expect(await contents()).toEqual([...wanted, 'Chat transferred by bot']);
  });
});
