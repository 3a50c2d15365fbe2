import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ConnectedBot } from '../bot-connections/support/model.js';
import { inRepository } from '../support/example.js';
import { disown, own } from '../support/owned.js';
import { Parley } from '../support/parley.js';

describe('the AG-UI agent in Python', () => {
  let parley: Parley;
  let bot: ConnectedBot;
  let url: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    const env = { ...process.env, PORT: '0' };
    const child = spawn('python3', [inRepository('examples/agui-agent.py')], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    own(child.pid!);
    const [line] = await once(child.stdout, 'data');
    url = String(line).trim().split(' ').at(-1)!;
    stop = async () => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
      disown(child.pid!);
    };
  });
  afterAll(async () => {
    await stop();
    await parley.stop();
  });
  beforeEach(async () => {
    bot = await ConnectedBot.start(parley, { kind: 'agui', url });
  });
  afterEach(() => bot.close());

  it('answers, and hands the chat over', async () => {
    await bot.say('hello 🙂');
    const [answered] = await bot.ended(1);
    expect(answered).toMatchObject({ status: 'DONE', runs: [{ protocolVersion: '1.0', warnings: [] }] });
    expect(await bot.said()).toEqual(['VISITOR: hello 🙂', 'BOT: You said: hello 🙂']);
    await bot.say('human');
    const [, handedOver] = await bot.ended(2);
    expect(handedOver.status).toBe('HANDED_OVER');
    expect(await bot.owner()).toBe('QUEUE');
  });

  it('passes the test of its connection', async () => {
    const { body } = await bot.tenant.admin.post(`${bot.path}/test`, { message: 'Hi' }).expect(200);
    expect(body).toMatchObject({ ok: true, text: expect.stringContaining('You said: Hi') });
  });
});
