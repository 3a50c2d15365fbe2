import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Cli } from '../support/cli.js';
import { ADMIN_TOKEN, Parley } from '../support/parley.js';
import { temporaryDirectory } from '../support/process.js';
import { closedPort } from '../support/ports.mjs';

const NOUNS = ['organization', 'group', 'agent', 'bot', 'token', 'webhook', 'chat', 'delivery'];

// Each command starts a process.
jest.setTimeout(90_000);

describe('command-line conventions', () => {
  let parley: Parley;
  let cli: Cli;
  const servers: Server[] = [];

  beforeAll(async () => {
    parley = await Parley.start();
    cli = Cli.of(parley);
  });
  afterAll(() => parley.stop());
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  const serve = async (listener: RequestListener) => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  describe('the organization', () => {
    it('the organization is required if none or several exist, and found if one exists', async () => {
      expect(await cli.run('bot', 'list')).toEqual({
        code: 2,
        stdout: '',
        stderr: 'parley: there is no organization yet: parley organization create --name <name>\n',
      });
      const { id } = await cli.json('organization', 'create', '--name', 'Only');
      const { code, stdout, stderr } = await cli.run('bot', 'list', '--json');
      expect([code, stderr]).toEqual([0, `organization Only (${id}), the only one\n`]);
      expect(JSON.parse(stdout)).toEqual({ bots: [], nextCursor: null });
      expect((await cli.run('bot', 'list')).stderr).toContain('no bots\n');
      await cli.json('organization', 'create', '--name', 'Other');
      const several = await cli.run('bot', 'list');
      expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining('--org <id>') });
    });
  });

  describe('lists', () => {
    let org: string[];

    beforeAll(async () => {
      org = ['--org', (await parley.createTenant({ hasBot: false })).id];
      const names = Array.from({ length: 53 }, (_, index) => `bot ${index}`);
      await Promise.all(names.map((name) => parley.admin.post(`/${org[1]}/bots`, { name }).expect(201)));
    });

    it('lists print all items, or stop at the limit and continue from there', async () => {
      const all = await cli.json('bot', 'list', ...org);
      expect(all.bots).toHaveLength(53);
      expect(all.nextCursor).toBeNull();
      const first = await cli.json('bot', 'list', ...org, '--limit', '51');
      expect(first.bots).toEqual(all.bots.slice(0, 51));
      const rest = await cli.json('bot', 'list', ...org, '--cursor', first.nextCursor);
      expect(rest).toEqual({ bots: all.bots.slice(51), nextCursor: null });
      const { stderr } = await cli.run('bot', 'list', ...org, '--limit', '2');
      expect(stderr).toMatch(/^there are more: --cursor \S+\n$/);
    });

    it.each(['0', '-1', '1.5', 'all', ''])('lists reject the limit %j', async (limit) => {
      expect((await cli.run('bot', 'list', ...org, `--limit=${limit}`)).code).toBe(2);
    });
  });

  describe('tables', () => {
    let id: string;
    let org: string[];
    const NAME = 'Kundendienst für die ganze Welt 日本語の名前 and a long way beyond';

    beforeAll(async () => {
      id = (await parley.createTenant()).id;
      org = ['--org', id];
      const email = `${'long'.repeat(15)}@example.com`;
      await parley.admin.post(`/${id}/agents`, { name: NAME, email }).expect(201);
    });

    it.each([80, 60])('tables fit %i columns with whole ids', async (columns) => {
      const text = await Cli.of(parley, { COLUMNS: String(columns) }).say('agent', 'list', ...org);
      expect(text).toMatch(/^agt_\w{26}  Kunden\S*.*…/m);
      // A character that takes two columns counts as two.
      for (const line of text.split('\n'))
        expect(line.replace(/[\u3000-\u9fff]/g, 'xx').length).toBeLessThanOrEqual(columns);
    });

    it("tables become blocks when ids and names don't fit beside each other", async () => {
      const text = await Cli.of(parley, { COLUMNS: '30' }).say('agent', 'list', ...org);
      expect(text).toMatch(/^ID {6}agt_\w{26}\nNAME/m);
      expect(text).toContain(NAME);
    });

    it("tables aren't cut when the output has no width", async () => {
      expect(await cli.say('agent', 'list', ...org)).toContain(NAME);
    });

    it("names can't send commands to the terminal, in tables or JSON", async () => {
      const name = 'a\u001b[31mred\u009b2J\u202eb\nc\u007f';
      const group = await cli.json('group', 'create', ...org, '--name', name);
      expect(group.name).toBe(name);
      const commands = /[^\P{Cc}\n]|\u202e/u;
      for (const args of [['list'], ['get', group.id]]) {
        const text = await cli.say('group', ...args, ...org);
        expect(text).not.toMatch(commands);
        expect(text).toContain('a\\u001b[31mred\\u009b2J\\u202eb\\u000ac\\u007f');
      }
      const json = await cli.say('group', 'list', ...org, '--json');
      expect(json).not.toMatch(/[^\P{Cc}\n]/u);
      const { stderr } = await cli.run('group', 'list', '--org', '\u001b]0;x');
      expect(stderr).not.toMatch(commands);
      expect((await cli.run('group', '\u001b[31mx')).stderr).not.toMatch(commands);
    });
  });

  describe('errors', () => {
    it('an error is one line that names the field, with exit code 1', async () => {
      const { code, stdout, stderr } = await cli.run('organization', 'create', '--name', '');
      expect([code, stdout, stderr]).toEqual([1, '', 'parley: name must not be blank\n']);
      const none = await cli.run('organization', 'get', 'org_none');
      expect([none.code, none.stderr]).toEqual([1, 'parley: Organization not found\n']);
    });

    it("an error with --json is the API's problem document", async () => {
      const { code, stdout, stderr } = await cli.run('organization', 'create', '--name', '', '--json');
      expect([code, stdout]).toEqual([1, '']);
      expect(JSON.parse(stderr)).toMatchObject({
        status: 400,
        code: 'validation_failed',
        errors: [{ pointer: '/name' }],
      });
    });

    it.each<[string, string[]]>([
      ['no verb', ['group']],
      ['an unknown noun', ['grp', 'list']],
      ['an unknown verb', ['group', 'lst']],
      ['an unknown option', ['group', 'list', '--colour']],
      ['an option that is missing', ['group', 'create']],
      ['a bot that is missing', ['token', 'list']],
      ['an id that is missing', ['group', 'get']],
      ['one word too many', ['group', 'get', 'grp_a', 'grp_b']],
      ['nothing to change', ['group', 'update', 'grp_a', '--org', 'org_a']],
      ['two options that exclude each other', ['webhook', 'update', 'whk_a', '--enabled', '--disabled']],
      ['neither a delivery nor a time', ['delivery', 'redeliver', '--webhook', 'whk_a']],
      ['an address that is none', ['organization', 'list', '--url', 'parley']],
      ['an address with a password', ['organization', 'list', '--url', 'http://a:b@127.0.0.1']],
    ])('the exit code is 2 for %s', async (_, args) => {
      const { code, stdout, stderr } = await cli.run(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr.length).toBeGreaterThan(10);
    });

    it('the exit code is 2 for an id that could lead elsewhere', async () => {
      const { id: org } = await parley.createTenant();
      const commands = ['..', '.', 'a/b', '', 'x?y', 'x'.repeat(65)].flatMap((id) => [
        ['bot', 'delete', id, '--yes', '--org', org],
        ['bot', 'list', '--org', id],
      ]);
      const told = { code: 2, stderr: expect.stringContaining('must be an id') };
      for (const args of [...commands, ['token', 'list', '--bot', '..', '--org', org]])
        expect(await cli.run(...args)).toMatchObject(told);
      await parley.admin.get(`/${org}`).expect(200);
    });

    it('the exit code is 3 when no service answers', async () => {
      const url = `http://127.0.0.1:${await closedPort()}`;
      const { code, stderr } = await cli.run('organization', 'list', '--url', url, '--json');
      expect(code).toBe(3);
      expect(stderr).toMatch(
        `parley: the service at ${url} cannot be reached: connection refused (is it running there?`,
      );
    });

    it('the exit code is 3 when another service answers, which gets the token only once', async () => {
      const seen: (string | undefined)[] = [];
      const other = await serve((request, response) => {
        seen.push(request.headers.authorization);
        response.end('<html>');
      });
      const away = await serve((_, response) => void response.writeHead(302, { Location: `${other}/` }).end());
      const moved = await cli.run('organization', 'list', '--url', away);
      expect([moved.code, moved.stderr]).toEqual([
        3,
        `parley: what is at ${away} is not Parley: it leads on to ${other}/: use that address\n`,
      ]);
      expect(seen).toEqual([]);
      expect((await cli.run('organization', 'list', '--url', other)).code).toBe(3);
      const list = await serve((_, response) => void response.end('{"a":1}'));
      expect((await cli.run('organization', 'list', '--url', list)).code).toBe(3);
      expect(await cli.run('bot', 'list', '--url', list)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^parley: .* is not Parley: it answered without a list\n$/),
      });
    });

    it('the exit code is 3 when an export breaks off, after the received part', async () => {
      const url = await serve((_, response) => response.write('{"visitor":', () => response.destroy()));
      expect(await cli.run('visitor', 'export', 'vis_a', '--org', 'org_a', '--url', url)).toEqual({
        code: 3,
        stdout: '{"visitor":',
        stderr: expect.stringMatching(/^parley: .* the connection was cut .*\n$/),
      });
    });
  });

  describe('the admin token', () => {
    it('the exit code is 1 for a wrong token and 2 for a missing or invalid one, and the token is never printed', async () => {
      const wrong = await Cli.of(parley, { ADMIN_TOKEN: 'not-the-admin-token' }).run('organization', 'list');
      expect(wrong.code).toBe(1);
      expect(wrong.stderr).toMatch(/does not know the admin token of ADMIN_TOKEN/);
      const none = await Cli.of(parley, { ADMIN_TOKEN: '' }).run('organization', 'list');
      expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('set ADMIN_TOKEN') });
      const odd = await Cli.of(parley, { ADMIN_TOKEN: 'odd\ntoken' }).run('organization', 'list');
      expect(odd.code).toBe(2);
      for (const { stderr } of [wrong, odd]) expect(stderr).not.toMatch(/not-the-admin-token|odd/);
    });

    it('the admin token is found in DATA_DIR, where nothing is created', async () => {
      const DATA_DIR = temporaryDirectory();
      const inside = Cli.of(parley, { ADMIN_TOKEN: '', DATA_DIR });
      expect((await inside.run('organization', 'list')).code).toBe(2);
      writeFileSync(join(DATA_DIR, 'secrets.json'), JSON.stringify({ ADMIN_TOKEN }));
      expect((await inside.json('organization', 'list')).organizations.length).toBeGreaterThan(0);
      rmSync(join(DATA_DIR, 'secrets.json'));
      mkdirSync(join(DATA_DIR, 'secrets.json'));
      expect(await inside.run('organization', 'list')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('EISDIR'),
      });
      rmSync(DATA_DIR, { recursive: true });
    });
  });

  it('the service is found by --url, PARLEY_URL, PUBLIC_URL, then PORT', async () => {
    const nowhere = `http://127.0.0.1:${await closedPort()}`;
    const { port } = new URL(parley.url);
    const list = ['organization', 'list'];
    const none = { PARLEY_URL: '', PUBLIC_URL: '' };
    const away = { PARLEY_URL: nowhere, PUBLIC_URL: nowhere };
    await Cli.of(parley, away).say(...list, '--url', `${parley.url}/`);
    await Cli.of(parley, away).say('--url', parley.url, ...list);
    await Cli.of(parley, { PUBLIC_URL: nowhere }).say(...list);
    await Cli.of(parley, { ...none, PUBLIC_URL: parley.url, PORT: '1' }).say(...list);
    await Cli.of(parley, { ...none, PORT: port, HOST: '0.0.0.0' }).say(...list);
    expect((await Cli.of(parley, { ...none, PORT: '0' }).run(...list)).code).toBe(2);
    const { id } = await parley.createTenant();
    const hook = ['webhook', 'create', '--url', 'https://bot.example/x', '--org', id];
    expect(await Cli.of(parley, away).say('--url', parley.url, ...hook)).toContain('https://bot.example/x');
  });

  it('a deletion needs a confirmation, and fails without a terminal', async () => {
    const { id } = await parley.createTenant();
    const { code, stderr } = await cli.run('organization', 'delete', id);
    expect([code, stderr]).toEqual([
      2,
      'parley: this is not a terminal, so the deletion cannot be confirmed: add --yes\n',
    ]);
    await parley.admin.get(`/${id}`).expect(200);
  });

  it('parley --help lists the nouns', async () => {
    const help = await cli.say('--help');
    for (const noun of [...NOUNS, 'doctor']) expect(help).toMatch(new RegExp(`^  ${noun}\\b`, 'm'));
    expect(help).toContain('Exit codes: 0 done, 1 refused or failed');
    const texts = await Promise.all(NOUNS.map((noun) => cli.say(noun, '--help')));
    for (const text of texts) expect(text).toMatch(/^ {2}get \[options\] <id> /m);
    const create = await cli.say('webhook', 'create', '--help');
    for (const option of ['--url', '--events', '--sender-types', '--disabled', '--org', '--json'])
      expect(create).toContain(`  ${option}`);
    expect(await cli.say('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
