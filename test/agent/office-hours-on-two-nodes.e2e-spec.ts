import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const OPEN = {
  timeZone: 'UTC',
  week: Object.fromEntries(DAYS.map((day) => [day, [{ from: '00:00', to: '24:00' }]])),
};

describe('routing by two nodes while a group closes', () => {
  let parley: Parley;
  let other: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    other = await Parley.start({}, parley.databaseUrl);
    tenant = await parley.createTenant();
  });
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });

  it('a chat that waits before the group closes is assigned, and none that comes after it, until the group opens', async () => {
    const body = { name: 'Sales', routing: 'AUTOMATIC', officeHours: OPEN };
    const { id: group } = (await tenant.admin.post('/groups', body).expect(201)).body;
    const agents = [
      await parley.signInAgent(tenant, { groupIds: [group], capacity: 100 }),
      await parley.signInAgent(tenant, { groupIds: [group], capacity: 100 }),
    ];
    await parley.connectAgent(agents[0]!.token);
    await other.connectAgent(agents[1]!.token);
    const transfer = async () => {
      const { id } = (await tenant.admin.post('/chats', {}).expect(201)).body;
      await tenant.bot.post('/transfer', { chatId: id, targetGroupId: group }).expect(200);
      return id as string;
    };
    const owners = async (chats: readonly string[]) => {
      const read = chats.map((id) => tenant.bot.get(`/chats/${id}`).expect(200));
      return (await Promise.all(read)).map(({ body: chat }) => chat.owner as string);
    };
    const isEach = async (chats: readonly string[], wanted: string) =>
      (await owners(chats)).every((owner) => owner === wanted);

    const before = await Promise.all(Array.from({ length: 10 }, transfer));
    await until('the chats are assigned', () => isEach(before, 'AGENT'));

    // The hours end while both nodes route.
    const arriving: Promise<string>[] = [];
    let closedAt = '';
    for (let count = 0; count < 20; count++) {
      arriving.push(transfer());
      if (count !== 10) continue;
      await parley.query(
        `UPDATE groups SET opens_at = now() - interval '1 hour', closes_at = now(),
           reopens_at = '2100-01-01', hours_due_at = NULL WHERE id = $1`,
        [group],
      );
      [{ closedAt }] = (await parley.query('SELECT clock_timestamp()::text AS "closedAt"')) as [{ closedAt: string }];
    }
    const during = await Promise.all(arriving);
    const after = await Promise.all(Array.from({ length: 10 }, transfer));

    // Both nodes have routed since: each assigned a chat to its own agent.
    for (const node of [parley, other]) {
      const { id } = (
        await tenant.admin.post('/groups', { name: `Open ${node.url}`, routing: 'AUTOMATIC' }).expect(201)
      ).body;
      const agent = await parley.signInAgent(tenant, { groupIds: [id] });
      await node.connectAgent(agent.token);
      const chat = (await tenant.admin.post('/chats', {}).expect(201)).body.id;
      await tenant.bot.post('/transfer', { chatId: chat, targetGroupId: id }).expect(200);
      await until('the chat of the open group is assigned', () => isEach([chat], 'AGENT'));
    }
    expect(await owners(after)).toEqual(after.map(() => 'QUEUE'));
    expect(
      await parley.query('SELECT id FROM chats WHERE group_id = $1 AND assigned_at > $2::timestamptz', [
        group,
        closedAt,
      ]),
    ).toEqual([]);

    await parley.query(
      `UPDATE groups SET opens_at = now() - interval '1 second', closes_at = '2100-01-01', hours_due_at = NULL WHERE id = $1`,
      [group],
    );
    await until('every chat is assigned', () => isEach([...before, ...during, ...after], 'AGENT'));
    const rows = await parley.query<{ agent_id: string; count: number }>(
      'SELECT agent_id, count(*)::integer FROM chats WHERE group_id = $1 GROUP BY agent_id ORDER BY 2',
      [group],
    );
    expect(rows.map(({ count }) => count)).toEqual([20, 20]);
  });
});
