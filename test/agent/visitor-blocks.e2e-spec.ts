import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { awayFromEnd, DAY_MS } from '../support/day.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { signIdentity } from '../support/identity.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('blocked visitors', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    const { body } = await tenant.bot.get('/groups').expect(200);
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [body[0].id] });
  });

  const path = () => `/chats/${tenant.chatId}/block`;
  const block = (body: object = {}, chatId = tenant.chatId) => ada.client.put(`/chats/${chatId}/block`, body);
  const chats = (token = tenant.visitorToken) => parley.visitor(token).get('/chats');
  const later = () => new Date(Date.now() + 3_600_000).toISOString();
  const pass = () =>
    parley.query(`UPDATE visitor_blocks SET until = now() - interval '1 second' WHERE organization_id = $1`, [
      tenant.id,
    ]);

  it("a blocked visitor's requests, sockets, and renewals are refused without the reason, until the block ends", async () => {
    const socket = await parley.connectVisitor(tenant.visitorToken);
    const until = later();
    const { body } = await block({ until, reason: 'Spam about needles' }).expect(200);
    const expected = { until, reason: 'Spam about needles', by: { id: ada.id, name: 'Ada' }, blockedAt: TIME };
    expect(body.block).toEqual(expected);
    await eventually(
      () => Promise.resolve(socket.socket.connected),
      (isConnected) => !isConnected,
    );
    for (const request of [chats(), parley.beginSession(tenant, {}, tenant.visitorToken)]) {
      const { body: problem } = await request.expect(403);
      expect(problem.code).toBe('blocked');
      expect(JSON.stringify(problem)).not.toContain('needles');
    }
    await expect(parley.connectVisitor(tenant.visitorToken)).rejects.toMatchObject({ data: { code: 'blocked' } });
    const { body: detail } = await ada.client.get(`/chats/${tenant.chatId}`).expect(200);
    expect(detail.visitor.block).toEqual(body.block);
    await pass();
    await chats().expect(200);
    expect((await ada.client.get(`/chats/${tenant.chatId}`).expect(200)).body.visitor.block).toBeNull();
  });

  it('a session of a blocked visitor changes nothing and stores nothing', async () => {
    const at = { sub: 'person-1', name: 'Pia', email: 'pia@example.com' };
    const first = { identity: await signIdentity(tenant, at), visitor: { metadata: { plan: 'free' } } };
    const { body: session } = await parley.beginSession(tenant, first).expect(201);
    const pia = parley.visitor(session.token);
    const { body: opened } = await pia.post('/chats', {}).expect(201);
    const { body: anonymous } = await parley.beginSession(tenant).expect(201);
    const { body: other } = await parley.visitor(anonymous.token).post('/chats', {}).expect(201);
    await block({}, opened.chat.id).expect(200);
    const rows = () =>
      Promise.all(
        ['visitors', 'chats', 'messages', 'audit_entries', 'deliveries'].map((table) =>
          parley.query(`SELECT xmin, ctid, t.* FROM ${table} t WHERE organization_id = $1 ORDER BY 3, 4, 5`, [
            tenant.id,
          ]),
        ),
      );
    const detail = async () => (await ada.client.get(`/chats/${opened.chat.id}`).expect(200)).body;
    const before = { rows: await rows(), detail: await detail() };
    const renamed = await signIdentity(tenant, { ...at, name: 'Mallory', email: 'mallory@example.com' });
    const visitor = { name: 'Mallory', email: 'mallory@example.com', metadata: { text: 'x'.repeat(9_000) } };
    for (const [body, token] of [
      [{ identity: renamed, visitor }],
      [{ identity: renamed, visitor }, session.token],
      [{ identity: renamed, visitor, merge: true }, anonymous.token],
      [{ visitor }, session.token],
      [{ visitor, merge: true }, session.token],
    ] as [object, string?][]) {
      expect((await parley.beginSession(tenant, body, token).expect(403)).body.code).toBe('blocked');
    }
    expect({ rows: await rows(), detail: await detail() }).toEqual(before);
    expect((await parley.visitor(anonymous.token).get('/chats').expect(200)).body.chats[0].id).toBe(other.chat.id);
    await ada.client.delete(`/chats/${opened.chat.id}/block`).expect(204);
    await parley.beginSession(tenant, { identity: renamed, visitor }).expect(201);
    expect((await detail()).visitor).toMatchObject({ name: 'Mallory', email: 'mallory@example.com' });
  });

  it('a blocked visitor can sign out, and the token stays invalid when the block ends', async () => {
    await block().expect(200);
    const visitor = parley.visitor(tenant.visitorToken);
    await visitor.delete('/sessions').expect(204);
    await ada.client.delete(path()).expect(204);
    await visitor.get('/chats').expect(401);
  });

  it('an agent unblocks a visitor, and both are in the audit log without the reason', async () => {
    const { rev } = (await ada.client.get(`/chats/${tenant.chatId}`).expect(200)).body;
    await block({ reason: 'needles' }).expect(200);
    expect((await ada.client.get(`/chats/${tenant.chatId}`).expect(200)).body.rev).toBeGreaterThan(rev);
    await chats().expect(403);
    for (let n = 0; n < 2; n++) await ada.client.delete(path()).expect(204);
    await chats().expect(200);
    const { body } = await tenant.admin.get(`/audit?target=${tenant.visitorId}`).expect(200);
    expect(body.entries.map(({ action }: { action: string }) => action)).toEqual([
      'visitor.unblocked',
      'visitor.blocked',
    ]);
    expect(body.entries[1]).toMatchObject({ actor: { id: ada.id }, targetName: null });
    expect(JSON.stringify(body)).not.toContain('needles');
  });

  it('blocks of one visitor by one agent are one entry a day, with the first and the last value and their number', async () => {
    await awayFromEnd(DAY_MS);
    const untils = Array.from({ length: 5 }, (_, n) => new Date(Date.now() + (n + 1) * 3_600_000).toISOString());
    for (const until of untils) await block({ until }).expect(200);
    const entries = async (query = '') =>
      (await tenant.admin.get(`/audit?target=${tenant.visitorId}${query}`).expect(200)).body.entries as any[];
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ action: 'visitor.blocked', actor: { id: ada.id } });
    expect(entry.changes).toEqual([
      { field: 'isBlocked', from: false, to: true },
      { field: 'until', from: null, to: untils.at(-1) },
      { field: 'times', from: 1, to: 5 },
      { field: 'lastAt', from: null, to: TIME },
    ]);
    for (let n = 0; n < 5; n++) {
      await ada.client.delete(path()).expect(204);
      await block({}).expect(200);
    }
    expect((await entries()).map(({ action }) => action)).toEqual(['visitor.unblocked', 'visitor.blocked']);
    expect((await entries('&action=visitor.blocked'))[0].changes).toContainEqual({ field: 'times', from: 1, to: 10 });
    // Another agent, and another day, have entries of their own.
    const { body } = await tenant.bot.get('/groups').expect(200);
    const bo = await parley.signInAgent(tenant, { name: 'Bo', groupIds: [body[0].id] });
    await bo.client.put(path(), { until: later() }).expect(200);
    expect(await entries('&action=visitor.blocked')).toHaveLength(2);
    await parley.query(`UPDATE audit_entries SET at = at - interval '1 day' WHERE target = $1`, [tenant.visitorId]);
    await block({}).expect(200);
    expect(await entries('&action=visitor.blocked')).toHaveLength(3);
  });

  it('one agent has 100 entries of an action a day, and the last one counts the further ones', async () => {
    await awayFromEnd(DAY_MS);
    await parley.query(
      `INSERT INTO audit_entries (organization_id, id, at, actor_type, actor_id, actor_name, action, target)
        SELECT $1, (SELECT max(id) FROM audit_entries WHERE organization_id = $1) || n, now(), 'AGENT', $2, 'Ada', 'visitor.blocked', 'vis_' || n
        FROM generate_series(100, 199) n`,
      [tenant.id, ada.id],
    );
    for (let n = 0; n < 3; n++) {
      await block({ until: later() }).expect(200);
      await ada.client.delete(path()).expect(204);
    }
    const stored = await parley.query('SELECT FROM audit_entries WHERE organization_id = $1 AND action = $2', [
      tenant.id,
      'visitor.blocked',
    ]);
    expect(stored).toHaveLength(100);
    const { body } = await tenant.admin.get('/audit?action=visitor.blocked&limit=1').expect(200);
    expect(body.entries[0].changes).toEqual([
      { field: 'times', from: 1, to: 4 },
      { field: 'lastAt', from: null, to: TIME },
    ]);
  });

  it('administrators list the blocked visitors with the reasons, and unblock them', async () => {
    const list = async (query = '') => (await tenant.admin.get(`/blocked-visitors${query}`).expect(200)).body;
    expect(await list()).toEqual({ visitors: [], nextCursor: null });
    const { body } = await block({ reason: 'needles' }).expect(200);
    const { body: session } = await parley.beginSession(tenant, { visitor: { name: 'Bo' } }).expect(201);
    const { body: opened } = await parley.visitor(session.token).post('/chats', {}).expect(201);
    await block({ until: later() }, opened.chat.id).expect(200);
    const first = await list('?limit=1');
    expect(first.visitors).toMatchObject([{ id: tenant.visitorId, isVerified: false, block: body.block }]);
    const second = await list(`?limit=1&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ visitors: [{ id: session.visitor.id, name: 'Bo' }], nextCursor: null });
    await parley.query(`UPDATE visitor_blocks SET until = now() - interval '1 second' WHERE visitor_id = $1`, [
      session.visitor.id,
    ]);
    expect((await list()).visitors).toHaveLength(1);
    for (let time = 0; time < 2; time++) await tenant.admin.delete(`/blocked-visitors/${tenant.visitorId}`).expect(204);
    await chats().expect(200);
    expect(await list()).toEqual({ visitors: [], nextCursor: null });
    const { body: log } = await tenant.admin.get(`/audit?target=${tenant.visitorId}`).expect(200);
    expect(log.entries.map(({ action }: { action: string }) => action)).toEqual([
      'visitor.unblocked',
      'visitor.blocked',
    ]);
    await tenant.admin.delete('/blocked-visitors/vis_01h455vb4pex5vsknk084sn02q').expect(404);
    const other = await parley.createTenant();
    await block().expect(200);
    await other.admin.delete(`/blocked-visitors/${tenant.visitorId}`).expect(404);
    expect((await other.admin.get('/blocked-visitors').expect(200)).body.visitors).toEqual([]);
  });

  it('a blocked person is refused on every device', async () => {
    const identity = await signIdentity(tenant, { sub: 'vera' });
    const { body: session } = await parley.beginSession(tenant, { identity }).expect(201);
    const { body: opened } = await parley.visitor(session.token).post('/chats', {}).expect(201);
    await block({}, opened.chat.id).expect(200);
    expect((await parley.beginSession(tenant, { identity }).expect(403)).body.code).toBe('blocked');
    await parley.beginSession(tenant, { identity, merge: true }, tenant.visitorToken).expect(403);
    await parley.visitor(tenant.visitorToken).get(`/chats/${tenant.chatId}/messages`).expect(200);
    await chats().expect(200);
  });

  it('agents block only the visitors of chats that they see, and an invalid block is rejected with its field', async () => {
    const stranger = await parley.createTenant();
    await block({}, stranger.chatId).expect(404);
    const { body: group } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const { body: other } = await tenant.admin.post('/chats', { groupId: group.id }).expect(201);
    await block({}, other.id).expect(404);
    await ada.client.delete(`/chats/${other.id}/block`).expect(404);
    for (const [body, pointer] of [
      [{ until: 'tomorrow' }, '/until'],
      [{ until: 5 }, '/until'],
      [{ until: '2020-01-01T00:00:00Z' }, '/until'],
      [{ reason: '' }, '/reason'],
      [{ reason: 'x'.repeat(501) }, '/reason'],
    ] as const) {
      expect((await block(body).expect(400)).body.errors).toMatchObject([{ pointer }]);
    }
    await block({ until: later(), reason: '🚀'.repeat(500) }).expect(200);
  });

  it('the block is removed with the visitor, and is part of the export', async () => {
    await block({ reason: 'needles' }).expect(200);
    const { body } = await tenant.admin.get(`/visitors/${tenant.visitorId}/export`).expect(200);
    expect(body.block).toMatchObject({ reason: 'needles', until: null });
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    expect(await parley.query('SELECT FROM visitor_blocks WHERE organization_id = $1', [tenant.id])).toEqual([]);
  });
});
