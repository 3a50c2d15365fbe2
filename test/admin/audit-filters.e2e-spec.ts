import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { parseCsv } from '../support/csv.js';
import { PlanReader } from '../support/plans.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('searching the audit log', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let own: Client;
  let groupId: string;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada', role: 'ADMIN' });
    own = new Client(`${parley.url}/api/admin/organizations/${tenant.id}`, ada.token);
    ({
      body: { id: groupId },
    } = await own.post('/groups', { name: 'Sales' }).expect(201));
    await own.patch(`/groups/${groupId}`, { name: 'Support', routing: 'OFFER' }).expect(200);
    await tenant.admin.patch(`/groups/${groupId}`, { offerSeconds: 45 }).expect(200);
    await tenant.admin.patch('', { retentionDays: 30 }).expect(200);
  });
  afterAll(() => parley.stop());

  const find = async (query: Record<string, string>) =>
    (await tenant.admin.get(`/audit?${new URLSearchParams(query).toString()}`).expect(200)).body.entries as any[];
  const actions = async (query: Record<string, string>) => (await find(query)).map(({ action }) => action);

  it('an entry has the name of each changed field, its old value, and its new value', async () => {
    const [, change] = await find({ target: groupId, actor: ada.id }).then((all) => [null, all[0]]);
    expect(change).toMatchObject({
      action: 'group.changed',
      actor: { type: 'ADMIN', id: ada.id, name: 'Ada' },
      target: groupId,
      targetName: 'Support',
      changes: [
        { field: 'name', from: 'Sales', to: 'Support' },
        { field: 'routing', from: 'MANUAL', to: 'OFFER' },
      ],
    });
    const [kept] = await find({ action: 'organization.retention_changed' });
    expect(kept.changes).toEqual([{ field: 'retentionDays', from: null, to: 30 }]);
  });

  it('a change that changes nothing, and a rejected one, leave no entry', async () => {
    const before = await find({});
    await own.patch(`/groups/${groupId}`, { name: ' Support ', routing: 'OFFER' }).expect(200);
    await own.patch(`/groups/${groupId}`, {}).expect(200);
    await own.patch(`/groups/${groupId}`, { name: 'Other' }).set('If-Match', '"x"').expect(412);
    await own.patch('/widget', { greeting: null }).expect(200);
    await own.patch('', { retentionDays: 30, timeZone: 'utc' }).expect(200);
    await own.patch(`/agents/${ada.id}`, { email: ada.email, groupIds: [] }).expect(200);
    await own.delete('/groups/grp_none').expect(404);
    expect(await find({})).toEqual(before);
  });

  it("an entry keeps the name of a deleted resource, its kind, and an agent's groups", async () => {
    const { body: group } = await own.post('/groups', { name: 'Gone' }).expect(201);
    const fields = { name: 'Eve', email: 'eve@example.com', groupIds: [group.id] };
    const { body: eve } = await own.post('/agents', fields).expect(201);
    await own.patch(`/agents/${eve.id}`, { groupIds: [groupId] }).expect(200);
    await own.delete(`/groups/${group.id}`).expect(204);
    await own.delete(`/agents/${eve.id}`).expect(204);
    const [deleted, moved] = await find({ target: eve.id });
    expect([deleted.action, deleted.targetName]).toEqual(['agent.deleted', 'Eve']);
    expect(deleted.changes).toContainEqual({ field: 'email', from: 'eve@example.com', to: null });
    expect([moved.action, moved.changes]).toEqual([
      'agent.groups_changed',
      [{ field: 'groups', from: [{ id: group.id, name: 'Gone' }], to: [{ id: groupId, name: 'Support' }] }],
    ]);
    expect((await find({ target: group.id }))[0]).toMatchObject({ action: 'group.deleted', targetName: 'Gone' });
  });

  it('entries are found by action, actor, target, and time, and by all of them together, page by page', async () => {
    expect(await actions({ target: groupId })).toEqual(['group.changed', 'group.changed', 'group.created']);
    expect(await actions({ target: groupId, actor: 'ADMIN_TOKEN' })).toEqual(['group.changed']);
    expect(await actions({ target: groupId, actor: ada.id, action: 'group.created' })).toEqual(['group.created']);
    expect(await actions({ actor: 'SYSTEM' })).toEqual([]);
    expect(await actions({ action: 'bot.deleted' })).toEqual([]);
    const all = await find({});
    const { at } = all.at(-3);
    const later = all.filter((entry) => entry.at >= at).length;
    expect(await find({ from: at })).toHaveLength(later);
    expect(await find({ to: at })).toHaveLength(all.length - later);
    expect(await find({ from: '2001-01-01T00:00:00+02:00', to: '0001-01-01T00:00:00Z' })).toEqual([]);
    const seen: string[] = [];
    for (let cursor = ''; cursor !== null;) {
      const path = `/audit?target=${groupId}&limit=1${cursor && `&cursor=${cursor}`}`;
      const { body } = await tenant.admin.get(path).expect(200);
      seen.push(...body.entries.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual((await find({ target: groupId })).map(({ id }) => id));
  });

  it('an invalid filter is rejected with its name', async () => {
    const wrong: Record<string, string> = {
      action: 'group.painted',
      actor: 'ADMIN',
      target: 'x'.repeat(65),
      from: '2026-02-30T00:00:00Z',
      to: 'now',
      cursor: 'x',
    };
    for (const [name, value] of Object.entries(wrong)) {
      for (const path of name === 'cursor' ? ['/audit'] : ['/audit', '/audit/export']) {
        const { body } = await tenant.admin.get(`${path}?${name}=${encodeURIComponent(value)}`).expect(400);
        expect([name, body.errors.map(({ pointer }: any) => pointer)]).toEqual([name, [`?${name}`]]);
      }
    }
  });

  it('entries are returned as CSV, one line per field, safe to open in a spreadsheet', async () => {
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', 'a"b,c', 'x;=cmd', 'a\u202Eb\nc', 'plain'];
    for (const name of names) await own.post('/bots', { name }).expect(201);
    const asked = await own.get('/audit/export?action=bot.created').expect(200);
    expect(asked.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(asked.headers['content-disposition']).toBe('attachment; filename="audit.csv"');
    expect(asked.headers['cache-control']).toBe('no-store');
    const [headings, ...lines] = parseCsv(asked.text);
    expect(headings).toEqual(
      'at,action,actorType,actorId,actorName,target,targetName,field,from,to,sourceAddress,id'.split(','),
    );
    const named = lines.filter((line) => line[7] === 'name').toReversed();
    const bots = named.slice(-names.length);
    expect(bots.map((line) => line[6])).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'＝1",
      'a"b,c',
      "x;'=cmd",
      'a\\u202eb c',
      'plain',
    ]);
    expect(bots.at(-1)!.slice(1, 5)).toEqual(['bot.created', 'ADMIN', ada.id, 'Ada']);
    expect(bots.at(-1)!.slice(7, 11)).toEqual(['name', '', 'plain', '127.0.0.1']);
    const { text } = await own.get(`/audit/export?target=${groupId}&actor=${ada.id}`).expect(200);
    expect(
      parseCsv(text)
        .slice(1, 3)
        .map((line) => line.slice(7, 10)),
    ).toEqual([
      ['name', 'Sales', 'Support'],
      ['routing', 'MANUAL', 'OFFER'],
    ]);
    expect(parseCsv((await own.get('/audit/export?actor=SYSTEM').expect(200)).text)).toHaveLength(1);
  });

  it('a CSV export has the entries of all pages, and only of its organization', async () => {
    const other = await parley.createTenant();
    await parley.query(
      `INSERT INTO audit_entries (organization_id, id, at, actor_type, action, target)
       SELECT $1, 'aud_' || lpad(n::text, 26, '0'), now(), 'SYSTEM', 'webhook.disabled', 'whk_' || n
       FROM generate_series(1, 2500) n`,
      [other.id],
    );
    const { text } = await other.admin.get('/audit/export?actor=SYSTEM').expect(200);
    const ids = parseCsv(text)
      .slice(1)
      .map((line) => line.at(-1));
    expect([ids.length, new Set(ids).size, ids[0]]).toEqual([2500, 2500, `aud_${'2500'.padStart(26, '0')}`]);
    await new Client(`${parley.url}/api/admin/organizations/${other.id}`, ada.token).get('/audit/export').expect(404);
    expect(await actions({ actor: 'SYSTEM' })).toEqual([]);
  });

  it('a search in a long log reads only the entries that it returns', async () => {
    const { id, admin } = await parley.createTenant();
    await parley.query(
      `INSERT INTO audit_entries (organization_id, id, at, actor_type, actor_id, action, target)
       SELECT $1, 'aud_' || to_char(n, 'FM00000000000000000000000000'), now(), 'AGENT', 'agt_' || n % 50, 'session.created',
         'agt_' || n % 50 FROM generate_series(1, 20000) n`,
      [id],
    );
    await parley.query('ANALYZE audit_entries');
    const plans = await PlanReader.connect(parley.databaseUrl);
    const rowsReadBy = async (query: string) =>
      (await plans.rowsReadBy(() => admin.get(`/audit?limit=5&${query}`).expect(200))).audit_entries ?? 0;
    try {
      for (const query of [
        '',
        'action=bot.created',
        'actor=ADMIN_TOKEN',
        'actor=agt_7',
        'target=agt_none',
        'target=agt_7',
      ]) {
        expect([query, (await rowsReadBy(query)) <= 6]).toEqual([query, true]);
      }
      expect(await rowsReadBy('from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z')).toBe(0);
    } finally {
      await plans.close();
    }
  });
});
