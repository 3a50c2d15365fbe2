import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { eventually, until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('first come, first served', () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
    await setGroup({ routing: 'AUTOMATIC' });
  });
  afterEach(() => parley.query('DROP TRIGGER IF EXISTS refuse ON handoffs'));

  const setGroup = (body: object) => tenant.admin.patch(`/groups/${group}`, body).expect(200);
  const online = async (fields: object = {}): Promise<SignedInAgent> => {
    const agent = await parley.signInAgent(tenant, { groupIds: [group], capacity: 1, ...fields });
    await parley.connectAgent(agent.token);
    return agent;
  };
  /** Chats that wait, the longest wait first. */
  const queue = async (count: number): Promise<string[]> => {
    const chats: string[] = [];
    for (let place = 0; place < count; place++) {
      const { body } = await tenant.admin.post('/chats', {}).expect(201);
      await tenant.bot.post('/transfer', { chatId: body.id }).expect(200);
      chats.push(body.id);
    }
    return chats;
  };
  const owner = async (id: string): Promise<string> => {
    const { assignedTo, owner: kind } = (await tenant.bot.get(`/chats/${id}`).expect(200)).body;
    return assignedTo?.id ?? kind;
  };
  /** The chat that an agent with capacity for one gets. */
  const assigned = async ({ id }: SignedInAgent): Promise<string> => {
    const look = () => parley.query<{ id: string }>('SELECT id FROM chats WHERE agent_id = $1', [id]);
    return (await eventually(look, ({ length }) => length > 0))[0]!.id;
  };

  it('an agent who closes each chat immediately gets the chats in the order of their wait', async () => {
    const ada = await online();
    for (let round = 0; round < 5; round++) {
      await ada.client.put('/presence', { isAccepting: false }).expect(200);
      const chats = await queue(3);
      await ada.client.put('/presence', { isAccepting: true }).expect(200);
      const taken: string[] = [];
      while (taken.length < chats.length) {
        taken.push(await assigned(ada));
        await ada.client.post(`/chats/${taken.at(-1)}/close`, {}).expect(200);
      }
      expect(taken).toEqual(chats);
    }
  });

  it('a chat that another node locked for a moment is still the next one', async () => {
    const [oldest, second] = (await queue(2)) as [string, string];
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM chats WHERE id = $1 FOR UPDATE', [oldest]);
    const ada = await online();
    const waits = () =>
      parley.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'chats'`,
      );
    try {
      await until('routing waits for the chat', async () => {
        expect(await owner(second)).toBe('QUEUE');
        return (await waits()).length > 0;
      });
    } finally {
      await holder.query('COMMIT');
      await holder.end();
    }
    await until('the oldest is assigned', async () => (await owner(oldest)) === ada.id);
    expect(await owner(second)).toBe('QUEUE');
  });

  it('an agent who gets room while a younger chat is being routed gets the older chat', async () => {
    const other = (await tenant.admin.post('/groups', { name: 'Other', routing: 'AUTOMATIC' }).expect(201)).body.id;
    const queueIn = async (targetGroupId: string): Promise<string> => {
      const { body } = await tenant.admin.post('/chats', {}).expect(201);
      await tenant.bot.post('/transfer', { chatId: body.id, targetGroupId }).expect(200);
      return body.id;
    };
    const ada = await online({ groupIds: [group, other] });
    const first = await queueIn(group);
    await until('Ada is full', async () => (await owner(first)) === ada.id);
    const ben = await online({ groupIds: [other], capacity: 2 });
    const second = await queueIn(other);
    await until('Ben has room for one more', async () => (await owner(second)) === ben.id);
    const older = await queueIn(group);

    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isPicking!: () => void;
    const picking = new Promise<void>((resolve) => (isPicking = resolve));
    const { query } = pg.Client.prototype as unknown as {
      query: (this: pg.Client, ...asked: unknown[]) => Promise<unknown>;
    };
    const held = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
      this: pg.Client,
      ...asked: unknown[]
    ) {
      if ((asked[0] as { name?: string }).name !== 'routing-pick-agent') return query.apply(this, asked);
      isPicking();
      await released;
      return query.apply(this, asked);
    } as never);
    try {
      const younger = await queueIn(other);
      await picking;
      await ada.client.post(`/chats/${first}/close`, {}).expect(200);
      release();
      await until('Ada has the older chat', async () => (await owner(older)) === ada.id);
      await until('Ben has the younger chat', async () => (await owner(younger)) === ben.id);
    } finally {
      release();
      held.mockRestore();
    }
  });

  it("a chat isn't assigned to the agent who has just released it", async () => {
    const [oldest] = (await queue(1)) as [string];
    const ada = await online();
    await until('Ada has it', async () => (await owner(oldest)) === ada.id);
    const [second] = (await queue(1)) as [string];
    await ada.client.post(`/chats/${oldest}/release`, {}).expect(200);
    await until('Ada has the second', async () => (await owner(second)) === ada.id);
    expect(await owner(oldest)).toBe('QUEUE');
    const ben = await online();
    await until('Ben has the first', async () => (await owner(oldest)) === ben.id);
  });

  // An error of the function, of the client's values, of a constraint, and a recurring deadlock.
  it.each(['P0001', '22021', '23505', '40P01'])(
    'a chat whose routing fails three times in a row with %s is skipped',
    async (code) => {
      const [broken, second] = (await queue(2)) as [string, string];
      await parley.query(`
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION USING ERRCODE = '${code}', MESSAGE = 'broken'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON handoffs FOR EACH ROW WHEN (OLD.chat_id = '${broken}') EXECUTE FUNCTION refuse()`);
      const ada = await online();
      await until('the second is assigned', async () => (await owner(second)) === ada.id);
      expect(await owner(broken)).toBe('QUEUE');
    },
  );
});
