import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AgentFeed } from '../../src/live/agent-state/agent-feed.js';
import { AgentViews } from '../../src/live/agent-state/agent-views.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { VisitorFeed } from '../../src/live/feeds/visitor-feed.js';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('a socket that closes while its request reads the database', () => {
  let parley: Parley;
  let tenant: Tenant;
  let groupId: string;
  let ada: SignedInAgent;
  let agent: VisitorSocket;

  beforeAll(async () => {
    parley = await Parley.start();
    // No typing ends by itself while a test runs.
    parley.app.get(Timings).typing = 600_000;
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    groupId = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
    agent = await parley.connectAgent(ada.token);
  });

  /** Runs `meanwhile` while a statement that contains these words waits for a table. */
  const whileLocked = async (table: string, words: string, begin: () => void, meanwhile: () => Promise<void>) => {
    const client = new pg.Client({ connectionString: parley.databaseUrl });
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    begin();
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`;
    await until('the look-up waits', async () => (await parley.query<{ n: number }>(waiting, [words]))[0]!.n > 0);
    await meanwhile();
    await client.query('COMMIT');
    await client.end();
  };

  it("a socket that closes during its typing request doesn't type", async () => {
    const { chatId } = tenant;
    await agent.ask('chat:follow', { chatId });
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await whileLocked(
      'visitors',
      'v.name AS "visitorName"',
      () => visitor.socket.emit('typing', { chatId, isTyping: true }),
      async () => {
        visitor.close();
        await until('the visitor is gone', () => parley.app.get(VisitorFeed).sockets().length === 0);
      },
    );
    await agent.until(() => agent.all('typing').length === 2);
    expect(agent.all('typing').map(({ isTyping }) => isTyping)).toEqual([true, false]);
  });

  it('a socket that closes during its view request watches no view', async () => {
    const gone = await parley.connectAgent(ada.token);
    const view = { view: 'CLOSED', groupId };
    await whileLocked(
      'groups',
      'SELECT FROM groups g',
      () => gone.socket.emit('view:watch', view),
      async () => {
        gone.close();
        await until('the socket is gone', () => parley.app.get(AgentFeed).socketsOfAgent(ada.id).length === 1);
      },
    );
    await agent.ask('view:watch', view);
    await agent.ask('view:watch', { view: null });
    expect([...parley.app.get(AgentViews).watchersOf(tenant.id)]).toEqual([]);
  });
});
