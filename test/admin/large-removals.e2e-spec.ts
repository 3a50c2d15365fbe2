import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, PRODUCT_TIME_LIMITS, type Tenant } from '../support/parley.js';

/** Each tenth dependent row takes 20 ms. All of them take longer than a statement's time limit, and a batch of 500 far less. */
const COUNT = 2_500;
const STATEMENT_TIMEOUT = 4_500;

describe('large deletions', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({}, undefined, { ...PRODUCT_TIME_LIMITS, statement: STATEMENT_TIMEOUT });
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const takeTime = (when: 'BEFORE UPDATE OF group_id ON chats' | 'BEFORE DELETE ON chat_offers') =>
    parley.query(`
      CREATE OR REPLACE FUNCTION take_time() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF to_jsonb(coalesce(NEW, OLD)) ->> 'id' LIKE '%0' THEN PERFORM pg_sleep(0.02); END IF; RETURN coalesce(NEW, OLD); END $$;
      CREATE TRIGGER take_time ${when} FOR EACH ROW EXECUTE FUNCTION take_time()`);

  it('a group with any number of chats can be deleted, and its chats wait for nothing while that runs', async () => {
    const { body: group } = await tenant.admin.post('/groups', { name: 'Old' }).expect(201);
    await parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at)
       SELECT $1, 'cht_' || lpad(n::text, 26, '0'), $2, $3, 'CLOSED', now(), now() FROM generate_series(1, $4::integer) n`,
      [tenant.id, tenant.visitorId, group.id, COUNT],
    );
    const { body: active } = await tenant.admin.post('/chats', { groupId: group.id }).expect(201);
    await takeTime('BEFORE UPDATE OF group_id ON chats');
    await tenant.admin.delete(`/groups/${group.id}`).expect(204);
    const [left] = await parley.query('SELECT count(*) FROM chats WHERE group_id = $1', [group.id]);
    expect(left).toEqual({ count: '0' });
    const { body } = await tenant.admin.get(`/chats/${active.id}`).expect(200);
    expect(body).toMatchObject({ status: 'ACTIVE', group: { name: 'General' } });
  });

  it('an agent with any number of offers can be deleted', async () => {
    const { body: agent } = await tenant.admin.post('/agents', { name: 'Old', email: 'old@example.com' }).expect(201);
    await parley.query(
      `INSERT INTO chat_offers (organization_id, id, chat_id, handoff_id, agent_id, created_at, expires_at, ended_at, reason)
       SELECT $1, 'ofr_' || lpad(n::text, 26, '0'), $2, 'hnd', $3, now(), now(), now(), 'EXPIRED'
       FROM generate_series(1, $4::integer) n`,
      [tenant.id, tenant.chatId, agent.id, COUNT],
    );
    await takeTime('BEFORE DELETE ON chat_offers');
    await tenant.admin.delete(`/agents/${agent.id}`).expect(204);
    expect(await parley.query('SELECT FROM chat_offers WHERE agent_id = $1', [agent.id])).toEqual([]);
  });
});
