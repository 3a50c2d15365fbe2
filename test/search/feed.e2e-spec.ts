import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { type ChangePage, ChangesService } from '../../src/changes/changes.service.js';
import { TIME_LIMITS_MS } from '../../src/platform/lib/time-limits.js';
import { SearchFeed } from '../../src/search/index/feed.service.js';
import { Cli } from '../support/cli.js';
import { until } from '../support/eventually.js';
import { ADMIN_TOKEN, Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { fillIndex } from './exercise.js';
import { chatIds, indexed, queryOf, search } from './support/searching.js';

describe('the search index', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const send = (content: string) => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const find = async (q: string) => chatIds(await search(parley, tenant, sue, { q }));
  const rowsOf = () =>
    parley.query('SELECT id, words::text FROM search_entries WHERE organization_id = $1 ORDER BY id', [tenant.id]);

  it('a rebuild writes what is missing and removes leftovers, and hides nothing', async () => {
    await send('marmoset');
    await indexed(parley, tenant.id);
    const before = await rowsOf();
    await parley.query(`DELETE FROM search_entries WHERE organization_id = $1 AND kind = 'CHAT'`, [tenant.id]);
    await parley.query(
      `INSERT INTO search_entries (organization_id, id, chat_id, kind, seq, created_at, words)
      VALUES ($1, 'msg_leftover', $2, 'BOT', 99, now(), 'leftover')`,
      [tenant.id, tenant.chatId],
    );
    const cli = new Cli({ PARLEY_URL: parley.url, ADMIN_TOKEN });
    expect((await cli.run('search', 'rebuild', '--org', tenant.id)).code).toBe(0);
    expect((await sue.client.get(queryOf({ q: 'marmoset' })).expect(200)).body.results).toHaveLength(1);
    await indexed(parley, tenant.id);
    expect(await rowsOf()).toEqual(before);
    expect((await tenant.admin.get('/search').expect(200)).body).toEqual({ isRebuilding: false });
  });

  it('messages that come in during rebuilds are found', async () => {
    for (let n = 0; n < 10; n++) {
      await tenant.admin.post('/search/rebuild', {}).expect(202);
      await send(`during${n}`);
    }
    for (let n = 0; n < 10; n++) expect(await find(`during${n}`)).toEqual([tenant.chatId]);
  });

  it('the rebuild of one organization, and the changes of another one, delay no third', async () => {
    const [rebuilt, busy] = [await parley.createTenant(), await parley.createTenant()];
    await indexed(parley, rebuilt.id);
    await indexed(parley, busy.id);
    // One has always another page of its rebuild, and the other one always more changes.
    const changes = parley.app.get(ChangesService);
    const [read, advance] = [changes.read.bind(changes), changes.advance.bind(changes)];
    const isEndless = ({ organizationId, name }: { organizationId: string; name: string }) =>
      (organizationId === rebuilt.id && name === 'search-rebuild') || (organizationId === busy.id && name === 'search');
    const pages = new Map<string, number>();
    Object.assign(changes, {
      read: async (organizationId: string, name: string, limit: number) => {
        const page = await read(organizationId, name, limit);
        if (!isEndless({ organizationId, name })) return page;
        pages.set(organizationId, (pages.get(organizationId) ?? 0) + 1);
        const { chatId } = organizationId === rebuilt.id ? rebuilt : busy;
        return { ...page, changes: Array.from({ length: limit }, () => ({ chatId, afterSeq: 0 })) };
      },
      advance: (tx: EntityManager, page: ChangePage) =>
        isEndless(page.reader) ? Promise.resolve(true) : advance(tx, page),
    });
    await rebuilt.admin.post('/search/rebuild', {}).expect(202);
    await busy.bot.post('/messages', { chatId: busy.chatId, content: 'busy' }).expect(200);
    await until('both are followed', () => Promise.resolve(pages.size === 2));
    for (const word of ['colobus', 'guenon', 'vervet']) {
      await send(word);
      expect(await find(word)).toEqual([tenant.chatId]);
    }
    Object.assign(changes, { read, advance });
    await indexed(parley, rebuilt.id);
    await indexed(parley, busy.id);
  });

  it('two nodes write it, and another one goes on when a node stops', async () => {
    const other = await Parley.start({}, parley.databaseUrl);
    await send('gibbon');
    expect(await find('gibbon')).toEqual([tenant.chatId]);
    await other.app.get(SearchFeed).stop();
    await send('capuchin');
    expect(await find('capuchin')).toEqual([tenant.chatId]);
    await other.stop();
  });

  it('a lease that has ended is taken over, and what was half done is done', async () => {
    await parley.query(
      `INSERT INTO search_leases (organization_id, node_id, leased_until) VALUES ($1, 'dead', now() + interval '2 s')
      ON CONFLICT (organization_id) DO UPDATE SET node_id = 'dead', leased_until = excluded.leased_until`,
      [tenant.id],
    );
    await send('tamarin');
    expect(await find('tamarin')).toEqual([tenant.chatId]);
  });

  it('a search that takes too long returns what it found, and a cursor to go on', async () => {
    await send('lemur');
    await indexed(parley, tenant.id);
    await fillIndex(parley, tenant.id);
    const client = new pg.Client({ connectionString: parley.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE search_entries IN ACCESS EXCLUSIVE MODE');
    const { body: page } = await sue.client.get(queryOf({ q: 'lemur' })).expect(200);
    expect(page).toEqual({ results: [], nextCursor: expect.any(String), partial: true });
    await client.query('ROLLBACK');
    await client.end();
    const { body: next } = await sue.client.get(queryOf({ q: 'lemur', cursor: page.nextCursor })).expect(200);
    expect(chatIds(next)).toEqual([tenant.chatId]);
    expect(next).not.toHaveProperty('partial');
  });

  it('words that only old messages have are found behind many newer ones', async () => {
    await send('aye-aye');
    await indexed(parley, tenant.id);
    await parley.query(`UPDATE search_entries SET created_at = '2020-01-01' WHERE words @@ 'aye'::tsquery`);
    await fillIndex(parley, tenant.id);
    const { body } = await sue.client.get(queryOf({ q: 'aye-aye' })).expect(200);
    expect(chatIds(body)).toEqual([tenant.chatId]);
  });

  it('how far it is behind is a metric', async () => {
    const behind = async () => (await Scrape.of(parley.url)).value('parley_search_behind_seconds');
    await until('it is not behind', async () => (await behind()) === 0);
    // It stays behind for longer than it waits for an open transaction.
    const open = new pg.Client({ connectionString: parley.databaseUrl });
    await open.connect();
    await open.query('BEGIN');
    await open.query('LOCK TABLE visitors IN ROW EXCLUSIVE MODE');
    await send('siamang');
    await until('it is behind', async () => (await behind())! > (1.5 * TIME_LIMITS_MS.request) / 1_000);
    await open.query('COMMIT');
    await open.end();
    await until('it is not behind any longer', async () => (await behind()) === 0);
    expect(await find('siamang')).toEqual([tenant.chatId]);
  });

  it('no statistics keep words', async () => {
    const columns = await parley.query(
      `SELECT attname FROM pg_attribute WHERE attrelid = 'search_entries'::regclass AND attname = 'words' AND attstattarget = 0`,
    );
    expect(columns).toHaveLength(1);
  });
});
