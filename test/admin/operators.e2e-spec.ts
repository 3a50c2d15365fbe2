import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';

describe('operators', () => {
  let parley: Parley;
  let otherNode: Parley;
  let tenant: Tenant;
  let operators: Client;

  beforeAll(async () => {
    parley = await Parley.start();
    otherNode = await Parley.start({ ADMIN_TOKEN: 'rotated-admin-token' }, parley.databaseUrl);
    tenant = await parley.createTenant();
    operators = new Client(`${parley.url}/api/admin/operators`, ADMIN_TOKEN);
  });
  afterAll(async () => {
    await otherNode.stop();
    await parley.stop();
  });

  const create = async (body: object = { name: 'Olga' }) => (await operators.post('', body).expect(201)).body;
  const organizations = (token: string, { url } = parley) => new Client(`${url}/api/admin/organizations`, token);
  const history = async (target: string) => {
    const log = new Client(`${parley.url}/api/admin/installation`, ADMIN_TOKEN);
    return (await log.get(`/audit?target=${target}`).expect(200)).body.entries.toReversed() as any[];
  };

  it("an operator's token works like ADMIN_TOKEN, and logs name the operator", async () => {
    const operator = await create();
    expect(operator.token).toMatch(/^prl_opr_[A-Za-z0-9]{38}$/);
    const { body: made } = await organizations(operator.token).post('', { name: 'By Olga' }).expect(201);
    const own = organizations(operator.token).below(`/${made.id}`);
    await own.patch('', { name: 'Renamed' }).expect(200);
    const { body: chat } = await own.post('/chats', {}).expect(201);
    await own.patch(`/chats/${chat.id}`, { status: 'QUEUED' }).expect(200);
    await own.patch(`/chats/${chat.id}`, { status: 'CLOSED' }).expect(200);
    await own.get('/visitors').expect(200);
    const actor = { type: 'ADMIN', id: operator.id, name: 'Olga' };
    const { body: log } = await own.get(`/audit?actor=${operator.id}`).expect(200);
    expect(log.entries.map(({ action }: any) => action).toReversed()).toEqual([
      'organization.created',
      'organization.changed',
      'visitors.listed',
    ]);
    expect(log.entries.map((entry: any) => entry.actor)).toEqual(log.entries.map(() => actor));
    await own.delete('').expect(204);
    await own.post('/restore', {}).expect(200);
    expect((await history(made.id)).map((entry) => [entry.action, entry.actor])).toEqual(
      ['organization.created', 'organization.deleted', 'organization.restored'].map((action) => [action, actor]),
    );
    await own.get('/audit?actor=opr_').expect(200);
    await own.get('/audit?actor=tok_x').expect(400);
  });

  it('a token is shown once, and only its hash is stored', async () => {
    const { token, ...shown } = await create({ name: 'CI', expiresAt: '2099-01-02T03:04:05.678Z' });
    expect(shown).toEqual({
      id: expect.stringMatching(/^opr_/),
      name: 'CI',
      lastFour: token.slice(-4),
      expiresAt: '2099-01-02T03:04:05.678Z',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUsedAt: null,
    });
    expect((await operators.get(`/${shown.id}`).expect(200)).body).toEqual(shown);
    expect((await operators.get('?limit=50').expect(200)).body.operators).toContainEqual(shown);
    const rows = await parley.query<{ row: string }>('SELECT o::text AS row FROM operators o');
    const entries = await parley.query<{ row: string }>('SELECT e::text AS row FROM installation_entries e');
    expect([...rows, ...entries].filter(({ row }) => row.includes(token))).toEqual([]);
    await organizations(token).get('').expect(200);
    await eventually(
      async () => (await operators.get(`/${shown.id}`)).body.lastUsedAt,
      (at) => at !== null,
    );
    expect(await history(shown.id)).toMatchObject([
      { action: 'operator.created', targetName: 'CI', details: { expiresAt: '2099-01-02T03:04:05.678Z' } },
    ]);
  });

  it('a revoked or expired token is rejected on every node immediately', async () => {
    const [revoked, expired] = [await create(), await create()];
    for (const node of [parley, otherNode]) await organizations(revoked.token, node).get('').expect(200);
    await operators.delete(`/${revoked.id}`).expect(204);
    await parley.query('UPDATE operators SET expires_at = now() WHERE id = $1', [expired.id]);
    for (const node of [parley, otherNode])
      for (const { token } of [revoked, expired]) await organizations(token, node).get('').expect(401);
    await operators.delete(`/${revoked.id}`).expect(404);
    expect((await history(revoked.id)).map(({ action }) => action)).toEqual(['operator.created', 'operator.revoked']);
  });

  it('ADMIN_TOKEN can be rotated, and the tokens of operators stay', async () => {
    const { token } = await create();
    await organizations('rotated-admin-token', otherNode).get('').expect(200);
    await organizations(ADMIN_TOKEN, otherNode).get('').expect(401);
    await organizations(token, otherNode).get('').expect(200);
  });

  it('only ADMIN_TOKEN itself manages operators', async () => {
    const { id, token } = await create();
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    for (const other of [token, ada.token]) {
      const client = new Client(`${parley.url}/api/admin/operators`, other);
      await client.post('', { name: 'Mallory' }).expect(403);
      for (const path of ['', `/${id}`]) await client.get(path).expect(403);
      await client.delete(`/${id}`).expect(403);
    }
    const changed = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x');
    for (const other of [tenant.token, changed, token.replace('prl_opr_', 'prl_pat_'), 'x'])
      await organizations(other).get('').expect(401);
    await new Client(`${parley.url}/api/bot`, token).get('/groups').expect(401);
  });

  it('a bad name or expiry is rejected with the name of the field', async () => {
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ name: 'x', expiresAt: 'soon' }, 'expiresAt'],
    ] as const) {
      const { body: problem } = await operators.post('', body).expect(400);
      expect(JSON.stringify(problem)).toContain(field);
    }
  });

  it('there are at most 100 operators, even when several are created at the same time', async () => {
    const [{ count }] = (await parley.query<{ count: number }>('SELECT count(*)::integer AS count FROM operators')) as [
      { count: number },
    ];
    await parley.query(
      `INSERT INTO operators (id, name, token_hash, last_four, created_at)
       SELECT 'opr_x' || n, 'filler', sha256(n::text::bytea), 'abcd', now() FROM generate_series(1, $1) n`,
      [98 - count],
    );
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await operators.post('', { name: 'last' })).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409]);
    await parley.query(`DELETE FROM operators WHERE id LIKE 'opr\\_x%'`);
  });
});
