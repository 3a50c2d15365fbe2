import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cli } from '../support/cli.js';
import { Parley, type Tenant } from '../support/parley.js';
import { temporaryDirectory } from '../support/process.js';

describe('parley file', () => {
  const folder = temporaryDirectory();
  let parley: Parley;
  let tenant: Tenant;
  let cli: Cli;

  beforeAll(async () => {
    parley = await Parley.start({ DATA_DIR: join(folder, 'data') });
    tenant = await parley.createTenant();
    cli = new Cli({ PARLEY_URL: parley.url, PARLEY_TOKEN: tenant.token });
  });
  afterAll(async () => {
    await parley.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('sends a file of any length, and gets the same bytes', async () => {
    const path = join(folder, 'straße.txt');
    const bytes = Buffer.alloc(9_000_000, 'Hello. ');
    writeFileSync(path, bytes);
    const sent = await cli.run('file', 'send', path, '--chat', tenant.chatId);
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    const { messages } = (await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200)).body;
    const message = messages.at(-1);
    expect(message).toMatchObject({ id: sent.stdout.trim(), files: [{ name: 'straße.txt', size: bytes.length }] });
    const target = join(folder, 'got.txt');
    const got = await cli.run('file', 'get', message.files[0].id, '--output', target);
    expect([got.code, got.stdout]).toEqual([0, '']);
    expect(readFileSync(target).equals(bytes)).toBe(true);
    expect((await cli.run('file', 'get', message.files[0].id)).stdout).toBe(String(bytes));
  });

  it('says what is wrong, and leaves no part of a file', async () => {
    const path = join(folder, 'page.txt');
    writeFileSync(path, '<html>');
    const page = await cli.run('file', 'send', path, '--chat', tenant.chatId);
    expect([page.code, page.stderr]).toEqual([1, expect.stringMatching(/^parley: .*type/i)]);
    const nowhere = await cli.run('file', 'send', join(folder, 'nothing'), '--chat', tenant.chatId);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringMatching(/nothing cannot be read: .*ENOENT/)]);
    expect((await cli.run('file', 'send', folder, '--chat', tenant.chatId)).stderr).toMatch(/is no file/);
    const target = join(folder, 'unknown.txt');
    const unknown = await cli.run('file', 'get', `upl_${'0'.repeat(26)}`, '--output', target);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/not found/i)]);
    expect(readdirSync(folder).filter((name) => name.startsWith('unknown'))).toEqual([]);
  });

  it('keeps what a path had if the file cannot be written', async () => {
    const path = join(folder, 'note.txt');
    writeFileSync(path, 'Hello');
    await cli.run('file', 'send', path, '--chat', tenant.chatId);
    const { messages } = (await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200)).body;
    const target = join(folder, 'folder');
    mkdirSync(target);
    const failed = await cli.run('file', 'get', messages.at(-1).files[0].id, '--output', target);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/folder cannot be written/)]);
    expect([existsSync(target), existsSync(`${target}.part`)]).toEqual([true, false]);
  });

  it('needs the token of a bot', async () => {
    const none = await new Cli({ PARLEY_URL: parley.url }).run('file', 'get', 'upl_1', '--output', join(folder, 'x'));
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/set PARLEY_TOKEN/)]);
    const wrong = new Cli({ PARLEY_URL: parley.url, PARLEY_TOKEN: 'prl_pat_wrong' });
    const refused = await wrong.run('file', 'get', 'upl_1', '--output', join(folder, 'x'));
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/does not know the token of PARLEY_TOKEN/),
    ]);
  });
});
