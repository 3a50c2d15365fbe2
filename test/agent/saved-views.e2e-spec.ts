import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('saved views', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let ben: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada' });
    ben = await parley.signInAgent(tenant, { name: 'Ben' });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });

  const list = async ({ client }: SignedInAgent) => (await client.get('/views').expect(200)).body.views;
  const save = async ({ client }: SignedInAgent, view: object) =>
    (await client.post('/views', { query: 'tag:refund', ...view }).expect(201)).body;

  it('an agent saves, changes, and deletes own views, which no one else sees', async () => {
    const refunds = await save(ada, { name: ' Refunds ', query: 'tag:refund is:open' });
    expect(refunds).toEqual({
      id: expect.stringMatching(/^viw_/),
      name: 'Refunds',
      query: 'tag:refund is:open',
      isShared: false,
      position: 0,
    });
    const mine = await save(ada, { name: 'Mine' });
    expect(await list(ada)).toEqual([refunds, mine]);
    expect(await list(ben)).toEqual([]);
    const path = `/views/${mine.id}`;
    const { body: first } = await ada.client.patch(path, { name: 'First', position: 0 }).expect(200);
    expect(first).toEqual({ ...mine, name: 'First', position: 0 });
    for (const other of [ben, sue]) {
      await other.client.patch(path, { name: 'x' }).expect(404);
      await other.client.delete(path).expect(404);
    }
    await ada.client.delete(path).expect(204);
    await ada.client.delete(path).expect(404);
    expect(await list(ada)).toEqual([refunds]);
  });

  it('supervisors share views, which everyone sees, and only supervisors change', async () => {
    const shared = await save(sue, { name: 'Team', isShared: true });
    expect(shared).toMatchObject({ isShared: true, position: 0 });
    expect(await list(ada)).toEqual([shared]);
    const path = `/views/${shared.id}`;
    await ada.client.patch(path, { name: 'x' }).expect(403);
    await ada.client.delete(path).expect(403);
    await ada.client.post('/views', { name: 'x', query: 'x', isShared: true }).expect(403);
    const own = await save(ada, { name: 'Own' });
    await ada.client.patch(`/views/${own.id}`, { isShared: true }).expect(403);
    const { body: unshared } = await sue.client.patch(path, { isShared: false }).expect(200);
    expect(unshared.isShared).toBe(false);
    expect(await list(ada)).toEqual([own]);
    const { body: again } = await sue.client.patch(path, { isShared: true }).expect(200);
    expect(await list(ben)).toEqual([again]);
    await sue.client.delete(path).expect(204);
    expect(await list(ben)).toEqual([]);
  });

  it('an agent has at most 50, the team at most 100, and both limits are named', async () => {
    for (let count = 0; count < 50; count++) await save(ada, { name: `View ${count}` });
    const { body: full } = await ada.client.post('/views', { name: 'x', query: 'x' }).expect(409);
    expect(full).toMatchObject({ code: 'conflict', detail: expect.stringContaining('50 own views') });
    for (let count = 0; count < 100; count++) await save(sue, { name: `View ${count}`, isShared: true });
    const { body: many } = await sue.client.post('/views', { name: 'x', query: 'x', isShared: true }).expect(409);
    expect(many.detail).toContain('100 views');
    expect(await list(ada)).toHaveLength(150);
    const own = await save(sue, { name: 'Own' });
    await sue.client.patch(`/views/${own.id}`, { isShared: true }).expect(409);
  });

  it.each([
    [{ query: 'x' }, '/name'],
    [{ name: ' ', query: 'x' }, '/name'],
    [{ name: 'x' }, '/query'],
    [{ name: 'x', query: '' }, '/query'],
    [{ name: 'x', query: 'q'.repeat(501) }, '/query'],
    [{ name: 'x', query: 'x', isShared: 'yes' }, '/isShared'],
    [{ name: 'x', query: 'x', position: -1 }, '/position'],
  ])('a wrong field is named: %j', async (view, pointer) => {
    const { body } = await ada.client.post('/views', view).expect(400);
    expect(body.errors[0].pointer).toBe(pointer);
  });

  it("another organization's view isn't found, and a removed agent's are deleted", async () => {
    const own = await save(ada, { name: 'Own' });
    const stranger = await parley.signInAgent(await parley.createTenant(), { role: 'ADMIN' });
    expect(await list(stranger)).toEqual([]);
    await stranger.client.patch(`/views/${own.id}`, { name: 'x' }).expect(404);
    await tenant.admin.delete(`/agents/${ada.id}`).expect(204);
    expect(await parley.query('SELECT id FROM saved_views WHERE id = $1', [own.id])).toEqual([]);
  });
});
