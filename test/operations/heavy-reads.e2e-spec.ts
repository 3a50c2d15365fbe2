import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';

const REPORTS = 40;
/** A quarter of the connections. */
const TURNS = 2;
const RANGE = 'from=2026-03-01&to=2026-03-31';

describe('reports, searches, and exports', () => {
  let parley: Parley;
  let greedy: SignedInAgent;
  let other: Tenant;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start({ DATABASE_POOL_SIZE: String(4 * TURNS) });
    greedy = await parley.signInAgent(await parley.createTenant(), { role: 'ADMIN' });
    other = await parley.createTenant();
    ada = await parley.signInAgent(other, { role: 'ADMIN' });
  });
  afterAll(() => parley.stop());

  const depth = async () => (await Scrape.of(parley.url)).value('parley_queue_depth', { queue: 'heavy_read' });
  const countWaiting = async () => {
    const [row] = await parley.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
    );
    return row!.count;
  };

  it("one organization's reports take a quarter of the connections, and others take turns with them", async () => {
    const holder = await parley.database.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE ratings IN ACCESS EXCLUSIVE MODE');
    const order: string[] = [];
    const read = async (agent: SignedInAgent, path: string, name: string) => {
      await agent.client.get(path).expect(200);
      order.push(name);
    };
    const reading = Array.from({ length: REPORTS }, () => read(greedy, `/reports?${RANGE}`, 'greedy'));
    await eventually(depth, (count) => count === REPORTS);
    await eventually(countWaiting, (count) => count === TURNS);

    await other.bot.post('/messages', { chatId: other.chatId, content: 'not slowed' }).expect(200);
    await other.bot.get('/groups').expect(200);
    const paths = [`/reports?${RANGE}`, `/reports/agents?${RANGE}`, '/chats/search?search=vera'];
    const mine = paths.map((path) => read(ada, path, 'other'));
    await eventually(depth, (count) => count === REPORTS + mine.length);
    expect(await countWaiting()).toBe(TURNS);
    await holder.query('COMMIT');
    holder.release();
    await Promise.all([...reading, ...mine]);
    expect(order.lastIndexOf('other')).toBeLessThan(REPORTS / 2);
    await eventually(depth, (count) => count === 0);
  });

  it('a reader of an export holds no turn between its pages', async () => {
    const { text } = await ada.client.get(`/reports/chats/export?${RANGE}`).expect(200);
    expect(text).toContain('"id","createdAt"');
    const exported = await other.admin.get(`/visitors/${other.visitorId}/export`).expect(200);
    expect(exported.body).toMatchObject({ visitor: { id: other.visitorId }, chats: [{ id: other.chatId }] });
    await other.admin.get('/audit/export').expect(200);
    await eventually(depth, (count) => count === 0);
  });
});
