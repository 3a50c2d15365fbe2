import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ThisNode } from '../../src/platform/cluster/this-node.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { Parley } from '../support/parley.js';
import { TEXT, upload } from './support/files.js';

describe('several nodes with files on the disk', () => {
  const folders: string[] = [];
  const nodes: Parley[] = [];
  let database: TestDatabase | undefined;

  const folder = () => {
    folders.push(mkdtempSync(join(tmpdir(), 'parley-files-')));
    return folders.at(-1)!;
  };
  /** A node that the others see, as each is with REDIS_URL. */
  const start = async (DATA_DIR: string) => {
    database ??= await createDatabase();
    const node = await Parley.start({ DATA_DIR }, database.url);
    await node.app.get(ThisNode).register();
    nodes.push(node);
    return node;
  };

  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop();
    await database?.drop();
    database = undefined;
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
  });

  it('start with folders of their own as long as no file was sent, and then send none', async () => {
    const [first, second] = [await start(folder()), await start(folder())];
    const tenant = await first.createTenant();
    const answer = await tenant.bot.post('/uploads', { chatId: tenant.chatId, name: 'a.txt', size: 1 }).expect(503);
    expect([answer.body.code, answer.headers['retry-after']]).toEqual(['unavailable', '10']);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Hello' }).expect(200);
    await nodes.splice(nodes.indexOf(second), 1)[0]!.stop();
    const third = await start(folders[1]!);
    await third.bot(tenant.token).post('/uploads', { chatId: tenant.chatId, name: 'a.txt', size: 1 }).expect(503);
  });

  it('share a folder, and each serves what another took', async () => {
    const shared = folder();
    const [first, second] = [await start(shared), await start(shared)];
    const tenant = await first.createTenant();
    const { chatId, bot } = tenant;
    const file = await upload(bot, chatId, 'a.txt', TEXT);
    await bot.post('/messages', { chatId, files: [file.id] }).expect(200);
    const seen = (await second.visitor(tenant.visitorToken).get(`/chats/${chatId}/messages`)).body.messages.at(-1);
    const response = await fetch(seen.files[0].url);
    expect([response.status, await response.text()]).toEqual([200, TEXT.toString()]);
    await upload(second.bot(tenant.token), chatId, 'b.txt', TEXT);
    await start(shared);
  });
});
