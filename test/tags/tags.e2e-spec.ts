import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { TagChanges } from '../../src/tags/tag-changes.service.js';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { makeFrequent } from './exercise.js';
import { chatIds, indexed, search } from '../search/support/searching.js';

interface Tag {
  id: string;
  name: string;
  formerNames: string[];
  color: string | null;
  chats: number;
}

describe('tags of an organization', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    parley.app.get(TagChanges).timeout = 25_000;
  });
  afterEach(() => parley.app.get(TagChanges).run());

  const tagged = async (...tags: string[]) => {
    const { body: chat } = await tenant.admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201);
    await tenant.bot.put(`/chats/${chat.id}/tags`, { tags }).expect(200);
    return chat as { id: string; visitor: { id: string } };
  };
  const list = async (query = '') => (await tenant.admin.get(`/tags${query}`).expect(200)).body.tags as Tag[];
  const idOf = async (name: string) => (await list()).find((tag) => tag.name === name)!.id;
  const tagsOf = async (id: string) => (await tenant.bot.get(`/chats/${id}`).expect(200)).body.tags as string[];
  const rename = (id: string, body: object) => tenant.admin.patch(`/tags/${id}`, body);
  const found = async (given: Parameters<typeof search>[3]) => chatIds(await search(parley, tenant, sue, given));
  const audited = async (action: string) =>
    (await tenant.admin.get(`/audit?action=${action}`).expect(200)).body.entries as object[];

  it('the list has all tags by name, in pages, even unused ones', async () => {
    const { id } = await tagged('banana', 'Apple', 'cherry');
    await tenant.bot.put(`/chats/${id}/tags`, { tags: ['Apple'] }).expect(200);
    expect(await list()).toMatchObject([
      { name: 'Apple', chats: 1, color: null, formerNames: [] },
      { name: 'banana', chats: 0 },
      { name: 'cherry', chats: 0 },
    ]);
    const { body: first } = await tenant.admin.get('/tags?limit=2').expect(200);
    const { body: second } = await tenant.admin.get(`/tags?limit=2&cursor=${first.nextCursor}`).expect(200);
    expect([first.tags.length, second.tags[0].name, second.nextCursor]).toEqual([2, 'cherry', null]);
    expect((await list('?prefix=BAN')).map(({ name }) => name)).toEqual(['banana']);
    await tenant.admin.get('/tags?cursor=x').expect(400);
  });

  it('a former name means the tag, in tagging and in filters, and search finds the present one only', async () => {
    const chat = await tagged('Refund');
    const id = await idOf('Refund');
    const { rev } = (await sue.client.get(`/chats/${chat.id}`).expect(200)).body;
    expect(await found({ q: 'refund' })).toEqual([chat.id]);
    expect((await rename(id, { name: ' Money back ' }).expect(200)).body).toMatchObject({
      id,
      name: 'Money back',
      formerNames: ['Refund'],
      chats: 1,
    });
    expect(await tagsOf(chat.id)).toEqual(['Money back']);
    expect((await sue.client.get(`/chats/${chat.id}`).expect(200)).body.rev).toBe(rev);
    expect(await found({ q: 'refund' })).toEqual([]);
    expect(await found({ q: 'vera money' })).toEqual([chat.id]);
    expect(await found({ tag: 'REFUND' })).toEqual([chat.id]);
    const other = await tagged('refund');
    expect(await tagsOf(other.id)).toEqual(['Money back']);
    const body = { add: ['Refund'], remove: ['money back'] };
    await tenant.bot.post(`/chats/${other.id}/tags`, body).expect(400);
    expect(await audited('tag.changed')).toMatchObject([
      { target: id, targetName: 'Money back', changes: [{ field: 'name', from: 'Refund', to: 'Money back' }] },
    ]);
  });

  it('a change of case adds no former name, and its own former name may come back', async () => {
    await tagged('refund', 'other');
    const id = await idOf('refund');
    expect((await rename(id, { name: 'REFUND' }).expect(200)).body).toMatchObject({ name: 'REFUND', formerNames: [] });
    await rename(id, { name: 'Money' }).expect(200);
    expect((await rename(id, { name: 'Refund' }).expect(200)).body.formerNames).toEqual(['Money']);
    for (const name of ['refund', 'MONEY'])
      expect((await rename(await idOf('other'), { name }).expect(409)).body.code).toBe('conflict');
  });

  it('keeps its 20 newest former names', async () => {
    await tagged('name 0');
    const id = await idOf('name 0');
    for (let index = 1; index <= 22; index++) await rename(id, { name: `name ${index}` }).expect(200);
    const [{ formerNames }] = (await list()) as [Tag];
    expect([formerNames.length, formerNames[0], formerNames.at(-1)]).toEqual([20, 'name 21', 'name 2']);
    await tagged('name 0');
    expect(await list()).toHaveLength(2);
  });

  it('a color is stored in lower case, and null removes it', async () => {
    await tagged('vip');
    const id = await idOf('vip');
    expect((await rename(id, { color: '#AbCdEf' }).expect(200)).body.color).toBe('#abcdef');
    expect((await sue.client.get('/tags?prefix=v').expect(200)).body.tags[0].color).toBe('#abcdef');
    expect((await rename(id, {}).expect(200)).body.color).toBe('#abcdef');
    expect((await rename(id, { color: null }).expect(200)).body.color).toBeNull();
    for (const color of ['red', '#abc', 7, '']) await rename(id, { color }).expect(400);
    for (const name of ['', 'x'.repeat(51), 'a\u0007']) await rename(id, { name }).expect(400);
    await rename('tag_unknown', { color: null }).expect(404);
  });

  it('merging gives each chat the other tag once, with the names', async () => {
    const [a, both, b] = [await tagged('Refund'), await tagged('refund', 'Money'), await tagged('Money')];
    const [refund, money] = [await idOf('Refund'), await idOf('Money')];
    await rename(refund, { name: 'Refunds' }).expect(200);
    const merge = (into: string) => tenant.admin.post(`/tags/${refund}/merge`, { into });
    expect((await merge(refund).expect(400)).body.errors[0].pointer).toBe('/into');
    expect((await merge('tag_unknown').expect(400)).body.errors[0].pointer).toBe('/into');
    const { body } = await merge(money).expect(200);
    expect(body).toMatchObject({ id: money, name: 'Money', chats: 3 });
    expect(body.formerNames).toEqual(['Refunds', 'Refund']);
    for (const { id } of [a, both, b]) expect(await tagsOf(id)).toEqual(['Money']);
    await merge(money).expect(404);
    expect((await found({ tag: 'refunds' })).toSorted()).toEqual([a.id, both.id, b.id].toSorted());
    expect(await found({ q: 'refunds' })).toEqual([]);
    expect(await found({ q: 'money' })).toHaveLength(3);
    const changes = [{ field: 'into', from: null, to: { id: money, name: 'Money' } }];
    expect(await audited('tag.merged')).toMatchObject([{ target: refund, targetName: 'Refunds', changes }]);
  });

  it('a deleted tag is in no chat, in no index, and in no table, and its names are free', async () => {
    const chat = await tagged('Zanzibar');
    const id = await idOf('Zanzibar');
    await rename(id, { name: 'Quokka' }).expect(200);
    await indexed(parley, tenant.id);
    await tenant.admin.delete(`/tags/${id}`).expect(204);
    await tenant.admin.delete(`/tags/${id}`).expect(404);
    expect(await tagsOf(chat.id)).toEqual([]);
    expect(await found({ q: 'quokka' })).toEqual([]);
    expect(await found({ tag: 'Zanzibar' })).toEqual([]);
    const rows = await parley.query(
      `SELECT words::text FROM search_entries WHERE organization_id = $1 AND words::text ~ 'quokka|zanzibar'`,
      [tenant.id],
    );
    expect(rows).toEqual([]);
    expect(await audited('tag.deleted')).toMatchObject([{ target: id, targetName: 'Quokka' }]);
    await tagged('zanzibar');
    expect((await list()).map(({ name }) => name)).toEqual(['zanzibar']);
  });

  it('a change that takes longer is answered 202 until it is done', async () => {
    const chats = [await tagged('one', 'two'), await tagged('one')];
    const [one, two] = [await idOf('one'), await idOf('two')];
    const changes = parley.app.get(TagChanges);
    changes.timeout = -1;
    expect((await rename(one, { name: 'uno' }).expect(202)).body.name).toBe('uno');
    await changes.run();
    changes.timeout = 25_000;
    await rename(one, { name: 'uno' }).expect(200);
    changes.timeout = -1;
    await tenant.admin.post(`/tags/${one}/merge`, { into: two }).expect(202);
    expect((await list()).map(({ name }) => name)).toEqual(['two']);
    const { body } = await tenant.bot.put(`/chats/${chats[1]!.id}/tags`, { tags: ['uno'] }).expect(200);
    expect(body.tags).toEqual(['two']);
    await until('the merge has ended', async () => (await tagsOf(chats[0]!.id)).length === 1);
    await tenant.admin.delete(`/tags/${two}`).expect(202);
    expect(await tagsOf(chats[0]!.id)).toEqual([]);
    await changes.run();
    await tenant.admin.delete(`/tags/${two}`).expect(404);
    expect(await parley.query('SELECT FROM tag_names WHERE organization_id = $1', [tenant.id])).toEqual([]);
  });

  it('a tag that is removed from a chat during a merge does not come back', async () => {
    const first = await tagged('one');
    const [byOld, byNew, both] = [await tagged('one'), await tagged('one'), await tagged('one', 'two')];
    const full = await tagged('one', ...Array.from({ length: 19 }, (_, index) => `more ${index}`));
    const [one, two] = [await idOf('one'), await idOf('two')];
    const changes = parley.app.get(TagChanges);
    changes.timeout = -1;
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM chats WHERE id = $1 FOR UPDATE', [first.id]);
      await tenant.admin.post(`/tags/${one}/merge`, { into: two }).expect(202);
      const change = async (id: string, body: object) =>
        (await tenant.bot.post(`/chats/${id}/tags`, body).expect(200)).body.tags as string[];
      expect(await change(byOld.id, { remove: ['one'] })).toEqual([]);
      expect(await change(byNew.id, { remove: ['two'] })).toEqual([]);
      expect(await change(both.id, { remove: ['two'] })).toEqual([]);
      expect(await change(full.id, { add: ['two'] })).toContain('two');
    } finally {
      await holder.query('COMMIT');
      await holder.end();
    }
    await changes.run();
    for (const { id } of [byOld, byNew, both]) expect(await tagsOf(id)).toEqual([]);
    expect(await tagsOf(first.id)).toEqual(['two']);
    expect(await tagsOf(full.id)).toHaveLength(20);
  });

  it('a change notifies agents that their lists are stale', async () => {
    await tagged('one');
    const socket = await parley.connectAgent(sue.token);
    const { length } = socket.all('inbox:stale');
    await rename(await idOf('one'), { color: '#000000' }).expect(200);
    await socket.until(() => socket.all('inbox:stale').length > length);
  });

  it('erasing a visitor removes the tags of the chats, and the export has them', async () => {
    const chat = await tagged('Zebra');
    await tenant.bot
      .post(`/chats/${chat.id}/tags`, { add: ['x'] })
      .set('Idempotency-Key', 'k')
      .expect(200);
    const { body } = await tenant.admin.get(`/visitors/${chat.visitor.id}/export`).expect(200);
    expect(body.chats[0].tags.map(({ name }: Tag) => name).toSorted()).toEqual(['Zebra', 'x']);
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
    expect(await tagsOf(chat.id)).toEqual([]);
    expect(await parley.query('SELECT FROM chat_tags WHERE chat_id = $1', [chat.id])).toEqual([]);
    expect(await parley.query(`SELECT FROM idempotency_keys WHERE endpoint = 'tags'`)).toEqual([]);
  });

  it('a frequent tag filters in the order of each list, page by page', async () => {
    const chat = await tagged('one', 'two');
    await makeFrequent(parley, { id: tenant.id, chatId: chat.id }, await idOf('one'));
    const [{ chats: count }] = (await list('?prefix=one')) as [Tag];
    expect(count).toBe(1_000);
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await tenant.bot.get(`/chats?tag=one${cursor && `&cursor=${cursor}`}`).expect(200);
      ids.push(...body.chats.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor as string | null;
    }
    expect([new Set(ids).size, ids[0]]).toEqual([2_002, chat.id]);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const both = (await tenant.bot.get('/chats?tag=one&tag=two').expect(200)).body.chats as { id: string }[];
    expect(both.map(({ id }) => id)).toEqual([chat.id]);
    const view = async (name: string) =>
      (await sue.client.get(`/chats?view=${name}&tag=one&limit=100`).expect(200)).body.chats as object[];
    expect([(await view('CLOSED')).length, (await view('BOT')).length]).toEqual([100, 1]);
    expect(await found({ tag: 'one', status: 'ACTIVE' })).toEqual([chat.id]);
  });

  it('lists, views, reports, and searches have only the chats with all tags of the filter', async () => {
    const [both, one] = [await tagged('one', 'two'), await tagged('one')];
    const today = new Date().toISOString().slice(0, 10);
    const days = `from=${today}&to=${today}&timeZone=UTC`;
    const idsOf = (chats: { id: string }[]) => chats.map(({ id }) => id);
    for (const [query, expected] of [
      ['tag=ONE', [one.id, both.id]],
      ['tag=one&tag=two', [both.id]],
      ['tag=one&tag=unknown', []],
    ] as const) {
      for (const path of ['/chats?', '/chats?status=ACTIVE&', '/chats?owner=BOT&'])
        expect(idsOf((await tenant.bot.get(path + query).expect(200)).body.chats)).toEqual(expected);
      expect(idsOf((await tenant.admin.get(`/chats?${query}`).expect(200)).body.chats)).toEqual(expected);
      const view = (await sue.client.get(`/chats?view=BOT&${query}`).expect(200)).body.chats;
      expect(idsOf(view).toSorted()).toEqual([...expected].toSorted());
      const report = (await sue.client.get(`/reports?${days}&${query}`).expect(200)).body;
      expect(report.days[0].created).toBe(expected.length);
      const csv = (await sue.client.get(`/reports/chats/export?${days}&${query}`).expect(200)).text;
      expect(csv.trim().split('\n')).toHaveLength(expected.length + 1);
      for (const path of ['/reports/agents', '/reports/ratings'])
        await sue.client.get(`${path}?${days}&${query}`).expect(200);
      const tag = new URLSearchParams(query).getAll('tag');
      expect((await found({ tag })).toSorted()).toEqual([...expected].toSorted());
      expect((await found({ tag, q: 'vera' })).toSorted()).toEqual([...expected].toSorted());
      const { body } = await sue.client.post('/search', { tag, q: 'vera' }).expect(200);
      expect(chatIds(body).toSorted()).toEqual([...expected].toSorted());
    }
    const eleven = Array.from({ length: 11 }, (_, index) => `tag=${index}`).join('&');
    for (const path of ['/chats?', '/search?', `/reports?${days}&`]) await sue.client.get(path + eleven).expect(400);
    await sue.client.get('/chats?tag=').expect(400);
  });

  it('an organization with 5,000 tags takes no new tag, and its chats still get the old ones', async () => {
    const chat = await tagged('Refund');
    await parley.query(
      `INSERT INTO tags (organization_id, id, name, key, created_at)
       SELECT $1, 'tag_' || n, 'n' || n, 'n' || n, now() FROM generate_series(2, 5000) AS n`,
      [tenant.id],
    );
    const set = (tags: string[]) => tenant.bot.put(`/chats/${chat.id}/tags`, { tags });
    const { body } = await set(['Refund', 'VIP']).expect(409);
    expect(body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('5000 tags') });
    await set([]).expect(200);
    await set(['refund']).expect(200);
    expect(await tagsOf(chat.id)).toEqual(['Refund']);
  });

  it('a merge gives nothing to a chat that loses the tag at the same time', async () => {
    const [kept, changed] = [await tagged('Refund'), await tagged('Refund')];
    await tagged('Money');
    const [refund, money] = [await idOf('Refund'), await idOf('Money')];
    const other = await parley.database.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM chats WHERE id = $1 FOR UPDATE', [changed.id]);
    const merged = tenant.admin.post(`/tags/${refund}/merge`, { into: money }).then(({ status }) => status);
    const isWaiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT FROM chats%ANY%'`;
    await until('the merge waits', async () => (await parley.query(isWaiting)).length > 0);
    await other.query('DELETE FROM chat_tags WHERE chat_id = $1', [changed.id]);
    await other.query('COMMIT');
    other.release();
    expect(await merged).toBe(200);
    expect(await tagsOf(kept.id)).toEqual(['Money']);
    expect(await tagsOf(changed.id)).toEqual([]);
  });
});
