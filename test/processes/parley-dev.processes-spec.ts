import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Cli, type CliResult } from '../support/cli.js';
import { eventually, until } from '../support/eventually.js';
import { Example } from '../support/example.js';
import { ADMIN_TOKEN, Parley } from '../support/parley.js';
import { closedPort, freePort } from '../support/ports.mjs';

// Each parley dev and each bot is a process, and chaos takes time.
jest.setTimeout(150_000);

/** A hand-written bot; the mode decides how careful it is. */
const HAND_WRITTEN = `
const { PARLEY_URL, PARLEY_TOKEN, MODE } = process.env;
const headers = { Authorization: 'Bearer ' + PARLEY_TOKEN, 'Content-Type': 'application/json' };
const call = (path, options) =>
  fetch(PARLEY_URL + '/api/bot' + path, { headers, ...options }).then((response) => (response.ok ? response.json() : null)).catch(() => null);
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
async function answer({ id, type, data }) {
  if (type !== 'message.created' || data.message.sender.type !== 'VISITOR' || data.chat.owner !== 'BOT') return;
  const { chatId, content, seq } = data.message;
  if (MODE === 'forgets' && seq === 3) return;
  const options = { method: 'POST', body: JSON.stringify({ chatId, content: 'Yes: ' + content }) };
  if (MODE === 'forgets') options.headers = { ...headers, 'Idempotency-Key': id };
  // "twice" tries until it went well, without a key; "loses" tries once.
  while ((await call('/messages', options)) === null && MODE !== 'loses') await pause();
}
const seen = new Set();
for (let query = ''; ; ) {
  const answered = await call('/events' + query);
  if (answered === null) { await pause(); continue; }
  for (const event of answered.events) {
    if (!seen.has(event.id)) await answer(event);
    seen.add(event.id);
  }
  query = '?ack=' + answered.ack;
}
`;

const WEBHOOK_BOT = `
import { createServer } from 'node:http';
import { createBot } from 'parley-bot';
const { PARLEY_URL: url, PARLEY_TOKEN: token, WEBHOOK_SECRET: secret, PORT, MODE, ON_NEW_MESSAGE: onNewMessage = 'queue' } = process.env;
const bot = createBot({ url, token, onNewMessage, collectFor: 200 });
bot.on('message', ({ messages, reply }) => reply('You said: ' + messages.map(({ content }) => content).join(' / ')));
const careful = bot.webhook({ secret });
const careless = async (request, response) => {
  const { type, data } = JSON.parse((await request.toArray()).join(''));
  if (type === 'message.created' && data.message.sender.type === 'VISITOR') {
    const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ chatId: data.message.chatId, content: 'Yes' });
    await fetch(url + '/api/bot/messages', { method: 'POST', headers, body }).catch(() => null);
  }
  response.end();
};
const handle = bot.fetch({ secret });
const byFetch = async (request, response) => {
  const { method, headers } = request;
  const body = Buffer.concat(await request.toArray());
  response.writeHead((await handle(new Request('http://bot.test', { method, headers, body }))).status).end();
};
if (MODE === 'fetch') createServer((request, response) => byFetch(request, response).catch(() => response.destroy())).listen(PORT, '127.0.0.1');
else createServer(MODE === 'careless' ? (request, response) => careless(request, response).catch(() => response.destroy()) : careful).listen(PORT, '127.0.0.1');
process.on('SIGTERM', () => process.exit());
`;

/** Waits a little before it answers, and is killed once during an answer; a supervisor restarts it. */
const BURST_BOT = `
import { spawn } from 'node:child_process';
import { createBot } from 'parley-bot';
const { PARLEY_URL: url, PARLEY_TOKEN: token, ON_NEW_MESSAGE: onNewMessage, KILL, CHILD } = process.env;
if (!CHILD) {
  let child;
  const start = (kill) => {
    child = spawn(process.execPath, [import.meta.filename], { env: { ...process.env, CHILD: '1', KILL: kill }, stdio: 'inherit' });
    child.on('exit', (code, signal) => (signal === 'SIGKILL' ? start('') : process.exit(code ?? 1)));
  };
  for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => child.kill(name));
  start('yes');
} else {
  let answers = 0;
  const bot = createBot({ url, token, onNewMessage, collectFor: 200, log: () => undefined });
  bot.on('message', async ({ messages, reply, signal }) => {
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
      signal.addEventListener('abort', resolve);
    });
    await reply('To ' + messages.map(({ content }) => content).join(' and '));
    if (KILL && ++answers === 2) process.kill(process.pid, 'SIGKILL');
  });
  await bot.run();
}
`;

/** Three copies that share the events; one is killed during an answer, and restarted. */
const COPIES = `
import { spawn } from 'node:child_process';
import { createBot } from 'parley-bot';
const { PARLEY_URL: url, PARLEY_TOKEN: token, KILL, CHILD } = process.env;
if (!CHILD) {
  const children = new Set();
  const start = (kill) => {
    const env = { ...process.env, CHILD: '1', KILL: kill };
    const child = spawn(process.execPath, [import.meta.filename], { env, stdio: 'inherit' });
    children.add(child);
    child.on('exit', (code, signal) => {
      children.delete(child);
      if (signal === 'SIGKILL') start('');
      else if (children.size === 0) process.exit(code ?? 1);
    });
  };
  for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => children.forEach((child) => child.kill(name)));
  for (const kill of ['yes', '', '']) start(kill);
} else {
  let answers = 0;
  const bot = createBot({ url, token, share: true, concurrency: 2, log: () => undefined });
  bot.on('message', async ({ message, reply }) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await reply('To ' + message.content);
    if (KILL && ++answers === 2) process.kill(process.pid, 'SIGKILL');
  });
  await bot.run();
}
`;

describe('parley dev', () => {
  let parley: Parley;
  let cli: Cli;
  let example: Example;
  let echoBot: string[];

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    cli = Cli.of(parley);
    example = Example.install('echo-bot');
    writeFileSync(example.file('by-hand.mjs'), HAND_WRITTEN);
    writeFileSync(example.file('webhook.mjs'), WEBHOOK_BOT);
    writeFileSync(example.file('bursts.mjs'), BURST_BOT);
    writeFileSync(example.file('copies.mjs'), COPIES);
    echoBot = ['--', process.execPath, example.file('echo-bot.mjs')];
  });
  afterAll(async () => {
    example.remove();
    await parley.stop();
  });

  const lines = ({ stdout }: CliResult): any[] =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const verdict = (result: CliResult) => {
    const last = lines(result).at(-1);
    return { code: result.code, ...last };
  };
  const dev = (...args: string[]) => cli.run('dev', '--json', ...args);
  const byHand = async (mode: string, ...args: string[]) => {
    const own = Cli.of(parley, { MODE: mode });
    return own.run('dev', '--json', ...args, '--', process.execPath, example.file('by-hand.mjs'));
  };
  const organizations = async () => (await parley.admin.get('').expect(200)).body.organizations;

  it('parley dev finds that the echo bot answers everything exactly once through chaos, and leaves nothing behind', async () => {
    const result = await dev('--chaos', '--seed', '7', '--messages', '14', ...echoBot);
    const { code, messages, exactlyOnce, faults, repeatedEvents, chaos } = verdict(result);
    expect({ code, messages, exactlyOnce, faults }).toEqual({ code: 0, messages: 14, exactlyOnce: 14, faults: [] });
    expect(repeatedEvents).toBeGreaterThan(0);
    expect(Object.keys(chaos)).toEqual(expect.arrayContaining(['cut', 'delay', 'fail', 'lose', 'refuse', 'repeat']));
    expect(await organizations()).toEqual([]);
    const kinds = new Set(lines(result).map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['visitor', 'bot', 'event', 'ack', 'call', 'chaos', 'report']));
  });

  it.each(['queue', 'interrupt', 'collect'])(
    "parley dev finds that '%s' answers bursts exactly once through chaos and a kill",
    async (mode) => {
      const own = Cli.of(parley, { ON_NEW_MESSAGE: mode });
      const args = ['dev', '--json', '--chaos', '--seed', '11', '--messages', '12', '--burst', '3', '--chats', '2'];
      const result = verdict(await own.run(...args, '--', process.execPath, example.file('bursts.mjs')));
      const { code, messages, exactlyOnce, faults } = result;
      expect({ code, messages, exactlyOnce, faults }).toEqual({ code: 0, messages: 12, exactlyOnce: 12, faults: [] });
      expect(result.repeatedEvents).toBeGreaterThan(0);
    },
  );

  it('parley dev finds that copies that share answer exactly once through chaos and a kill', async () => {
    const args = ['--chaos', '--seed', '13', '--messages', '18', '--chats', '6'];
    const result = verdict(await dev(...args, '--', process.execPath, example.file('copies.mjs')));
    const { code, messages, exactlyOnce, faults } = result;
    expect({ code, messages, exactlyOnce, faults }).toEqual({ code: 0, messages: 18, exactlyOnce: 18, faults: [] });
  });

  it('parley dev plays a script, and says where the answers differ', async () => {
    const script = example.file('talk.yaml');
    const play = (...steps: string[]) => {
      writeFileSync(script, steps.join('\n'));
      return dev('--script', script, ...echoBot);
    };
    const fits = [
      '- say: hello',
      '  expect: You said',
      '- say: human',
      '  handOver: true',
      '- return: true',
      '- say: again',
    ];
    expect(verdict(await play(...fits))).toMatchObject({ code: 0, messages: 3, isExactlyOnce: true });
    const differs = verdict(await play('- say: hello', '  expect: /^Hi$/', '- say: human', '  expect: No'));
    expect(differs.code).toBe(1);
    expect(differs.differences).toEqual([
      { step: 1, say: 'hello', difference: 'was answered with "You said: hello" instead of /^Hi$/' },
      { step: 2, say: 'human', difference: 'led to a hand-over' },
    ]);
    const wrong = await play('- says: hello');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('step 1: "says" is unknown')]);
  });

  it('parley dev finds a bot that answers twice', async () => {
    const result = await byHand('twice', '--chaos', '--seed', '3', '--messages', '10');
    const { code, isExactlyOnce, faults } = verdict(result);
    expect([code, isExactlyOnce]).toEqual([1, false]);
    const said = faults.map(({ fault }: { fault: string }) => fault).join();
    expect(said).toMatch(/was answered (twice|\d+ times)/);
  });

  it('parley dev finds a bot that loses a message', async () => {
    const result = await byHand('loses', '--chaos', '--seed', '3', '--messages', '8', '--timeout', '10');
    const { code, faults } = verdict(result);
    expect(code).toBe(1);
    expect(faults.map(({ fault }: { fault: string }) => fault)).toContain('was not answered');
  });

  it('parley dev finds a bot that forgets a message without chaos, and says which message', async () => {
    const result = await byHand('forgets', '--messages', '3', '--timeout', '10');
    const { code, messages, exactlyOnce, faults } = verdict(result);
    expect({ code, messages, exactlyOnce }).toEqual({ code: 1, messages: 3, exactlyOnce: 2 });
    expect(faults).toEqual([{ seq: 3, content: 'Message 2 of 3', fault: 'was not answered' }]);
  });

  it('parley dev counts the messages of an answer, in several chats', async () => {
    const result = await byHand('twice', '--messages', '2', '--chats', '2', '--answers', '2', '--timeout', '10');
    expect(verdict(result).faults).toMatchObject([
      { seq: 1, fault: 'was answered with 1 of 2 messages' },
      { seq: 1, fault: 'was answered with 1 of 2 messages' },
    ]);
  });

  it('parley dev tests webhook bots, and finds the careful one right and the careless one wrong', async () => {
    const port = String(await freePort());
    const args = ['dev', '--json', '--chaos', '--seed', '5', '--messages', '6'];
    const command = ['--webhook', `http://127.0.0.1:${port}/`, '--', process.execPath, example.file('webhook.mjs')];
    const run = (mode: string, timeout: string) =>
      Cli.of(parley, { PORT: port, MODE: mode }).run(...args, '--timeout', timeout, ...command);
    const careful = verdict(await run('careful', '60'));
    expect(careful).toMatchObject({ code: 0, messages: 6, exactlyOnce: 6 });
    expect(careful.repeatedEvents).toBeGreaterThan(0);
    expect(verdict(await run('fetch', '60'))).toMatchObject({ code: 0, messages: 6, exactlyOnce: 6 });
    expect(verdict(await run('careless', '8'))).toMatchObject({ code: 1, isExactlyOnce: false });
  });

  it.each(['queue', 'interrupt', 'collect'])(
    "parley dev finds that a fetch handler with '%s' answers bursts exactly once, although webhooks arrive in any order",
    async (mode) => {
      const port = String(await freePort());
      const own = Cli.of(parley, { PORT: port, MODE: 'fetch', ON_NEW_MESSAGE: mode });
      const args = ['dev', '--json', '--chaos', '--seed', '11', '--messages', '12', '--burst', '3', '--chats', '2'];
      const command = ['--webhook', `http://127.0.0.1:${port}/`, '--', process.execPath, example.file('webhook.mjs')];
      const { code, messages, exactlyOnce, faults } = verdict(await own.run(...args, ...command));
      expect({ code, messages, exactlyOnce, faults }).toEqual({ code: 0, messages: 12, exactlyOnce: 12, faults: [] });
    },
  );

  it('parley dev sends the lines of a pipe, and expects silence once agents have the chat', async () => {
    const { code, stdout } = await cli.feed('hello\nhuman\nanyone there?\n', 'dev', ...echoBot);
    expect(stdout).toMatch(/visitor +#1 hello\n/);
    expect(stdout).toMatch(/bot +#2 You said: hello\n/);
    expect(stdout).toMatch(/system +#4 Chat transferred by bot\n/);
    expect(stdout).toMatch(/Exactly once: 3 of 3\n$/);
    expect(code).toBe(0);
  });

  it('parley dev takes typed lines at a terminal, keeps the prompt below, and ends with Ctrl-C', async () => {
    const env = { PATH: process.env.PATH, PARLEY_URL: parley.url, ADMIN_TOKEN, TERM: 'xterm' };
    const command = [process.execPath, Cli.MAIN, 'dev', ...echoBot].map((part) => `'${part}'`).join(' ');
    // util-linux' `script` gives the command its own terminal; this is what people would type and see.
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => terminal.once('close', resolve));
    let screen = '';
    terminal.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
    const shows = (wanted: RegExp) =>
      eventually(
        () => screen,
        (seen) => wanted.test(seen),
      );
    const enter = async (line: string, answer: RegExp) => {
      terminal.stdin.write(`${line}\r`);
      await shows(answer);
    };
    try {
      await shows(/> /);
      await enter('hello', /You said: hello/);
      await enter('human', /Chat transferred by bot/);
      await enter('/return', /The chat continues with the bot/);
      await enter('again', /You said: again/);
      terminal.stdin.write('\u0003');
      expect(await ended).toBe(0);
    } finally {
      terminal.kill();
    }
    expect(screen).toMatch(/Exactly once: 3 of 3\r?\n$/);
    expect(await organizations()).toEqual([]);
  });

  it("parley dev works with an existing bot, and removes what it created when it's interrupted", async () => {
    const tenant = await parley.createTenant();
    const env = { PATH: process.env.PATH, PARLEY_URL: parley.url, ADMIN_TOKEN };
    const args = [Cli.MAIN, 'dev', '--bot', tenant.botId, '--messages', '1', ...echoBot];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await until('the bot has answered', () => printed.includes('You said: Message 1 of 1'));
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    const { body } = await tenant.admin.get(`/bots/${tenant.botId}/tokens`).expect(200);
    expect(body.tokens).toHaveLength(1);
    expect((await tenant.admin.get(`/bots/${tenant.botId}`).expect(200)).body.hasSubscription).toBe(false);
    const { body: left } = await tenant.admin.get('/visitors').expect(200);
    expect(left.visitors.map(({ id }: { id: string }) => id)).toEqual([tenant.visitorId]);
    await parley.admin.delete(`/${tenant.id}`);
  });

  it("the package's command works with a bot's token alone, closes its chats, and leaves the subscription as it was", async () => {
    const tenant = await parley.createTenant();
    const tool = example.file('node_modules/parley-bot/bin/parley-bot.js');
    const env = { PATH: process.env.PATH, PARLEY_URL: parley.url, PARLEY_TOKEN: tenant.token };
    const run = (args: string[], variables: NodeJS.ProcessEnv = env) => {
      const child = spawn(process.execPath, [tool, 'dev', ...args], { env: variables });
      const result: CliResult = { code: null, stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const)
        child[name].on('data', (chunk: Buffer) => (result[name] += chunk.toString()));
      return new Promise<CliResult>((resolve) => child.once('close', (code) => resolve({ ...result, code })));
    };
    const chaos = ['--json', '--chaos', '--seed', '3', '--messages', '6', '--chats', '2', ...echoBot];
    expect(verdict(await run(chaos))).toMatchObject({ code: 0, messages: 6, exactlyOnce: 6 });
    writeFileSync(example.file('talk.yaml'), '- say: hello\n  expect: You said');
    const script = ['--json', '--script', example.file('talk.yaml'), ...echoBot];
    expect(verdict(await run(script))).toMatchObject({ code: 0, messages: 1, exactlyOnce: 1 });
    const { chats } = (await tenant.bot.get('/chats').expect(200)).body;
    const others = chats.filter(({ id }: { id: string }) => id !== tenant.chatId);
    expect(others.map(({ status }: { status: string }) => status)).toEqual(['CLOSED', 'CLOSED', 'CLOSED']);
    await tenant.bot.get('/subscription').expect(404);
    const missing = await run([], { PATH: process.env.PATH });
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('set PARLEY_TOKEN')]);
    const wrong = await run(['--messages', '1'], { ...env, PARLEY_TOKEN: 'prl_pat_wrong' });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^parley-bot: .*token/i)]);
    await parley.admin.delete(`/${tenant.id}`);
  });

  it.each([['SIGINT', 'SIGINT'] as const, ['SIGHUP'] as const])(
    'parley dev leaves nothing behind after %s',
    async (...signals) => {
      const env = { PATH: process.env.PATH, PARLEY_URL: parley.url, ADMIN_TOKEN };
      const args = [Cli.MAIN, 'dev', '--messages', '1000', ...echoBot];
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      const ended = new Promise((resolve) => child.once('close', resolve));
      await until('it runs', () => printed.includes('You said: Message 2 of'));
      for (const signal of signals) {
        child.kill(signal);
        await until('it has seen the signal', () => printed.includes('ending …'));
      }
      await ended;
      expect(await organizations()).toEqual([]);
    },
  );

  it('parley dev leaves nothing behind when the reader of its output ends', async () => {
    const env = { PATH: process.env.PATH, PARLEY_URL: parley.url, ADMIN_TOKEN };
    const child = spawn(process.execPath, [Cli.MAIN, 'dev', '--messages', '1000', ...echoBot], { env });
    const ended = new Promise((resolve) => child.once('close', resolve));
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stdout.once('data', () => child.stdout.destroy());
    await ended;
    expect([await organizations(), printed]).toEqual([[], '']);
  });

  it("parley dev says which options can't be combined", async () => {
    const bot = ['--', process.execPath, '-e', 'setInterval(() => undefined, 1000)'];
    expect(await cli.run('dev', '--timeout', '1', '--messages', '1', ...bot)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('no bot called for events'),
    });
    expect(await cli.feed('\n', 'dev', ...echoBot)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is nothing to say'),
    });
    expect((await cli.run('dev', '--webhook', 'nowhere')).code).toBe(2);
    expect((await cli.run('dev', '--org', 'org_1')).code).toBe(2);
    expect((await cli.run('dev', '--messages', '1', '--', '/nowhere/bot')).stderr).toContain('cannot be started');
    const ended = await cli.run('dev', '--messages', '1', '--', process.execPath, '-e', 'process.exit(3)');
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('the bot ended with 3') });
    const url = `http://127.0.0.1:${await closedPort()}`;
    expect((await cli.run('dev', '--url', url, '--messages', '1')).code).toBe(3);
    await until('nothing is left', async () => (await organizations()).length === 0);
  });

  it('parley dev reports that the service may not send to it', async () => {
    const strict = await Parley.start();
    const { code, stderr } = await Cli.of(strict).run('dev', '--messages', '1', '--webhook', 'http://127.0.0.1:8080/');
    const { body } = await strict.admin.get('').expect(200);
    await strict.stop();
    expect([code, stderr]).toEqual([1, expect.stringContaining('WEBHOOK_ALLOWED_HOSTS=127.0.0.1')]);
    expect(body.organizations).toEqual([]);
  });
});
