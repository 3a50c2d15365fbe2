import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AttributeFilling } from '../../src/attributes/attribute-filling.service.js';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { until } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

const DAY = 24 * 60 * 60 * 1000;

describe('attribute keys for filters', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const put = (keys: unknown) => tenant.admin.put('/attribute-keys', { keys });
  const list = async () => (await tenant.admin.get('/attribute-keys').expect(200)).body.keys as object[];
  const ready = (...keys: string[]) => keys.map((key) => ({ key, isReady: true }));
  const setKeys = async (...keys: string[]) => {
    await put(keys).expect(200);
    await until(
      `${keys.join()} are ready`,
      async () => JSON.stringify(await list()) === JSON.stringify(ready(...keys)),
    );
  };
  const set = (path: string, attributes: object) => tenant.bot.patch(path, { attributes }).expect(200);
  // Which subjects have which keys: how many values, and whether a signed identity says so.
  const stored = async () =>
    (
      await parley.query<{ row: string }>(
        `SELECT subject_id || ' ' || key || ' ' || count(*) || ' ' || bool_or(is_verified) AS row FROM attribute_values
        WHERE organization_id = $1 GROUP BY subject_id, key ORDER BY 1`,
        [tenant.id],
      )
    ).map(({ row }) => row);

  it('an administrator sets them, the same key twice counts once, and the log has the change', async () => {
    expect(await list()).toEqual([]);
    await setKeys('a.b-c_D', 'plan');
    const { body } = await put(['plan', 'plan', 'seats']).expect(200);
    expect(body.keys).toMatchObject([{ key: 'plan', isReady: true }, { key: 'seats' }]);
    await put(['seats', 'plan']).expect(200);
    const { body: log } = await tenant.admin.get('/audit?action=organization.changed').expect(200);
    const changes = log.entries.map((entry: { changes: object[] }) => entry.changes[0]);
    expect(changes).toEqual([
      { field: 'attributeKeys', from: ['a.b-c_D', 'plan'], to: ['plan', 'seats'] },
      { field: 'attributeKeys', from: [], to: ['a.b-c_D', 'plan'] },
    ]);
  });

  it('each agent reads them, of its own organization only', async () => {
    await setKeys('plan', 'seats');
    const other = await parley.createTenant();
    const keysOf = async (role: 'AGENT' | 'SUPERVISOR', of: Tenant) => {
      const { client } = await parley.signInAgent(of, { role });
      return (await client.get('/attribute-keys').expect(200)).body;
    };
    expect(await keysOf('AGENT', tenant)).toEqual({ keys: ready('plan', 'seats') });
    expect(await keysOf('SUPERVISOR', other)).toEqual({ keys: [] });
  });

  it('more than 20, and what is no key, are 400', async () => {
    const many = Array.from({ length: 21 }, (_, at) => `key${at}`);
    for (const keys of [undefined, null, 'plan', {}, many, ['a b'], [''], [1], ['x'.repeat(65)]]) {
      const { body } = await put(keys).expect(400);
      expect(body.errors[0].pointer).toMatch(/^\/keys/);
    }
    await put([...many.slice(1), ...many.slice(1)]).expect(200);
    await put([]).expect(200);
  });

  it('what chats and visitors have is stored when the key comes, and when it changes', async () => {
    const { chatId, visitorId } = tenant;
    await set(`/chats/${chatId}`, { plan: 'gold', other: 1 });
    await set(`/visitors/${visitorId}`, { plan: 'gold', seats: 5 });
    expect(await stored()).toEqual([]);
    await setKeys('plan', 'seats');
    // Each value, and that there's one.
    expect(await stored()).toEqual([
      `${chatId} plan 2 false`,
      `${visitorId} plan 2 false`,
      `${visitorId} seats 2 false`,
    ]);
    await set(`/chats/${chatId}`, { plan: null, seats: false });
    expect(await stored()).toEqual([
      `${chatId} seats 2 false`,
      `${visitorId} plan 2 false`,
      `${visitorId} seats 2 false`,
    ]);
    await setKeys('plan');
    await until('the values are removed', async () => (await stored()).length === 1);
    expect(await stored()).toEqual([`${visitorId} plan 2 false`]);
    await setKeys('plan', 'seats');
    expect(await stored()).toEqual([
      `${chatId} seats 2 false`,
      `${visitorId} plan 2 false`,
      `${visitorId} seats 2 false`,
    ]);
  });

  it('a chat that a transaction added before the key is found after its commit', async () => {
    const client = await parley.database.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at, metadata)
      SELECT c.organization_id, 'cht_late', c.visitor_id, c.group_id, 'CLOSED', now(), now(), '{"plan":"gold"}'
      FROM chats c WHERE c.organization_id = $1 AND c.id = $2`,
      [tenant.id, tenant.chatId],
    );
    await put(['plan']).expect(200);
    expect(await list()).toEqual([{ key: 'plan', isReady: false }]);
    await client.query('COMMIT');
    client.release();
    await parley.app.get(AttributeFilling).run();
    expect(await list()).toEqual(ready('plan'));
    expect(await stored()).toEqual(['cht_late plan 2 false']);
  });

  it('two nodes fill it at the same time, over several batches', async () => {
    await parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at, metadata)
      SELECT c.organization_id, 'cht_' || lpad(n::text, 26, '0'), c.visitor_id, c.group_id, 'CLOSED', now(), now(), '{"plan":[1],"seats":5}'
      FROM chats c CROSS JOIN generate_series(1, 450) AS n WHERE c.organization_id = $1 AND c.id = $2`,
      [tenant.id, tenant.chatId],
    );
    const other = await Parley.start({}, parley.databaseUrl);
    try {
      await put(['plan', 'seats']).expect(200);
      await Promise.all([parley, other].map(({ app }) => app.get(AttributeFilling).run()));
    } finally {
      await other.stop();
    }
    expect(await list()).toEqual(ready('plan', 'seats'));
    const [count] = await parley.query<{ number: number }>(
      'SELECT count(*)::integer AS number FROM attribute_values WHERE organization_id = $1',
      [tenant.id],
    );
    expect(count!.number).toBe(2 * 450);
  });

  it('erasing, retention, and deleting the organization remove the values', async () => {
    await setKeys('plan');
    const identity = await signIdentity(tenant, { sub: 'vera', attributes: { plan: 'gold' } });
    const { body } = await parley.beginSession(tenant, { identity }).expect(201);
    const vera = body.visitor.id as string;
    const { body: opened } = await parley.visitor(body.token).post('/chats', {}).expect(201);
    await set(`/chats/${opened.chat.id}`, { plan: 'gold' });
    await set(`/chats/${tenant.chatId}`, { plan: 'gold' });
    await set(`/visitors/${tenant.visitorId}`, { plan: 'gold' });
    expect(await stored()).toHaveLength(4);
    expect(await stored()).toContain(`${vera} plan 2 true`);
    expect([202, 204]).toContain((await tenant.admin.delete(`/visitors/${vera}`)).status);
    await parley.untilRow(`SELECT FROM audit_entries WHERE action = 'visitor.erased' AND target = '${vera}'`);
    expect(await stored()).toEqual([`${tenant.chatId} plan 2 false`, `${tenant.visitorId} plan 2 false`]);
    await parley.admin.patch(`/${tenant.id}`, { retentionDays: 30 }).expect(200);
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 31 * DAY));
    expect(await stored()).toEqual([]);
  });
});
