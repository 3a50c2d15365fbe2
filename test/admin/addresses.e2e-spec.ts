import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressRemoval } from '../../src/auth/audit/address-removal.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

describe("clients' addresses", () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  const addresses = async ({ admin }: Tenant): Promise<(string | null)[]> => {
    const { body } = await admin.get('/audit').expect(200);
    return body.entries.map(({ sourceAddress }: { sourceAddress: string | null }) => sourceAddress);
  };
  const failToSignIn = async (tenant: Tenant) => {
    const { id } = await parley.signInAgent(tenant);
    const { body } = await tenant.admin.get(`/agents/${id}`).expect(200);
    const attempt = { email: body.email, password: 'wrong wrong wrong', mode: 'token' };
    await parley.agent().post('/session', attempt).expect(401);
  };

  it('an organization can turn off that addresses are stored, which removes the stored ones', async () => {
    const [tenant, other] = [await parley.createTenant(), await parley.createTenant()];
    for (const each of [tenant, other]) await failToSignIn(each);
    expect(new Set(await addresses(tenant))).toEqual(new Set(['127.0.0.1']));
    const { body } = await tenant.admin.patch('', { storeAddresses: false }).expect(200);
    expect(body.storeAddresses).toBe(false);
    await eventually(
      () => addresses(tenant),
      (all) => all.every((address) => address === null),
    );
    const before = (await addresses(tenant)).length;
    await failToSignIn(tenant);
    await tenant.admin.patch('/widget', { sound: false }).expect(200);
    const after = await addresses(tenant);
    expect(after.length).toBeGreaterThan(before + 3);
    expect(new Set(after)).toEqual(new Set([null]));
    expect(new Set(await addresses(other))).toEqual(new Set(['127.0.0.1']));

    // What a node of the previous release still wrote is removed by a later pass, in any number.
    await parley.query(
      `INSERT INTO audit_entries (organization_id, id, at, actor_type, action, source_address)
       SELECT $1, 'aud_' || n, now(), 'SYSTEM', 'group.created', '192.0.2.1' FROM generate_series(1, 2500) n`,
      [tenant.id],
    );
    await parley.app.get(AddressRemoval).run();
    const left = `SELECT FROM audit_entries WHERE organization_id = $1 AND source_address IS NOT NULL`;
    expect(await parley.query(left, [tenant.id])).toEqual([]);
    expect(await parley.query(left, [other.id])).not.toEqual([]);

    await parley.query(`DELETE FROM audit_entries WHERE organization_id = $1 AND actor_type = 'SYSTEM'`, [tenant.id]);
    await tenant.admin.patch('', { storeAddresses: true }).expect(200);
    expect((await addresses(tenant))[0]).toBe('127.0.0.1');
  });

  it('no table has the address of a visitor or an administrator once the organization stores none', async () => {
    const forwarded = '198.51.100.77';
    const proxied = await Parley.start({ TRUST_PROXY: '1', LOG_LEVEL: 'debug' });
    try {
      const tenant = await proxied.createTenant();
      await tenant.admin.patch('', { storeAddresses: false }).expect(200);
      const headers = { 'X-Forwarded-For': forwarded };
      const { body: session } = await proxied.beginSession(tenant).set(headers).expect(201);
      const visitor = proxied.visitor(session.token);
      const { body: opened } = await visitor.post('/chats', {}).set(headers).expect(201);
      await visitor.post(`/chats/${opened.chat.id}/messages`, { content: 'Hi' }).set(headers).expect(201);
      await tenant.admin.post('/groups', { name: 'Sales' }).set(headers).expect(201);
      const tables: { name: string }[] = await proxied.query(
        `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = current_schema()`,
      );
      for (const { name } of tables) {
        const found = await proxied.query(`SELECT FROM ${name} t WHERE to_jsonb(t)::text LIKE $1`, [`%${forwarded}%`]);
        expect([name, found.length]).toEqual([name, 0]);
      }
    } finally {
      await proxied.stop();
    }
  });
});
