import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Client } from '../support/client.js';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('an administrator with a session', () => {
  let parley: Parley;
  let tenant: Tenant;
  let stranger: Tenant;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    [tenant, stranger] = [await parley.createTenant(), await parley.createTenant()];
    ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
  });
  afterAll(() => parley.stop());

  const organizations = (token: string) => new Client(`${parley.url}/api/admin/organizations`, token);
  const own = (token: string) => organizations(token).below(`/${tenant.id}`);

  it('an administrator uses the admin API of their own organization', async () => {
    expect((await own(ada.token).get('').expect(200)).body.id).toBe(tenant.id);
    await own(ada.token).patch('', { name: 'Renamed' }).expect(200);
    await own(ada.token).get('/agents').expect(200);
    const { body: bob } = await own(ada.token).post('/agents', { name: 'Bob', email: 'bob@example.com' }).expect(201);
    await own(ada.token).patch(`/agents/${bob.id}`, { role: 'ADMIN', capacity: 100, isEnabled: false }).expect(200);
    await own(ada.token).post(`/agents/${bob.id}/sign-in-links`, {}).expect(201);
    await own(ada.token).delete(`/agents/${bob.id}`).expect(204);
  });

  it("an administrator sees no other organization, and can't list, create, or delete any", async () => {
    const { body: theirs } = await organizations(ada.token).get(`/${stranger.id}`).expect(404);
    const { body: none } = await organizations(ada.token).get('/org_none').expect(404);
    expect(theirs.detail).toBe(none.detail);
    await organizations(ada.token).get(`/${stranger.id}/agents`).expect(404);
    await organizations(ada.token).delete(`/${stranger.id}`).expect(404);
    await organizations(ada.token).get('').expect(403);
    await organizations(ada.token).post('', { name: 'Mine' }).expect(403);
    expect((await own(ada.token).delete('').expect(403)).body.code).toBe('forbidden');
    await parley.admin.get(`/${tenant.id}`).expect(200);
  });

  it('the role ADMIN is required, and read on every request', async () => {
    const { id, token } = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await own(token).get('').expect(403);
    await organizations(token).get(`/${stranger.id}`).expect(403);
    await tenant.admin.patch(`/agents/${id}`, { role: 'ADMIN' }).expect(200);
    await own(token).get('').expect(200);
    await own(ada.token).patch(`/agents/${id}`, { role: 'AGENT' }).expect(200);
    await own(token).get('').expect(403);
    await tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200);
    await own(token).get('').expect(401);
  });

  it("of two administrators who take each other's rights away, one stays", async () => {
    const [one, other] = [
      await parley.signInAgent(stranger, { role: 'ADMIN' }),
      await parley.signInAgent(stranger, { role: 'ADMIN' }),
    ];
    const demote = (by: SignedInAgent, whom: SignedInAgent) =>
      organizations(by.token).below(`/${stranger.id}`).patch(`/agents/${whom.id}`, { role: 'AGENT' });
    // Both pass the guard before either changes a row.
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM agents WHERE id = ANY ($1) FOR UPDATE', [[one.id, other.id]]);
    const answers = [demote(one, other), demote(other, one)].map((request) => request.then(({ status }) => status));
    await until('both wait for a row', async () => {
      const [row] = await parley.query(
        "SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return row!.count === 2;
    });
    await holder.query('COMMIT');
    await holder.end();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200, 403]));
    const { agents } = (await stranger.admin.get('/agents').expect(200)).body;
    expect(agents.filter(({ role }: { role: string }) => role === 'ADMIN')).toHaveLength(1);
  });

  it("administrators can't create a link for themselves, drop their own role, disable, or delete themselves", async () => {
    const admin = own(ada.token);
    await admin.post(`/agents/${ada.id}/sign-in-links`, {}).expect(403);
    await admin.patch(`/agents/${ada.id}`, { role: 'SUPERVISOR' }).expect(403);
    await admin.patch(`/agents/${ada.id}`, { isEnabled: false }).expect(403);
    await admin.delete(`/agents/${ada.id}`).expect(403);
    const same = { name: 'Ada L.', role: 'ADMIN', isEnabled: true, capacity: 9, avatarUrl: null };
    expect((await admin.patch(`/agents/${ada.id}`, same).expect(200)).body).toMatchObject(same);
    await tenant.admin.patch(`/agents/${ada.id}`, { role: 'SUPERVISOR' }).expect(200);
    await tenant.admin.patch(`/agents/${ada.id}`, { role: 'ADMIN' }).expect(200);
  });

  it.each([
    ['role', { role: 'OWNER' }],
    ['capacity', { capacity: 0 }],
    ['capacity', { capacity: 101 }],
    ['capacity', { capacity: 1.5 }],
    ['isEnabled', { isEnabled: 'yes' }],
    ['avatarUrl', { avatarUrl: 'https://user:secret@example.com/a.png' }],
    ['avatarUrl', { avatarUrl: 'javascript:alert(1)' }],
    ['avatarUrl', { avatarUrl: `https://example.com/${'a'.repeat(2_000)}` }],
    ['avatarUrl', { avatarUrl: 5 }],
  ])("a wrong %s is rejected with the field's name", async (field, wrong) => {
    const created = await tenant.admin.post('/agents', { name: 'A', email: 'x@example.com', ...wrong }).expect(400);
    const patched = await tenant.admin.patch(`/agents/${ada.id}`, wrong).expect(400);
    for (const { body } of [created, patched]) expect(body.errors[0].pointer).toBe(`/${field}`);
  });
});
