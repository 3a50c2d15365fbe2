import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually, until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

const ROUNDS = 15;
const AT_ONCE = 4;

describe('requests that lock the same rows', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  /** How many deadlocks PostgreSQL has ended. A request in a deadlock is retried, so its response doesn't show it. */
  const deadlocks = async () => {
    const [row] = await parley.query<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row!.deadlocks);
  };
  const times = <T>(work: () => PromiseLike<T>) => Promise.all(Array.from({ length: AT_ONCE }, work));

  it("deleting a bot while its clients poll doesn't deadlock", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { body: bot } = await tenant.admin.post('/bots', { name: 'Bot' }).expect(201);
      const { body: token } = await tenant.admin.post(`/bots/${bot.id}/tokens`, {}).expect(201);
      const client = parley.bot(token.token);
      await client.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
      const statuses = new Set<number>();
      const poll = async () => {
        while (!statuses.has(401)) {
          await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'a' }).expect(200);
          statuses.add((await client.get('/events?wait=0')).status);
        }
      };
      const clients = times(poll);
      await until('a client has polled', () => statuses.size > 0);
      await tenant.admin.delete(`/bots/${bot.id}`).expect(204);
      await clients;
      expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    }
    expect(await deadlocks()).toBe(0);
  });

  it("deleting a bot while its second client's poll moves a response doesn't deadlock", async () => {
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'a' }).expect(200);
    await tenant.bot.get('/events?wait=0').expect(200);
    await parley.query(`
      CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
      CREATE TRIGGER pause BEFORE INSERT ON subscription_answers FOR EACH ROW EXECUTE FUNCTION pause()`);
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    const waiting = async (condition: string) => {
      const isHere = `datname = current_database() AND wait_event_type = 'Lock'`;
      return (await holder.query(`SELECT FROM pg_stat_activity WHERE ${isHere} AND ${condition}`)).rowCount === 1;
    };
    const second = tenant.bot.get('/events?wait=0').then(({ status }) => status);
    await until('the call waits', () => waiting(`wait_event = 'advisory'`));
    const removed = tenant.admin.delete(`/bots/${tenant.botId}`).then(({ status }) => status);
    await until('the removal waits for it', () => waiting(`wait_event <> 'advisory'`));
    await holder.end();
    expect(await Promise.all([second, removed])).toEqual([200, 204]);
    await parley.query('DROP TRIGGER pause ON subscription_answers');
    expect(await deadlocks()).toBe(0);
  });

  it("deleting a group while an agent who is offered its chat joins it doesn't deadlock", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { body: group } = await tenant.admin.post('/groups', { name: 'Sales', routing: 'OFFER' }).expect(201);
      const ada = await parley.signInAgent(tenant, { groupIds: [group.id] });
      const socket = await parley.connectAgent(ada.token);
      const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
      await tenant.bot.post('/transfer', { chatId: chat.id, targetGroupId: group.id }).expect(200);
      await eventually(
        () => offersOf(ada),
        ({ length }) => length === 1,
      );
      const joins = times(() => tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [group.id] }));
      await tenant.admin.delete(`/groups/${group.id}`).expect(204);
      for (const { status } of await joins) expect([200, 400]).toContain(status);
      socket.close();
    }
    expect(await deadlocks()).toBe(0);
  });

  it('a chat that is queued while its group is being deleted waits in the default group, with its hand-off', async () => {
    const { body: group } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const { body: chat } = await tenant.admin.post('/chats', { groupId: group.id }).expect(201);
    const ada = await parley.signInAgent(tenant, { groupIds: [group.id] });
    await ada.client.post(`/chats/${chat.id}/claim`).expect(200);
    await parley.query(`
      CREATE FUNCTION pause_handoff() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(2); RETURN NEW; END $$;
      CREATE TRIGGER pause_handoff BEFORE INSERT ON handoffs FOR EACH ROW EXECUTE FUNCTION pause_handoff()`);
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(2)');
    const waiting = async (condition: string) => {
      const isHere = `datname = current_database() AND wait_event_type = 'Lock'`;
      return (await holder.query(`SELECT FROM pg_stat_activity WHERE ${isHere} AND ${condition}`)).rowCount === 1;
    };
    const released = tenant.admin.patch(`/chats/${chat.id}`, { status: 'QUEUED' }).then(({ status }) => status);
    await until('the change waits', () => waiting(`wait_event = 'advisory'`));
    const removed = tenant.admin.delete(`/groups/${group.id}`).then(({ status }) => status);
    await until('the removal waits for it', () => waiting(`query ~ 'UPDATE chats' AND wait_event <> 'advisory'`));
    await holder.end();
    expect(await Promise.all([released, removed])).toEqual([200, 204]);
    await parley.query('DROP TRIGGER pause_handoff ON handoffs');
    expect((await tenant.bot.get(`/chats/${chat.id}`).expect(200)).body).toMatchObject({
      owner: 'QUEUE',
      group: { name: 'General' },
    });
    const rows = await parley.query('SELECT group_id = $1 AS "isOld" FROM handoffs WHERE chat_id = $2', [
      group.id,
      chat.id,
    ]);
    expect(rows).toEqual([{ isOld: false }]);
  });

  const offersOf = async ({ client }: SignedInAgent) =>
    (await client.get('/offers').expect(200)).body.offers as object[];
});
