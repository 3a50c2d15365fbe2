import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentLeavingService } from '../../src/handoff/agent-leaving.service.js';
import { idAt } from '../../src/platform/lib/ids.js';
import { BotSilenceService } from '../../src/bot-silence/bot-silence.service.js';
import { FileRemovals } from '../../src/files/removals.service.js';
import { KeyWatch } from '../../src/platform/cluster/key-watch.js';
import { HandoffTimers } from '../../src/handoff/handoff-timers.service.js';
import { stopIndexing } from '../changes/support/indexing.js';
import { Parley, type Tenant } from '../support/parley.js';
import { PlanReader } from '../support/plans.js';

const MANY = 5_000;
/**
 * Rows of a table that a page may read: the rows of 50 chats with five messages each, and the row that shows there are
 * more.
 */
const BOUND = 1_000;

// Old ids, in order.
const id = (prefix: string, number: string) => `'${prefix}_01' || lpad((${number})::text, 24, '0')`;
const nth = (prefix: string, number: number) => `${prefix}_01${String(number).padStart(24, '0')}`;
const series = `generate_series(1, ${MANY}) AS number`;

describe('a list reads the rows of its page, not of the whole organization', () => {
  let parley: Parley;
  let plans: PlanReader;
  let tenant: Tenant;
  let webhook: string;

  beforeAll(async () => {
    parley = await Parley.start();
    // The timers of waiting chats and silent bots, and the search index, aren't part of a page.
    await parley.app.get(HandoffTimers).onModuleDestroy();
    await parley.app.get(BotSilenceService).onModuleDestroy();
    await parley.app.get(FileRemovals).onModuleDestroy();
    await parley.app.get(KeyWatch).beforeApplicationShutdown();
    await stopIndexing(parley);
    tenant = await parley.createTenant();
    plans = await PlanReader.connect(parley.databaseUrl);
    webhook = (await tenant.admin.post('/webhooks', { url: 'https://example.com/', isEnabled: false }).expect(201)).body
      .id;
    await fill();
  });
  afterAll(async () => {
    await plans.close();
    await parley.stop();
  });

  // The planner's statistics know which value is most frequent, and nothing else.
  const fill = async () => {
    const { id: org, botId } = tenant;
    const [group] = await parley.query<{ id: string }>('SELECT id FROM groups WHERE organization_id = $1', [org]);
    const all = [
      `INSERT INTO visitors (organization_id, id, email, external_id, created_at)
       SELECT '${org}', ${id('vis', 'number')}, 'Shared@example.com', 'user-' || number, now() FROM ${series}`,
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
       SELECT '${org}', ${id('cht', 'number')}, ${id('vis', 'number')}, '${group!.id}', 'CLOSED', now(), 6, now() FROM ${series}`,
      `INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, created_at)
       SELECT '${org}', ${id('cht', 'number')}, seq, 'msg_' || number || '_' || seq, 'TEXT', 'hello', 'SYSTEM', now()
       FROM ${series} CROSS JOIN generate_series(1, 6) AS seq`,
      `INSERT INTO groups (organization_id, id, name, created_at)
       SELECT '${org}', ${id('grp', 'number')}, 'Group', now() FROM ${series}`,
      `INSERT INTO agents (organization_id, id, name, email, email_key, created_at)
       SELECT '${org}', ${id('agt', 'number')}, 'Ada', 'a' || number, 'a' || number, now() FROM ${series}`,
      `INSERT INTO agent_groups (organization_id, group_id, agent_id)
       SELECT '${org}', ${id('grp', 'number')}, ${id('agt', 'number')} FROM ${series}`,
      `INSERT INTO bots (organization_id, id, name, created_at)
       SELECT '${org}', ${id('bot', 'number')}, 'Bot', now() FROM ${series}`,
      `INSERT INTO access_tokens (organization_id, id, bot_id, token_hash, last_four, created_at)
       SELECT '${org}', ${id('tok', 'number')}, '${botId}', sha256(number::text::bytea), 'abcd', now() FROM ${series}`,
      `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, outcome, created_at)
       SELECT '${org}', '${webhook}', ${id('dlv', `number + ${MANY}`)}, number, ${id('cht', 'number')}, 'message.created', '{}',
         'dead', now() FROM ${series}`,
      'ANALYZE',
      `UPDATE chats SET status = 'QUEUED' WHERE id IN ('${nth('cht', 1)}', '${nth('cht', 2)}', '${nth('cht', 3)}')`,
      `UPDATE chats SET status = 'ARCHIVED' WHERE id = '${nth('cht', 4)}'`,
      `UPDATE visitors SET email = 'rare@example.com' WHERE id = '${nth('vis', MANY)}'`,
      `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, outcome, due_at, created_at)
       SELECT '${org}', '${webhook}', ${id('dlv', 'number')}, number, ${id('cht', 'number')},
         CASE number % 4 WHEN 0 THEN 'chat.closed' WHEN 1 THEN 'chat.created' ELSE 'message.created' END, '{}',
         CASE WHEN number <= 10 THEN 'delivered' END, CASE WHEN number > 20 THEN now() + interval '1 day' END, now()
       FROM generate_series(1, 30) AS number`,
      `UPDATE webhook_lanes SET leased_until = now() + interval '1 hour', taken_position = 14, taken_at = now()`,
    ];
    for (const statement of all) await parley.query(statement);
  };
  const cursor = (last: string) => `cursor=${Buffer.from(last).toString('base64url')}`;
  const expectFew = async (title: string, ask: () => PromiseLike<{ status: number }>) => {
    const read = await plans.rowsReadBy(async () => expect([title, (await ask()).status]).toEqual([title, 200]));
    expect(Object.keys(read)).not.toEqual([]);
    const many = Object.entries(read).filter(([, rows]) => rows > BOUND);
    expect([title, many]).toEqual([title, []]);
  };

  it('a list of chats reads only its page, for any status and any page', async () => {
    for (const status of ['', 'QUEUED', 'ACTIVE', 'CLOSED', 'ARCHIVED']) {
      for (const page of ['', cursor(nth('cht', MANY / 2)), cursor(nth('cht', 3)), 'limit=1']) {
        const query = [status && `status=${status}`, page].filter(Boolean).join('&');
        await expectFew(`bot ${query}`, () => tenant.bot.get(`/chats?${query}`));
        await expectFew(`admin ${query}`, () => tenant.admin.get(`/chats?${query}`));
      }
    }
    const { body } = await tenant.bot.get('/chats?status=QUEUED').expect(200);
    expect(body.chats.map((chat: { id: string }) => chat.id)).toEqual([3, 2, 1].map((number) => nth('cht', number)));
  });

  it("lists of messages, of a visitor's chats, and of one chat read only their page", async () => {
    const visitor = parley.visitor(tenant.visitorToken);
    await expectFew('one chat', () => tenant.bot.get(`/chats/${nth('cht', 1)}`));
    await expectFew('reads', () => tenant.bot.get(`/chats/${nth('cht', 1)}/read`));
    await expectFew('messages', () => tenant.bot.get(`/chats/${nth('cht', 1)}/messages?afterSeq=3`));
    await expectFew(`a visitor's chats`, () => visitor.get('/chats'));
    await expectFew(`a visitor's messages`, () => visitor.get(`/chats/${tenant.chatId}/messages`));
  });

  it('a list of deliveries reads only its page, for any status, type, and page', async () => {
    for (const status of ['', 'pending', 'in_flight', 'delivered', 'dead']) {
      for (const type of ['', 'message.created', 'chat.created', 'chat.transferred', 'chat.closed']) {
        for (const page of ['', cursor(nth('dlv', MANY)), cursor(nth('dlv', 5))]) {
          const query = [status && `status=${status}`, type && `type=${type}`, page].filter(Boolean).join('&');
          await expectFew(query, () => tenant.admin.get(`/webhooks/${webhook}/deliveries?${query}`));
        }
      }
    }
    await expectFew('one', () => tenant.admin.get(`/webhooks/${webhook}/deliveries/${nth('dlv', 12)}`));
  });

  it('lists of deliveries by status and type are in order', async () => {
    const list = async (query: string) => {
      const { body } = await tenant.admin.get(`/webhooks/${webhook}/deliveries?${query}`).expect(200);
      return body.deliveries.map((delivery: { id: string }) => Number(delivery.id.slice(6)));
    };
    const down = (from: number, to: number, wanted: (number: number) => boolean = () => true) =>
      Array.from({ length: from - to + 1 }, (_, index) => from - index).filter(wanted);
    expect(await list('status=pending')).toEqual(down(30, 15));
    expect(await list('status=in_flight')).toEqual(down(14, 11));
    expect(await list('status=delivered')).toEqual(down(10, 1));
    expect(await list('status=dead')).toEqual(down(2 * MANY, 2 * MANY - 49));
    expect(await list('type=chat.closed')).toEqual(down(30, 1, (number) => number % 4 === 0));
    expect(await list('status=pending&type=chat.created')).toEqual(down(30, 15, (number) => number % 4 === 1));
    expect(await list('status=in_flight&type=chat.closed')).toEqual([12]);
    expect(await list(`limit=3&${cursor(nth('dlv', MANY + 1))}`)).toEqual([30, 29, 28]);
    expect(await list(`status=pending&limit=3&${cursor(nth('dlv', 17))}`)).toEqual([16, 15]);
  });

  it("the admin API's lists read only their page", async () => {
    const lists = {
      groups: ['/groups', 'grp'],
      agents: ['/agents', 'agt'],
      bots: ['/bots', 'bot'],
      tokens: [`/bots/${tenant.botId}/tokens`, 'tok'],
      visitors: ['/visitors', 'vis'],
    } as const;
    for (const [name, [path, prefix]] of Object.entries(lists)) {
      for (const page of ['', cursor(nth(prefix, MANY / 2)), cursor(nth(prefix, MANY - 5)), 'limit=1']) {
        await expectFew(`${name} ${page}`, () => tenant.admin.get(`${path}?${page}`));
      }
      await expectFew(`one of ${name}`, () => tenant.admin.get(`${path}/${nth(prefix, 7)}`));
    }
    await expectFew('webhooks', () => tenant.admin.get('/webhooks'));
    await expectFew('organizations', () => parley.admin.get(''));
    for (const query of [
      'email=shared@example.com',
      'email=RARE@example.com',
      'email=nobody@example.com',
      'externalId=user-7',
      'search=shared',
      'search=SHA&limit=1',
      'search=user-1',
      'search=nobody',
    ]) {
      await expectFew(query, () => tenant.admin.get(`/visitors?${query}`));
    }
    // The last page of emails that begin alike costs no more than the first.
    const after = Buffer.from(`${nth('vis', MANY - 5)}shared@example.com`).toString('base64url');
    await expectFew('last page of search', () => tenant.admin.get(`/visitors?search=shared&cursor=${after}`));
    const { body } = await tenant.admin.get('/visitors?email=RARE@example.com').expect(200);
    expect(body.visitors.map((visitor: { id: string }) => visitor.id)).toEqual([nth('vis', MANY)]);
  });

  it("agents' views read only their page", async () => {
    // In the group that has every chat, and in two that have none.
    const [group] = await parley.query<{ id: string }>('SELECT group_id AS id FROM chats WHERE id = $1', [
      nth('cht', 9),
    ]);
    const groupIds = [group!.id, nth('grp', 1), nth('grp', 2)];
    const ada = await parley.signInAgent(tenant, { groupIds });
    const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    await parley.query(`UPDATE chats SET status = 'ACTIVE' WHERE id > $1`, [nth('cht', MANY / 2)]);
    await parley.query('UPDATE chats SET agent_id = $1 WHERE id BETWEEN $2 AND $3', [
      ada.id,
      nth('cht', MANY - 150),
      nth('cht', MANY),
    ]);
    await parley.query(`UPDATE chats SET queued_at = now() WHERE status = 'QUEUED'`);
    await parley.query(
      `UPDATE chats SET created_at = now() - right(id, 6)::integer * interval '1 minute', last_agent_id = $1,
         last_message_at = now() - right(id, 4)::integer * interval '30 seconds',
         activity_slot = CASE WHEN right(id, 1) < '8' THEN date_bin('10 minutes',
           now() - right(id, 4)::integer * interval '30 seconds', '2000-01-01') END
       WHERE id ~ '^cht_01[0-9]{24}$'`,
      [ada.id],
    );
    await parley.query('VACUUM ANALYZE chats');
    const position = Buffer.from(new Date().toISOString() + nth('cht', MANY - 200)).toString('base64url');
    for (const view of ['MINE', 'WAITING', 'BOT', 'OPEN', 'CLOSED']) {
      for (const page of ['', `&cursor=${position}`, `&groupId=${group!.id}`]) {
        await expectFew(`agent ${view} ${page}`, () => ada.client.get(`/chats?view=${view}${page}`));
      }
    }
    for (const query of [
      `view=OPEN&agentId=${ada.id}`,
      `view=OPEN&agentId=${ada.id}&unanswered=true`,
      `view=CLOSED&agentId=${ada.id}&cursor=${position}`,
      'view=MINE&unanswered=true',
    ]) {
      await expectFew(`agent ${query}`, () => ada.client.get(`/chats?${query}`));
      await expectFew(`supervisor ${query}`, () => sue.client.get(`/chats?${query}`));
    }
    for (const search of ['shared', 'user-1', nth('cht', 9), nth('vis', 9)]) {
      await expectFew(`search ${search}`, () => ada.client.get(`/chats/search?search=${search}`));
    }
    await expectFew("a visitor's chats", () => ada.client.get(`/visitors/${nth('vis', MANY)}/chats`));
    // A supervisor's views read each of the organization's groups; an index covers ended chats of all groups.
    await expectFew('supervisor CLOSED', () => sue.client.get(`/chats?view=CLOSED&cursor=${position}`));
    await expectFew('one chat', () => ada.client.get(`/chats/${nth('cht', MANY)}`));
    await expectFew('messages', () => ada.client.get(`/chats/${nth('cht', MANY)}/messages?beforeSeq=5`));
    await expectFew('notes', () => ada.client.get(`/chats/${nth('cht', MANY)}/notes`));
    await expectFew('colleagues', () => ada.client.get('/agents'));
    await expectFew('offers', () => ada.client.get('/offers'));
    await expectFew('replies', () => ada.client.get('/replies'));
    const read = await plans.rowsReadBy(() => ada.client.get('/chats/counts').expect(200));
    // Three of four are counted, up to 999 each.
    expect(read.chats).toBeLessThan(4_000);
    // The chats that an agent may no longer see are searched among the agent's chats.
    const left = await plans.rowsReadBy(() => parley.app.get(AgentLeavingService).leaveGroups(tenant.id, ada.id));
    expect(left.chats).toBeLessThan(BOUND);
  });

  it('reports read the ratings, messages, and chats of their days, a page at a time', async () => {
    const [group] = await parley.query<{ id: string }>('SELECT group_id AS id FROM chats WHERE id = $1', [
      nth('cht', 9),
    ]);
    const { id: org } = tenant;
    const hours = (number: string) => `timestamptz '2026-01-01' + ${number} * interval '1 hour'`;
    for (const statement of [
      `INSERT INTO ratings (organization_id, chat_id, score, rated_at)
       SELECT '${org}', ${id('cht', 'number')}, 3, ${hours('number')} FROM ${series}`,
      `INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, created_at)
       SELECT '${org}', ${id('cht', 'number')}, 7, 'msg_' || number || '_7', 'TEXT', 'hello', 'AGENT',
         ${id('agt', 'number % 50')}, ${hours('number')} FROM ${series}`,
      `INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, began_at, queued_at, on_unanswered, ended_at, outcome,
         agent_id)
       SELECT '${org}', ${id('hof', 'number')}, ${id('cht', 'number')}, '${group!.id}', 'BOT', ${hours('number')},
         ${hours('number')}, 'KEEP', ${hours('number')}, 'ASSIGNED', ${id('agt', 'number % 50')} FROM ${series}`,
      'VACUUM ANALYZE ratings, messages, handoffs',
    ])
      await parley.query(statement);
    const sue = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    for (const more of ['', `&groupId=${group!.id}`, `&groupId=${nth('grp', 1)}`]) {
      // All 5,000 ratings are in the range of the list, and 240 are in that of the agents.
      await expectFew(`ratings ${more}`, () => sue.client.get(`/reports/ratings?from=2026-01-01&to=2026-12-31${more}`));
      await expectFew(`agents ${more}`, () => sue.client.get(`/reports/agents?from=2026-02-01&to=2026-02-10${more}`));
    }
    // A page of an export.
    const first = idAt('cht', new Date('2026-01-31T12:00:00Z'));
    await parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
       SELECT '${org}', '${first.slice(0, -4)}' || lpad(number::text, 4, '0'), ${id('vis', 'number')}, '${group!.id}', 'CLOSED', now(), 0,
         '2026-01-31T12:00:00Z' FROM generate_series(1, 150) AS number`,
    );
    await parley.query('VACUUM ANALYZE chats');
    await expectFew('export', () => sue.client.get('/reports/chats/export?from=2026-01-31&to=2026-02-01'));
  });
});
