import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { FileRemovals } from '../../src/files/removals.service.js';
import { CheckedStore } from '../../src/files/stores/checked-store.js';
import { allowVisitors, begin, put, TEXT, upload } from './support/files.js';

describe('the removal of files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-files-'));
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start({ DATA_DIR: folder });
  });
  afterAll(async () => {
    await parley.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const bytesOf = ({ id }: Tenant): string[] =>
    ['incoming', 'files'].flatMap((part) => {
      const path = join(folder, 'files', id, part);
      return statSync(path, { throwIfNoEntry: false }) ? readdirSync(path) : [];
    });
  const tenantWithFiles = async () => {
    const tenant = await parley.createTenant();
    await allowVisitors(tenant);
    const { chatId, bot } = tenant;
    const used = await upload(bot, chatId, 'a.txt', TEXT);
    await bot.post('/messages', { chatId, files: [used.id] }).expect(200);
    await upload(parley.visitor(tenant.visitorToken), chatId, 'b.txt', TEXT);
    const started = await begin(bot, chatId, 'c.txt', TEXT.length);
    await put(started, TEXT);
    await until('only the waiting body is incoming', () => bytesOf(tenant).length === 3);
    const message = (await parley.visitor(tenant.visitorToken).get(`/chats/${chatId}/messages`)).body.messages.at(-1);
    return { tenant, url: message.files[0].url as string };
  };

  it('keeps bytes private on the disk', async () => {
    const { tenant, url } = await tenantWithFiles();
    expect((await fetch(url)).status).toBe(200);
    const path = join(folder, 'files', tenant.id, 'files');
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('ends before erasing a visitor answers 204', async () => {
    const { tenant, url } = await tenantWithFiles();
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    expect(bytesOf(tenant)).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    expect((await tenant.admin.get('/files').expect(200)).body).toMatchObject({ files: 0, bytes: 0, unfinished: 0 });
    const { messages } = (await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200)).body;
    expect(messages.at(-1)).not.toHaveProperty('files');
  });

  it('never removes what is outside of the store, and gives such a removal up', async () => {
    const { id, chatId } = await parley.createTenant();
    const secret = join(folder, 'secrets.json');
    writeFileSync(secret, '{}');
    await parley.query(
      'INSERT INTO file_removals (organization_id, key, chat_id, due_at, last_at) VALUES ($1, $2, $3, now(), now())',
      [id, `${id}/incoming/../../../secrets.json`, chatId],
    );
    parley.app.get(FileRemovals).wake();
    await parley.untilRow(`SELECT WHERE NOT EXISTS (SELECT FROM file_removals WHERE organization_id = '${id}')`);
    expect(statSync(secret).size).toBe(2);
  });

  it('follows the deletion of a message', async () => {
    const tenant = await parley.createTenant();
    const agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const { chatId } = tenant;
    await agent.client.post(`/chats/${chatId}/assign`, { agentId: agent.id }).expect(200);
    const { id } = await upload(agent.client, chatId, 'a.txt', TEXT);
    const { message } = (await agent.client.post(`/chats/${chatId}/messages`, { files: [id] }).expect(201)).body;
    await agent.client.delete(`/chats/${chatId}/messages/${message.seq}`).expect(204);
    const answer = await fetch(message.files[0].url);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    await agent.client.get(`/files/${id}`).expect(404);
    await until('the bytes are gone', () => bytesOf(tenant).length === 0);
  });

  it('takes what no message took for a day, and nothing else', async () => {
    const { tenant } = await tenantWithFiles();
    const removals = parley.app.get(FileRemovals);
    await removals.removeUnused();
    expect(bytesOf(tenant)).toHaveLength(3);
    await removals.removeUnused(new Date(Date.now() + 75 * 60_000 + 1_000));
    await until('the unfinished one is gone', () => bytesOf(tenant).length === 2);
    expect((await tenant.admin.get('/files').expect(200)).body).toMatchObject({ files: 2, unfinished: 0 });
    await removals.removeUnused(new Date(Date.now() + 86_400_000 + 1_000));
    await until('unused bytes are gone', () => bytesOf(tenant).length === 1);
  });

  it('takes all files of a deleted organization', async () => {
    const { tenant } = await tenantWithFiles();
    await parley.admin.delete(`/${tenant.id}?now=true`);
    await until('the bytes are gone', () => bytesOf(tenant).length === 0);
    await parley.untilRow(`SELECT WHERE NOT EXISTS (SELECT FROM organizations WHERE id = '${tenant.id}')`);
  });

  /** Adds removals by SQL that have been due for this many seconds. */
  const fill = ({ id, chatId, visitorId }: Tenant, count: number, seconds: number, isErased = false) =>
    parley.query(
      `INSERT INTO file_removals (organization_id, key, chat_id, erased_for, due_at, last_at)
       SELECT $1, $1 || '/files/' || n, $2, $3, now() - make_interval(secs => $4), now() FROM generate_series(1, $5) n`,
      [id, chatId, isErased ? visitorId : null, seconds, count],
    );
  /** The keys that are removed from the store from now on, and how many at a time. */
  const observe = async () => {
    const store = await parley.app.get(CheckedStore).get();
    const remove = store.remove.bind(store);
    const seen = { keys: [] as string[], current: 0, most: 0 };
    const spy = jest.spyOn(store, 'remove').mockImplementation(async (key) => {
      seen.keys.push(key);
      seen.most = Math.max(seen.most, ++seen.current);
      await remove(key).finally(() => seen.current--);
    });
    return { seen, end: () => spy.mockRestore() };
  };

  describe('of an organization with many files', () => {
    it('takes a few connections when a visitor is erased', async () => {
      const tenant = await parley.createTenant();
      await fill(tenant, 1_200, -3_600, true);
      const { seen, end } = await observe();
      await tenant.admin.delete(`/visitors/${tenant.visitorId}`);
      await until('all are removed', () => seen.keys.length === 1_200);
      expect(seen.most).toBeLessThanOrEqual(8);
      end();
    });

    it('goes on after a batch, and leaves turns to other organizations', async () => {
      const [large, small] = [await parley.createTenant(), await parley.createTenant()];
      const removals = parley.app.get(FileRemovals);
      await until('no sweep runs', () => !removals['sweep']['isRunning']);
      removals['sweep'].cancel();
      await fill(large, 500, 60);
      await fill(small, 1, 1);
      const { seen, end } = await observe();
      await removals['run']();
      expect(seen.keys.filter((key) => key.startsWith(large.id))).toHaveLength(500);
      expect(seen.keys.findIndex((key) => key.startsWith(small.id))).toBeLessThan(16);
      end();
      removals.wake();
    });
  });
});
