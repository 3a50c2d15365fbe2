import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectedBot, says, text, usage } from '../bot-connections/support/model.js';
import { Cli } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { ADMIN_TOKEN, Parley } from '../support/parley.js';
import { temporaryDirectory } from '../support/process.js';

// Each command starts a process.
jest.setTimeout(90_000);

describe('parley bot connect', () => {
  const folder = temporaryDirectory();
  let parley: Parley;
  let bot: ConnectedBot;
  let cli: Cli;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    bot = await ConnectedBot.start(parley);
    cli = Cli.of(parley);
    await bot.tenant.admin.delete(bot.path).expect(204);
  });
  afterAll(async () => {
    await bot.close();
    await parley.stop();
    rmSync(folder, { recursive: true });
  });

  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const connect = (...args: string[]) => ['bot', 'connect', bot.tenant.botId, '--url', bot.base, ...args];

  it('connects a model with a key of standard input, headers, and instructions', async () => {
    const model = ['--kind', 'openai', '--model', 'm-1', '--key-file', '-'];
    const files = ['--header-file', file('headers', 'X-Team: blue\n\nX-Other:  a:b \n')];
    const more = ['--instructions-file', file('instructions', 'You answer for Acme.\n')];
    const { code, stdout } = await cli.feed('sk-secret\n', ...connect(...model, ...files, ...more));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^headerNames +X-Team, X-Other$/m);
    expect(stdout).not.toMatch(/sk-secret|blue/);
    bot.model.become(says(text('Hello!'), usage(12, 3)));
    expect(await cli.say('bot', 'test', bot.tenant.botId, '--message', 'Hi there')).toBe('Hello!\n');
    const { headers, event } = bot.model.received.at(-1)!;
    expect(headers).toMatchObject({ authorization: 'Bearer sk-secret', 'x-team': 'blue', 'x-other': 'a:b' });
    expect(JSON.stringify(event)).toContain('You answer for Acme.');
    expect(JSON.stringify(event)).toContain('Hi there');
  });

  it('a new connection of a kind with signatures shows its secret once', async () => {
    const agent = () => cli.run(...connect('--kind', 'agui'));
    await cli.say('bot', 'disconnect', bot.tenant.botId, '--yes');
    expect((await agent()).stdout).toMatch(/^secret +whsec_/m);
    expect((await agent()).stdout).not.toContain('whsec_');
    expect((await cli.run('bot', 'disconnect', bot.tenant.botId)).code).not.toBe(0);
    expect((await cli.json('bot', 'connection', bot.tenant.botId)).kind).toBe('agui');
  });

  it('connects a script, the built-in one or one of a file', async () => {
    const script = (...args: string[]) => cli.run('bot', 'connect', bot.tenant.botId, '--kind', 'script', ...args);
    expect((await script()).code).toBe(0);
    expect(await cli.say('bot', 'test', bot.tenant.botId)).toBe('What can we help you with?\n');
    const steps = [{ id: 'start', text: 'Hi from the file' }];
    expect((await script('--script-file', file('script', JSON.stringify({ steps })))).code).toBe(0);
    expect(await cli.say('bot', 'test', bot.tenant.botId)).toBe('Hi from the file\n');
    const wrong = await script('--script-file', file('wrong', '{'));
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--script-file must have JSON')]);
    const unknown = await script('--script-file', file('empty', '{"steps":[]}'));
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('steps must be an array of 1 to 50')]);
  });

  it('names what it cannot read, without its content', async () => {
    const kind = ['--kind', 'agui'];
    const { code, stderr } = await cli.run(...connect(...kind, '--header-file', file('wrong', 'token-1')));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("parley: line 1 of --header-file must be 'Name: value'\n"),
    ]);
    expect(stderr).not.toContain('token-1');
    const missing = await cli.run(...connect(...kind, '--key-file', join(folder, 'none')));
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot be read (ENOENT)')]);
    const twice = await cli.run(...connect(...kind, '--key-file', '-', '--header-file', '-'));
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('only one of the files')]);
    const refused = await cli.run('bot', 'connect', bot.tenant.botId, ...kind, '--url', 'http://10.0.0.1/');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('url')]);
  });

  it('a test that fails ends with 1', async () => {
    await bot.connect();
    bot.model.become((_, response) => void response.writeHead(401).end('wrong key sk-1'));
    const { code, stdout, stderr } = await cli.run('bot', 'test', bot.tenant.botId);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('the test failed: status: answered 401: wrong key ***');
    const json = await cli.run('bot', 'test', bot.tenant.botId, '--json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { ok: false, error: { code: 'status' } }]);
  });

  it('pauses and resumes, and lists and follows turns', async () => {
    await bot.connect();
    expect((await cli.json('bot', 'pause', bot.tenant.botId)).isEnabled).toBe(false);
    expect((await cli.json('bot', 'resume', bot.tenant.botId)).isEnabled).toBe(true);
    bot.model.become(says(text('Hello!'), usage(12, 3)));
    await bot.say('Hi');
    await bot.ended(1);
    expect(await cli.say('bot', 'turns', bot.tenant.botId)).toMatch(/^trn_\w+ +DONE .* 15 /m);
    expect((await cli.json('bot', 'turns', bot.tenant.botId, '--status', 'FAILED')).turns).toEqual([]);
    const env = { PATH: process.env.PATH, PARLEY_URL: parley.url, ADMIN_TOKEN };
    const following = spawn(process.execPath, [Cli.MAIN, 'bot', 'turns', bot.tenant.botId, '--follow'], { env });
    let printed = '';
    following.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const ended = new Promise((resolve) => following.once('close', resolve));
    let count = 1;
    // Turns that end before its first read aren't printed.
    await eventually(
      async () => {
        await bot.say('Again');
        await bot.ended(++count);
        return printed;
      },
      (text) => text.includes('DONE'),
    );
    expect(printed).toMatch(new RegExp(`^\\S+Z {2}DONE {2}${bot.tenant.chatId}`));
    following.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  describe('doctor', () => {
    const lines = async (environment: NodeJS.ProcessEnv = {}) => {
      const { stdout } = await Cli.of(parley, { DATABASE_URL: parley.databaseUrl, ...environment }).run('doctor');
      return stdout.match(/^\w+ +connections .*$/gm) ?? [];
    };

    it('says how many bots are connected, and what is wrong with them', async () => {
      await bot.connect();
      await parley.query('UPDATE bot_connections SET last_failure_at = NULL, last_failure_code = NULL');
      expect(await lines()).toEqual([expect.stringMatching(/^ok .* 1 bots are connected to an address$/)]);
      await bot.connect({ share: ['files'] });
      expect(await lines()).toEqual([expect.stringMatching(/1 connections share files whose links only this machine/)]);
      expect(await lines({ PUBLIC_URL: 'https://chat.example.com' })).toEqual([expect.stringMatching(/^ok /)]);
      await bot.connect();
      await parley.query(`UPDATE bot_connections SET last_failure_at = now(), last_failure_code = 'timeout'`);
      const { body: second } = await bot.tenant.admin.post('/bots', { name: 'Second' }).expect(201);
      await bot.tenant.admin
        .put(`/bots/${second.id}/connection`, { kind: 'openai', url: bot.base, model: 'm' })
        .expect(200);
      expect(await lines({ SECRET_KEY: 'x'.repeat(32) })).toEqual([
        expect.stringMatching(/1 connections failed in their last turn \(bot_\w+, timeout\)/),
        expect.stringMatching(/2 connections have secrets that SECRET_KEY can't decrypt/),
        expect.stringMatching(/1 groups name no bot, and several are connected/),
      ]);
      await parley.query(`UPDATE bot_connections SET last_failure_at = now(), last_failure_code = 'refused_address'`);
      const [refused] = await lines();
      expect(refused).toMatch(/2 connections lead to an address that the service may not reach/);
    });
  });
});
