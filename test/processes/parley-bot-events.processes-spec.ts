import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Cli } from '../support/cli.js';
import { Proxy } from '../bot-sdk/support/proxy.js';
import { until } from '../support/eventually.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { PullClient, sayInChats } from '../support/pull-client.js';

// Each command starts a process.
jest.setTimeout(90_000);

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

describe('parley bot events', () => {
  let parley: Parley;
  let tenant: Tenant;
  let cli: Cli;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    cli = Cli.of(parley);
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
  });
  afterAll(() => parley.stop());

  const say = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const pending = async () => (await cli.json('bot', 'subscription', tenant.botId)).pending as number;
  const tokens = async () => (await tenant.admin.get(`/bots/${tenant.botId}/tokens`).expect(200)).body.tokens.length;

  it('parley bot events prints the subscription and pending events without completing them', async () => {
    await say('first\u001b[31m');
    expect(await cli.say('bot', 'subscription', tenant.botId)).toMatch(/^pending +1$/m);
    expect(await cli.say('bot', 'events', tenant.botId)).toMatch(
      new RegExp(`^\\d{4}-\\S+Z {2}message\\.created {2}${tenant.chatId} {2}BOT {2}#1 {2}first\\\\u001b\\[31m\\n$`),
    );
    const [line] = (await cli.say('bot', 'events', tenant.botId, '--json')).split('\n');
    expect(JSON.parse(line!)).toMatchObject({ type: 'message.created', data: { message: { seq: 1 } } });
    expect(await pending()).toBe(1);
    expect(await tokens()).toBe(1);
    const unknown = await cli.run('bot', 'events', 'bot_none');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Bot not found')]);
  });

  it('parley bot events prints more events than one response holds, and creates no subscription', async () => {
    const other = await parley.createTenant();
    const print = () => cli.run('bot', 'events', other.botId, '--org', other.id);
    expect(await print()).toMatchObject({ code: 1, stderr: expect.stringContaining('no subscription') });
    expect((await other.admin.get(`/bots/${other.botId}`).expect(200)).body.hasSubscription).toBe(false);
    await other.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    for (let count = 0; count < 120; count++)
      await other.bot.post('/messages', { chatId: other.chatId, content: `${count}` }).expect(200);
    const printed = (await print()).stdout.trimEnd().split('\n');
    expect(printed.map((line) => line.split('  ').at(-1))).toEqual(Array.from({ length: 120 }, (_, n) => `${n}`));
    await parley.admin.delete(`/${other.id}`);
  });

  it("parley bot events doesn't interrupt a running bot", async () => {
    const other = await parley.createTenant();
    const fetch = (query: string) => other.bot.get(`/events?${query}`).expect(200);
    const { ack } = (await fetch('wait=0')).body;
    const call = fetch(`wait=25&ack=${ack}`).then(({ body }) => body);
    expect((await cli.run('bot', 'events', other.botId, '--org', other.id)).stdout).toBe('');
    await parley.visitor(other.visitorToken).post(`/chats/${other.chatId}/messages`, { content: 'hello' }).expect(201);
    expect(await call).toMatchObject({ events: [{ data: { message: { content: 'hello' } } }] });
    await parley.admin.delete(`/${other.id}`);
  });

  it('parley bot events --follow prints and completes new events, and revokes its token at the end', async () => {
    const env = { PATH: process.env.PATH, PARLEY_URL: parley.url, ADMIN_TOKEN };
    const child = spawn(process.execPath, [MAIN, 'bot', 'events', tenant.botId, '--follow'], { env });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await until('what waits is printed', () => printed.includes('first'));
    await say('second');
    await until('what comes is printed', () => printed.includes('second'));
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(printed.match(/first/g)).toHaveLength(1);
    expect(await tokens()).toBe(1);
    expect(await pending()).toBeLessThanOrEqual(1);
  });

  it('parley bot events --follow completes all events beside a bot that polls before each of its polls', async () => {
    const other = await parley.createTenant();
    await other.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
    const chats = await sayInChats(other, 4, 50);
    const proxy = await Proxy.start(parley.url);
    const bot = new PullClient(other.bot, 50);
    proxy.before = (request) => (request.startsWith('GET /api/bot/events') ? bot.poll() : undefined);
    const env = { PATH: process.env.PATH, PARLEY_URL: proxy.url, ADMIN_TOKEN };
    const command = [MAIN, 'bot', 'events', other.botId, '--follow', '--org', other.id];
    const child = spawn(process.execPath, command, { env });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    try {
      await until(
        'all events are done',
        async () => (await other.bot.get('/subscription').expect(200)).body.pending === 0,
      );
      const lines = printed.trimEnd().split('\n');
      for (const chatId of chats) {
        const ofCommand = lines.filter((line) => line.includes(chatId)).map((line) => Number(/#(\d+)/.exec(line)![1]));
        expect(new Set([...bot.seqsOf(chatId), ...ofCommand]).size).toBe(50);
      }
    } finally {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGINT');
      await ended;
      await proxy.close();
      await parley.admin.delete(`/${other.id}`);
    }
  });

  it("doctor warns when events are pending and the bot doesn't poll", async () => {
    const examine = async () => {
      const { stdout } = await Cli.of(parley, { DATABASE_URL: parley.databaseUrl }).run('doctor', '--json');
      const report = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] };
      return report.checks.find(({ name }) => name === 'events');
    };
    await say('third');
    expect(await examine()).toMatchObject({ status: 'ok' });
    await parley.query(`UPDATE deliveries SET created_at = created_at - interval '2 hours'`);
    expect(await examine()).toMatchObject({ status: 'ok' });
    await parley.query(`UPDATE subscriptions SET last_polled_at = last_polled_at - interval '2 hours'`);
    expect(await examine()).toMatchObject({ status: 'warning', detail: expect.stringContaining(tenant.botId) });
  });
});
