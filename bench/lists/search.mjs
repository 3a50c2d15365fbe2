import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../agents/prepare.mjs';
import { limit } from '../figures/limits.mjs';
import { adminOf, runParley, TEMPLATE } from '../setup/parley.mjs';
import { timeAll } from './asking.mjs';

/** The limit of the 95th percentile, in milliseconds. */
const BOUND = 30;
/** The messages of a chat. */
const EACH = 10;
/** How many words there are. The first ones are common. */
const WORDS = 20_000;
const PHRASE = 'purple elephant';

// As long as real ids.
const id = (prefix, number) => `'${prefix}_01' || lpad((${number})::text, 24, '0')`;
// A chat every ten minutes, the newest a moment ago.
const at = (number, chats) => `now() - (${chats} - ${number}) * interval '10 minutes'`;
// 12 words, the common ones more often.
const text = `(SELECT string_agg('word' || to_hex((power(random(), 4) * ${WORDS})::integer), ' ') FROM generate_series(1, 12) WHERE n = n)`;

/** Searches in an organization with many messages, one after the other, against a limit. */
export async function measureSearch(bench) {
  const [tenant] = bench.tenants;
  const databaseUrl = await bench.postgres.createDatabase('search', TEMPLATE);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { agentId, seldomId } = await fill(client, bench.search, tenant);
  const parley = await runParley(bench, databaseUrl);
  const begin = performance.now();
  // The service has indexed the template before, and triggers didn't record what was filled in.
  await adminOf(parley)(`/${tenant.organizationId}/search/rebuild`, {});
  await indexed(client, tenant.organizationId);
  const { chats } = bench.search;
  console.log(`indexed ${chats * EACH} messages in ${Math.round((performance.now() - begin) / 1_000)} s`);
  const token = await signIn(parley, tenant.organizationId, agentId);
  const seldom = await signIn(parley, tenant.organizationId, seldomId);
  const results = await timeAll(parley, new Map(searches(token, seldom)), 100);
  const size = await sizeOf(client);
  await client.end();
  await parley.stop();
  return [
    ...results.map(({ title, p95 }) => limit({ measure: `search: ${title}`, unit: 'ms', values: [p95], below: BOUND })),
    limit({ measure: 'the index, as a share of the messages', unit: '', values: [size] }),
  ];
}

function searches(token, seldom) {
  const path = (query) => `/api/agent/search?${new URLSearchParams(query)}`;
  const search = (title, query, as = token) => [title, [as, path(query), undefined, BOUND]];
  return [
    search('a rare word', { q: '"rareword"' }),
    search('a word of every tenth message', { q: '"commonword"' }),
    search('a prefix of two letters', { q: 'wo' }),
    search('a rare prefix', { q: 'rarew' }),
    search('a phrase', { q: `"${PHRASE}"` }),
    search('an old word', { q: '"oldword"' }),
    search('an unknown word', { q: '"neverword"' }),
    search('a common and a rare word', { q: 'rareword "commonword"' }),
    search('a common word, as an agent who sees 1 % of the chats', { q: '"commonword"' }, seldom),
    search('a rare word, as an agent who sees 1 % of the chats', { q: '"rareword"' }, seldom),
    search('a name with an edit', { q: 'visitro77' }),
    search('a common word, closed chats', { q: '"commonword"', status: 'CLOSED' }),
  ];
}

async function fill(client, { chats }, { organizationId }) {
  await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
  const { rows } = await client.query('SELECT id FROM groups WHERE organization_id = $1', [organizationId]);
  const groupId = rows[0].id;
  const series = `generate_series(1, ${chats}) AS number`;
  const [agentId, seldomId] = ['1', '2'].map((number) => `agt_01${number.padStart(24, '0')}`);
  const statements = [
    `INSERT INTO groups (organization_id, id, name, created_at) VALUES ('${organizationId}', ${id('grp', 1)}, 'Few', now())`,
    `INSERT INTO agents (organization_id, id, name, email, email_key, role, created_at) VALUES
      ('${organizationId}', '${agentId}', 'A', 'a@example.com', 'a@example.com', 'SUPERVISOR', now()),
      ('${organizationId}', '${seldomId}', 'B', 'b@example.com', 'b@example.com', 'AGENT', now())`,
    `INSERT INTO agent_groups (organization_id, group_id, agent_id) VALUES ('${organizationId}', ${id('grp', 1)}, '${seldomId}')`,
    `INSERT INTO visitors (organization_id, id, name, created_at)
      SELECT '${organizationId}', ${id('vis', 'number')}, 'Visitor' || number, now() FROM ${series}`,
    `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, last_visitor_seq, created_at,
        last_message_at)
      SELECT '${organizationId}', ${id('cht', 'number')}, ${id('vis', 'number')},
        CASE WHEN number % 100 = 0 THEN ${id('grp', 1)} ELSE '${groupId}' END, 'CLOSED', now(), ${EACH}, ${EACH},
        ${at('number', chats)}, ${at('number', chats)} FROM ${series}`,
    `INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, created_at)
      SELECT '${organizationId}', ${id('cht', 'number')}, seq, 'msg_01' || lpad(n::text, 24, '0'), 'TEXT',
        ${text} || CASE WHEN n % 10 = 0 THEN ' commonword' ELSE '' END || CASE WHEN n % ${chats} = 7 THEN ' rareword' ELSE '' END
          || CASE WHEN n % 5000 = 9 THEN ' ${PHRASE}' ELSE '' END || CASE WHEN number <= 20 THEN ' oldword' ELSE '' END,
        'VISITOR', ${id('vis', 'number')}, ${at('number', chats)}
      FROM (SELECT number, seq, (number - 1) * ${EACH} + seq AS n FROM ${series} CROSS JOIN generate_series(1, ${EACH}) AS seq) AS m`,
    'VACUUM ANALYZE',
  ];
  for (const statement of statements) await client.query(statement);
  return { agentId, seldomId };
}

async function indexed(client, organizationId) {
  const text = `SELECT FROM change_readers WHERE organization_id = $1 AND name = 'search-rebuild'`;
  const has = async () => (await client.query(text, [organizationId])).rows.length > 0;
  while (await has()) await sleep(500);
  await client.query('VACUUM ANALYZE search_entries');
}

async function sizeOf(client) {
  const { rows } = await client.query(
    `SELECT pg_total_relation_size('search_entries')::float8 / pg_total_relation_size('messages') AS share`,
  );
  return rows[0].share;
}
