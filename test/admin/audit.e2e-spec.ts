import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthRetention } from '../../src/auth/auth-retention.js';
import { Client } from '../support/client.js';
import { awayFromEnd, DAY_MS } from '../support/day.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

const PASSWORD = 'correct horse battery';

interface Entry {
  id: string;
  at: string;
  actor: { type: string; id: string | null; name: string | null };
  action: string;
  target: string | null;
  sourceAddress: string | null;
}

describe('the audit log', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let own: Client;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada', role: 'ADMIN' });
    own = new Client(`${parley.url}/api/admin/organizations/${tenant.id}`, ada.token);
  });
  afterAll(() => parley.stop());

  const entries = async (): Promise<Entry[]> => (await tenant.admin.get('/audit').expect(200)).body.entries;
  const since = async (work: () => PromiseLike<unknown>) => {
    const [latest] = await entries();
    await work();
    const all = await entries();
    return all
      .slice(0, latest ? all.findIndex(({ id }) => id === latest.id) : undefined)
      .map(({ action, actor, target }) => [action, actor.type, actor.id, target])
      .toReversed();
  };

  it('the audit log records who signed in and from where, latest first', async () => {
    const [latest, link, created] = await entries();
    expect(latest).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: { type: 'AGENT', id: ada.id, name: 'Ada' },
      action: 'session.created',
      target: ada.id,
      targetName: 'Ada',
      changes: [],
      sourceAddress: '127.0.0.1',
    });
    expect([link!.action, link!.actor]).toEqual(['link.created', { type: 'ADMIN', id: null, name: null }]);
    expect([created!.action, created!.target]).toEqual(['agent.created', ada.id]);
  });

  it('the audit log records what an administrator changed, under their own name', async () => {
    const { id } = await parley.signInAgent(tenant, { name: 'Bob' });
    const changes = await since(async () => {
      await own.patch(`/agents/${id}`, { role: 'SUPERVISOR', capacity: 3, name: 'Robert' }).expect(200);
      await own.patch(`/agents/${id}`, { role: 'SUPERVISOR', isEnabled: true }).expect(200);
      await own.patch(`/agents/${id}`, { email: `${id}@example.com` }).expect(200);
      const { body: link } = await own.post(`/agents/${id}/sign-in-links`, {}).expect(201);
      await own.delete(`/agents/${id}/sign-in-links/${link.id}`).expect(204);
      await own.patch(`/agents/${id}`, { isEnabled: false }).expect(200);
      await own.patch(`/agents/${id}`, { isEnabled: true }).expect(200);
      await own.delete(`/agents/${id}`).expect(204);
    });
    const actions = [
      'agent.changed',
      'agent.role_changed',
      'agent.email_changed',
      'link.created',
      'link.revoked',
      'agent.disabled',
      'agent.enabled',
      'agent.deleted',
    ];
    expect(changes).toEqual(actions.map((action) => [action, 'ADMIN', ada.id, id]));
  });

  it('the audit log records password changes, and exports and erasures of visitors', async () => {
    const { client, id } = await parley.signInAgent(tenant);
    expect(await since(() => client.put('/password', { password: PASSWORD }).expect(204))).toEqual([
      ['password.changed', 'AGENT', id, id],
    ]);
    const changes = await since(async () => {
      await own.get(`/visitors/${tenant.visitorId}/export`).expect(200).expect('Cache-Control', 'no-store');
      await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
      await own.get('/visitors/vis_none/export').expect(404);
      await own.delete('/visitors/vis_none').expect(404);
    });
    expect(changes).toEqual([
      ['visitor.exported', 'ADMIN', ada.id, tenant.visitorId],
      ['visitor.erasure_began', 'ADMIN', null, tenant.visitorId],
      ['visitor.erased', 'ADMIN', null, tenant.visitorId],
    ]);
  });

  it("no erasure starts when its entry can't be written", async () => {
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const { id } = session.visitor;
    await parley.query('ALTER TABLE audit_entries RENAME TO away');
    const { status } = await own.delete(`/visitors/${id}`);
    await parley.query('ALTER TABLE away RENAME TO audit_entries');
    expect(status).toBeGreaterThanOrEqual(500);
    expect(await since(() => own.delete(`/visitors/${id}`).expect(204))).toEqual([
      ['visitor.erasure_began', 'ADMIN', ada.id, id],
      ['visitor.erased', 'ADMIN', ada.id, id],
    ]);
  });

  it('the audit log records failed sign-ins of existing agents only, and when they are blocked', async () => {
    const { email, id } = await parley.signInAgent(tenant, { password: PASSWORD });
    const fail = (address: string) =>
      parley.agent().post('/session', { email: address, password: 'wrong' }).expect(401);
    const failed = await since(async () => {
      await fail('unknown@example.com');
      for (let time = 0; time < 11; time++) await fail(email);
    });
    const entry = (action: string) => [action, 'AGENT', null, id];
    expect(failed).toEqual([...Array.from({ length: 11 }, () => entry('session.failed')), entry('session.throttled')]);
  });

  it('the audit log keeps at most 20 failures per agent and day', async () => {
    await awayFromEnd(DAY_MS);
    const { email, id } = await parley.signInAgent(tenant, { password: PASSWORD });
    const add = (count: number, at: string) =>
      parley.query(
        `INSERT INTO audit_entries (organization_id, id, at, actor_type, action, target)
         SELECT $1, 'aud_00' || lpad((number + $5)::text, 24, '0'), date_trunc('day', now(), 'UTC') + $4::interval, 'AGENT', 'session.failed', $2
         FROM generate_series(1, $3) AS number`,
        [tenant.id, id, count, at, count * 100],
      );
    const fail = () => parley.agent().post('/session', { email, password: 'wrong' }).expect(401);
    const count = async () =>
      (await parley.query(`SELECT FROM audit_entries WHERE target = $1 AND action = 'session.failed'`, [id])).length;
    await add(30, '-1 second');
    await add(19, '0 seconds');
    await fail();
    expect(await count()).toBe(50);
    await fail();
    expect(await count()).toBe(50);
  });

  it('the audit log is read page by page', async () => {
    const all = await entries();
    const { body: first } = await tenant.admin.get('/audit?limit=2').expect(200);
    const { body: second } = await tenant.admin.get(`/audit?limit=2&cursor=${first.nextCursor}`).expect(200);
    expect([...first.entries, ...second.entries]).toEqual(all.slice(0, 4));
    await tenant.admin.get('/audit?limit=0').expect(400);
    await tenant.admin.get('/audit?cursor=x').expect(400);
  });

  it('the audit log shows one organization, to administrators only', async () => {
    const stranger = await parley.createTenant();
    const { body: strange } = await stranger.admin.get('/audit').expect(200);
    expect(strange.entries.at(-1)).toMatchObject({ action: 'organization.created', target: stranger.id });
    expect(strange.entries.filter(({ actor }: Entry) => actor.id === ada.id)).toEqual([]);
    const { token } = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await new Client(`${parley.url}/api/admin/organizations/${tenant.id}`, token).get('/audit').expect(403);
  });

  it('entries are kept for 180 days', async () => {
    const age = (days: number) =>
      parley.query(`UPDATE audit_entries SET at = now() - $1 * interval '1 day' WHERE target = $2`, [days, ada.id]);
    const count = async () => (await parley.query('SELECT FROM audit_entries WHERE target = $1', [ada.id])).length;
    const kept = await count();
    await age(179);
    await parley.app.get(AuthRetention).removeExpired();
    expect(await count()).toBe(kept);
    await age(181);
    await parley.app.get(AuthRetention).removeExpired();
    expect(await count()).toBe(0);
  });
});
