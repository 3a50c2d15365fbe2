import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Parley, type Tenant } from '../support/parley.js';

describe('exactly one default group', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const countDefaults = async (organizationId: string) => {
    const rows = await parley.query('SELECT FROM groups WHERE organization_id = $1 AND is_default', [organizationId]);
    return rows.length;
  };

  it('an organization has exactly one default group while many clients switch it over the API and others read', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 8; count++)
      ids.push((await tenant.admin.post('/groups', { name: `g${count}` }).expect(201)).body.id);
    let isSwitching = true;
    let reads = 0;
    const reader = (async () => {
      for (; isSwitching; reads++) {
        const { body } = await tenant.bot.get('/groups').expect(200);
        expect(body.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
        expect(await countDefaults(tenant.id)).toBe(1);
      }
    })();
    const failed = reader.then(
      () => false,
      () => true,
    );
    const switches = Array.from({ length: 80 }, (_, count) => ids[count % ids.length]);
    const hasFailed = () => Promise.race([failed, Promise.resolve(false)]);
    do {
      const answers = await Promise.all(switches.map((id) => tenant.admin.patch(`/groups/${id}`, { isDefault: true })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    } while (reads <= 5 && !(await hasFailed()));
    isSwitching = false;
    await reader;
  });

  it('an organization has exactly one default group while connections race with direct SQL', async () => {
    const { id } = await parley.createTenant();
    await parley.query(
      `INSERT INTO groups (organization_id, id, name, is_default, created_at) SELECT $1, 'grp_' || n, n, false, now() FROM generate_series(1, 5) n`,
      [id],
    );
    const statements = [
      'UPDATE groups SET is_default = false WHERE organization_id = $1 AND is_default',
      `UPDATE groups SET is_default = true WHERE organization_id = $1 AND id = 'grp_' || (1 + floor(random() * 5))::text`,
      'DELETE FROM groups WHERE organization_id = $1 AND is_default',
      `UPDATE groups SET is_default = NOT is_default WHERE organization_id = $1 AND id = 'grp_1'`,
    ];
    const racers = Array.from({ length: 6 }, async () => {
      const client = new pg.Client(parley.databaseUrl);
      await client.connect();
      for (let round = 0; round < 60; round++) {
        const picked = [...statements].sort(() => Math.random() - 0.5).slice(0, 1 + Math.floor(Math.random() * 2));
        await client.query(Math.random() < 0.3 ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN');
        try {
          for (const statement of picked) await client.query(statement, [id]);
          await client.query('COMMIT');
        } catch {
          await client.query('ROLLBACK');
        }
      }
      await client.end();
    });
    let isRacing = true;
    const reader = (async () => {
      while (isRacing) expect(await countDefaults(id)).toBe(1);
    })();
    await Promise.all(racers);
    isRacing = false;
    await reader;
    expect(await countDefaults(id)).toBe(1);
  });

  it.each([
    ['none is left by an update', 'UPDATE groups SET is_default = false WHERE organization_id = $1'],
    ['none is left by a delete', 'DELETE FROM groups WHERE organization_id = $1'],
    [
      'it moves to another organization',
      `UPDATE groups SET organization_id = (SELECT id FROM organizations WHERE id <> $1 LIMIT 1) WHERE organization_id = $1 AND is_default`,
    ],
    [
      'a second one is made',
      `INSERT INTO groups (organization_id, id, name, is_default, created_at) VALUES ($1, 'grp_two', 'x', true, now())`,
    ],
    [
      'an organization is made without one',
      `INSERT INTO organizations (id, name, widget_key, identity_secret, created_at) SELECT $1 || 'x', 'x', 'x', '', now()`,
    ],
  ])('the database rejects direct SQL when %s', async (_name, statement) => {
    const { id } = await parley.createTenant();
    await parley.query('DELETE FROM chats WHERE organization_id = $1', [id]);
    await expect(parley.query(statement, [id])).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
    expect(await countDefaults(id)).toBe(1);
  });

  it('the database rejects emptying the table of groups', async () => {
    await expect(parley.query('TRUNCATE groups CASCADE')).rejects.toMatchObject({ code: '23514' });
  });
});
