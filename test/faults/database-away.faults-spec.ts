import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ThisNode } from '../../src/platform/cluster/this-node.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, PRODUCT_TIME_LIMITS, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Road } from '../support/road.js';
import type { VisitorSocket } from '../support/visitor.js';
import { defaultGroupOf } from '../support/tenant.js';

/** Milliseconds: a node is settled 15 s after its start, and counts as dead 15 s after its last heartbeat. */
const PATIENCE = 60_000;

describe('agents during a database outage', () => {
  let made: TestDatabase;
  let database: pg.Pool;
  let road: Road;
  let parley: Parley;
  let tenant: Tenant;
  let group: string;

  beforeAll(async () => {
    made = await createDatabase();
    database = new pg.Pool({ connectionString: made.url });
    const over = await Road.toDatabase(made.url);
    road = over.road;
    parley = await Parley.start({}, over.url, PRODUCT_TIME_LIMITS);
    // The test's own pool loses its connections too.
    parley.database.on('error', () => undefined);
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
  });
  afterAll(async () => {
    await parley.stop();
    await road.close();
    await database.end();
    await made.drop();
  });

  const agent = (name: string, more: object = {}) => parley.signInAgent(tenant, { name, groupIds: [group], ...more });
  const open = async ({ id }: SignedInAgent) =>
    (await database.query('SELECT FROM agent_connections WHERE agent_id = $1 AND closed_at IS NULL', [id])).rows;
  const presence = async ({ client }: SignedInAgent): Promise<string> =>
    (await client.get('/session').expect(200)).body.agent.presence;
  const newChat = async (): Promise<string> => (await tenant.admin.post('/chats', {}).expect(201)).body.id;
  const becomesUnanswered = async (chatId: string) => {
    await database.query('UPDATE handoffs SET due_at = now() WHERE chat_id = $1', [chatId]);
    await eventually(
      async () =>
        (await database.query('SELECT FROM handoffs WHERE chat_id = $1 AND unanswered_at IS NOT NULL', [chatId])).rows,
      ({ length }) => length > 0,
    );
  };
  const chat = async (id: string) => (await tenant.bot.get(`/chats/${id}`).expect(200)).body;
  const gone = (watcher: VisitorSocket) => watcher.all('presence').filter((seen) => seen.presence === 'OFFLINE');

  it(
    'agents keep chats, offers, and presence through an outage of any length if their sockets stay open',
    async () => {
      const { body: other } = await tenant.admin
        .post('/groups', { name: 'Offers', routing: 'OFFER', offerSeconds: 600 })
        .expect(201);
      await tenant.admin.patch(`/groups/${group}`, { offlineReassignSeconds: 1 }).expect(200);
      const [ada, ben] = [await agent('Ada'), await agent('Ben', { groupIds: [other.id] })];
      const watcher = await parley.connectAgent((await agent('Cleo')).token);
      const sockets = [watcher, await parley.connectAgent(ada.token), await parley.connectAgent(ben.token)];
      await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
      await tenant.bot.post('/transfer', { chatId: await newChat(), targetGroupId: other.id }).expect(200);
      const [offer] = await eventually(
        async () => (await ben.client.get('/offers').expect(200)).body.offers,
        ({ length }) => length > 0,
      );
      const waiting = [await newChat(), await newChat()];
      for (const chatId of waiting) await tenant.bot.post('/transfer', { chatId }).expect(200);
      await until('the node is settled', () => parley.app.get(ThisNode).isSettled(), PATIENCE);
      road.cut();
      const isSilent = async () => {
        const { rows } = await database.query(
          `SELECT bool_and(seen_at < now() - interval '16 s') AS is_silent FROM nodes`,
        );
        return rows[0].is_silent === true;
      };
      await until('the node is silent for other nodes', isSilent, PATIENCE);
      // No heartbeat comes before two runs of the time-outs were seen, so one run has done everything.
      const blocker = await database.connect();
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM nodes FOR UPDATE');
      road.isCut = false;
      for (const id of waiting) await becomesUnanswered(id);
      await blocker.query('COMMIT');
      blocker.release();
      await until('the node is seen again', async () => !(await isSilent()), PATIENCE);
      expect((await chat(tenant.chatId)).assignedTo).toMatchObject({ id: ada.id });
      expect((await ben.client.get('/offers').expect(200)).body.offers).toMatchObject([{ id: offer.id }]);
      expect(gone(watcher)).toEqual([]);
      expect(sockets.every(({ socket }) => socket.connected)).toBe(true);
      expect(await Promise.all([ada, ben].map(presence))).toEqual(['ONLINE', 'ONLINE']);
    },
    2 * PATIENCE,
  );

  it("an agent is absent when their socket closed during the outage and its end couldn't be written", async () => {
    const ada = await agent('Ada');
    const socket = await parley.connectAgent(ada.token);
    await database.query(`
      CREATE SEQUENCE refusals;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM nextval('refusals'); RAISE EXCEPTION 'read-only for a moment'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON agent_connections FOR EACH ROW EXECUTE FUNCTION refuse()`);
    socket.close();
    await eventually(
      async () => (await database.query('SELECT FROM refusals WHERE is_called')).rows,
      ({ length }) => length > 0,
    );
    await database.query('DROP TRIGGER refuse ON agent_connections');
    await eventually(
      () => open(ada),
      ({ length }) => length === 0,
    );
  });
});
