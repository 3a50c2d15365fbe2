import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopIndexing } from '../changes/support/indexing.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { PlanReader } from '../support/plans.js';
import { chatIds, type Page, queryOf, type Search } from './support/searching.js';

const CHATS = 10_000;
const EACH = 3;
/** The most rows that a statement reads of a table, as `reading/search.queries.ts` says. */
const MOST = 20_000;

const id = (prefix: string, number: string) => `'${prefix}_01' || lpad((${number})::text, 24, '0')`;
const nth = (prefix: string, number: number) => `${prefix}_01${String(number).padStart(24, '0')}`;

// One organization has nearly all rows, and another one the rest, so that the planner's guess for an organization is far off.
describe('a search for a common word reads few rows', () => {
  let parley: Parley;
  let plans: PlanReader;
  let tenant: Tenant;
  let sue: SignedInAgent;
  let ada: SignedInAgent;
  let few: string;

  beforeAll(async () => {
    parley = await Parley.start();
    await stopIndexing(parley);
    tenant = await parley.createTenant();
    few = (await tenant.admin.post('/groups', { name: 'Few' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [few] });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    plans = await PlanReader.connect(parley.databaseUrl);
    await fill();
  });
  afterAll(async () => {
    await plans.close();
    await parley.stop();
  });

  // A chat an hour, the newest now. Chat 7 is old, and has what's rare.
  const fill = async () => {
    const org = tenant.id;
    const [group] = await parley.query<{ id: string }>(
      `SELECT id FROM groups WHERE organization_id = $1 AND name <> 'Few'`,
      [org],
    );
    const series = `generate_series(1, ${CHATS}) AS number`;
    const at = `date_trunc('milliseconds', now()) - interval '1 hour' * (${CHATS} - number)`;
    const lexeme = `'~${org.slice(-10)}'`;
    const segment = `floor(extract(epoch FROM ${at}) / 691200)::text`;
    const statements = [
      // The retention of unused visitors reads no chats of kept ones. So nothing but searches reads these chats.
      `INSERT INTO visitors (organization_id, id, created_at, is_kept) SELECT '${org}', ${id('vis', 'number')}, now(), true FROM ${series}`,
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, last_visitor_seq, last_agent_id,
         created_at, last_message_at)
       SELECT '${org}', ${id('cht', 'number')}, ${id('vis', 'number')}, CASE number WHEN 7 THEN '${few}' ELSE '${group!.id}' END, 'CLOSED',
         now(), ${EACH}, ${EACH}, CASE number WHEN 7 THEN '${sue.id}' ELSE '${ada.id}' END, ${at}, ${at} FROM ${series}`,
      `INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, created_at)
       SELECT '${org}', ${id('cht', 'number')}, seq, ${id('msg', `number * 10 + seq`)}, 'TEXT', 'common', 'VISITOR', ${at}
       FROM ${series} CROSS JOIN generate_series(1, ${EACH}) AS seq`,
      `INSERT INTO search_entries (organization_id, id, chat_id, kind, seq, created_at, words)
       SELECT '${org}', ${id('msg', `number * 10 + seq`)}, ${id('cht', 'number')}, 'VISITOR', seq, ${at},
         array_to_tsvector(ARRAY['common', 'common' || number % 100, ${lexeme}, ${lexeme} || '.' || ${segment}])
       FROM ${series} CROSS JOIN generate_series(1, ${EACH}) AS seq`,
      `INSERT INTO search_entries (organization_id, id, chat_id, kind, created_at, words)
       SELECT 'org_' || number, ${id('msg', 'number')}, 'cht', 'VISITOR', now(), 'other' FROM generate_series(1, 500) AS number`,
      'ANALYZE',
    ];
    for (const statement of statements) await parley.query(statement);
    const chat = `/chats/${nth('cht', 7)}`;
    await tenant.bot.post(`${chat}/tags`, { add: ['rare'] }).expect(200);
    await tenant.bot.patch(chat, { attributes: { plan: 'rare' } }).expect(200);
    await parley.query(
      `INSERT INTO attribute_keys (organization_id, key, created_at, ready_at) VALUES ($1, 'plan', now(), now())`,
      [org],
    );
    await parley.query(
      `INSERT INTO attribute_values (organization_id, key, value_hash, subject_id, is_verified)
       VALUES ($1, 'plan', attribute_hash('"rare"'), $2, false)`,
      [org, nth('cht', 7)],
    );
  };

  const find = async (given: Search, agent = sue) => {
    let page: Page | undefined;
    const read = await plans.rowsReadBy(async () => {
      page = (await agent.client.get(queryOf(given)).expect(200)).body as Page;
    });
    return { page: page!, read };
  };

  const hour = (number: number) => new Date(Date.now() - (CHATS - number) * 3_600_000).toISOString();

  it.each([
    ['a rare tag', () => ({ tag: 'rare' })],
    ['a rare attribute', () => ({ 'attr.plan': 'rare' })],
    ['an agent who had one chat', () => ({ agentId: sue.id })],
    ['a group with one chat', () => ({ groupId: few })],
    ['a visitor', () => ({ visitorId: nth('vis', 7) })],
    ['an old day', () => ({ from: hour(6.5), to: hour(7.5) })],
  ] as [string, () => Search][])('with %s', async (_, filter) => {
    const { page, read } = await find({ q: 'common', ...filter() });
    expect([chatIds(page), page.nextCursor]).toEqual([[nth('cht', 7)], null]);
    // The newest rows, twice: to find their end, and the words in them.
    expect(read.search_entries).toBeLessThan(5_000);
    expect(read.chats).toBeLessThan(2_500);
  });

  it('as an agent who sees one chat', async () => {
    const { page, read } = await find({ q: 'common', groupId: few }, ada);
    expect(chatIds(page)).toEqual([nth('cht', 7)]);
    expect(read.search_entries).toBeLessThan(5_000);
  });

  it('a prefix that few rows have is found by the index of words alone', async () => {
    const { page, read } = await find({ q: 'common7', limit: 50 });
    expect(page.results).toHaveLength(50);
    expect(read.search_entries).toBeLessThan(10_000);
  });

  it('with a filter that no index has, and that no chat fits, every statement is bounded, and the walk ends', async () => {
    let [cursor, pages]: [string | null, number] = [null, 0];
    do {
      const { page, read } = await find({ q: 'common', rating: '1', ...(cursor && { cursor }) });
      expect(page.results).toEqual([]);
      // Every row is read once, and the stretches that had too many, once more.
      expect(read.search_entries).toBeLessThan(4 * MOST);
      cursor = page.nextCursor;
    } while (cursor !== null && ++pages < 10);
    expect(cursor).toBeNull();
  });
});
