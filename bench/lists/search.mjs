import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../agents/prepare.mjs';
import { limit } from '../figures/limits.mjs';
import { adminOf, runParley, TEMPLATE } from '../setup/parley.mjs';
import { timeAll } from './asking.mjs';
import { EACH, fillChats, PHRASE } from './fill-search.mjs';
import { measureSearchLoad } from './search-load.mjs';

/** The limit of the 95th percentile, in milliseconds. */
const BOUND = 30;
/** From so many chats on, other organizations have half of them, and the index is filled in too. */
const MANY = 50_000;
const id = (prefix, number) => `${prefix}_01${String(number).padStart(24, '0')}`;

/** Searches in an organization with many messages, one after the other, against a limit. */
export async function measureSearch(bench) {
  const [tenant] = bench.tenants;
  const databaseUrl = await bench.postgres.createDatabase('search', TEMPLATE);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { agentId, seldomId } = await fill(client, bench.search, tenant);
  const parley = await runParley(bench, databaseUrl);
  const { organizationId } = tenant;
  const { isMany, mine } = sizesOf(bench.search);
  const seconds = async (work) => {
    const begin = performance.now();
    await work();
    return Math.round((performance.now() - begin) / 1_000);
  };
  // The service has indexed the template before, and triggers didn't record what was filled in.
  if (!isMany) {
    const time = await seconds(async () => {
      await adminOf(parley)(`/${organizationId}/search/rebuild`, {});
      await indexed(client, organizationId);
    });
    console.log(`indexed ${mine * EACH} messages in ${time} s`);
  }
  const ready = await seconds(() => makeKeyReady(adminOf(parley), organizationId));
  const token = await signIn(parley, tenant.organizationId, agentId);
  const seldom = await signIn(parley, tenant.organizationId, seldomId);
  const results = await timeAll(parley, new Map(searches(token, seldom)), 100);
  const size = await sizeOf(client);
  await client.end();
  await parley.stop();
  return [
    ...results.map(({ title, p95 }) => limit({ measure: `search: ${title}`, unit: 'ms', values: [p95], below: BOUND })),
    limit({ measure: `an attribute key is ready for ${mine} chats`, unit: 's', values: [ready], atMost: 60 }),
    limit({ measure: 'the index, as a share of the messages', unit: '', values: [size] }),
    ...(await measureSearchLoad(bench)),
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
    search('a name with an edit', { q: 'visitro78' }),
    search('an attribute', { 'attr.plan': 'plan 2' }),
    search('a common word and an attribute', { q: '"commonword"', 'attr.plan': 'plan 2' }),
    search('a common word, closed chats', { q: '"commonword"', status: 'CLOSED' }),
  ];
}

function sizesOf({ chats }) {
  const isMany = chats >= MANY;
  return { isMany, mine: isMany ? chats / 2 : chats };
}

async function fill(client, { chats }, { organizationId }) {
  await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
  const { rows } = await client.query('SELECT id FROM groups WHERE organization_id = $1', [organizationId]);
  const [agentId, seldomId, fewId] = [id('agt', 1), id('agt', 2), id('grp', 9_999)];
  const statements = [
    `INSERT INTO groups (organization_id, id, name, created_at) VALUES ('${organizationId}', '${fewId}', 'Few', now())`,
    `INSERT INTO agents (organization_id, id, name, email, email_key, role, created_at) VALUES
      ('${organizationId}', '${agentId}', 'A', 'a@example.com', 'a@example.com', 'SUPERVISOR', now()),
      ('${organizationId}', '${seldomId}', 'B', 'b@example.com', 'b@example.com', 'AGENT', now())`,
    `INSERT INTO agent_groups (organization_id, group_id, agent_id) VALUES ('${organizationId}', '${fewId}', '${seldomId}')`,
  ];
  for (const statement of statements) await client.query(statement);
  const { isMany } = sizesOf({ chats });
  const sizes = { chats, now: Date.now(), share: isMany ? 2 : 1, isIndexed: isMany };
  await fillChats(client, { ...sizes, organizationId, groupId: rows[0].id, fewId });
  await client.query('VACUUM ANALYZE');
  return { agentId, seldomId };
}

async function makeKeyReady(ask, organizationId) {
  const path = `/${organizationId}/attribute-keys`;
  let { keys } = await ask(path, { keys: ['plan'] }, 'PUT');
  while (!keys[0].isReady) {
    await sleep(500);
    ({ keys } = await ask(path, undefined, 'GET'));
  }
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
