import { Agent, request } from 'node:http';
import { fillLists } from '../fill-lists.mjs';
import { runParley, TEMPLATE } from '../parley.mjs';
import { percentile } from '../stats.mjs';

/** Requests of a list that are dropped, and those that are counted. */
const WARM_UP = 20;
const COUNTED = 200;
/** Milliseconds that 95 of 100 requests shall take less than. */
const BOUND = 20;
/** A list that took longer is asked for again, so often: others may have used the machine. The best try counts. */
const TRIES = 3;

/** Every list of every door on an organization that has grown large, one request after the other; prints its own table. */
export async function measureLists(bench) {
  const [tenant] = bench.tenants;
  const databaseUrl = await bench.postgres.createDatabase('lists', TEMPLATE);
  const begin = performance.now();
  const [one, other] = tenant.chats;
  const facts = { organizationId: tenant.organizationId, botId: tenant.bot.id, visitorId: visitorOf(one) };
  const ids = await fillLists(databaseUrl, bench.lists, facts);
  console.log(`filled in ${Math.round((performance.now() - begin) / 1000)} s`);
  const parley = await runParley(bench, databaseUrl);
  const lists = listsOf({ ...ids, ...facts, tenant, many: one, few: other });
  for (const [person, agentId] of Object.entries(ids.people)) {
    const token = await signIn(parley, facts.organizationId, agentId);
    for (const [title, path] of await viewsOf(parley, token, ids)) lists.set(`${person} ${title}`, [token, path]);
  }
  const results = await timeAll(parley, lists);
  await parley.stop();
  print(results);
  return [];
}

// A visitor's token says who they are.
function visitorOf({ visitorToken }) {
  return JSON.parse(Buffer.from(visitorToken.split('.')[1], 'base64url').toString()).sub;
}

/** What is asked, by the name of its row: `[token, path]` or `[token, path, body]`. */
function listsOf({ name, chats, agents, tokens, deliveries, organizations, organizationId, botId, tenant, many, few }) {
  const cursor = (id) => `cursor=${Buffer.from(id).toString('base64url')}`;
  const rows = new Map();
  const bot = (title, path) => rows.set(`bot ${title}`, [tenant.token, `/api/bot${path}`]);
  const admin = (title, path) => rows.set(`admin ${title}`, [null, `/api/admin/organizations${path}`]);
  const ours = (title, path) => admin(title, `/${organizationId}${path}`);
  const visitor = (title, { visitorToken }, path, body) =>
    rows.set(`visitor ${title}`, [visitorToken, `/api/visitor${path}`, body]);
  const pages = (put, title, path, [prefix, count], wanted = ['first', 'middle', 'last'], more = '') => {
    const at = { first: null, middle: name(prefix, count / 2), last: name(prefix, put.isAscending ? count - 20 : 20) };
    for (const page of wanted) {
      const query = [more, at[page] && cursor(at[page])].filter(Boolean).join('&');
      put(`${title}${more && ` ${more}`}, ${page} page`, query ? `${path}?${query}` : path);
    }
    put(`${title}${more && ` ${more}`}, one`, `${path}?${more ? `${more}&` : ''}limit=1`);
  };
  const ascending = Object.assign((title, path) => ours(title, path), { isAscending: true });

  rows.set('GET /health/live, to compare', [null, '/health/live']);
  bot('groups', '/groups');
  for (const status of ['', ...['QUEUED', 'ACTIVE', 'CLOSED', 'ARCHIVED'].map((value) => `status=${value}`)]) {
    pages(bot, 'chats', '/chats', ['cht', chats], undefined, status);
    pages(ours, 'chats', '/chats', ['cht', chats], undefined, status);
  }
  const chat = name('cht', chats / 2);
  const long = name('cht', chats + 1);
  bot('one chat', `/chats/${chat}`);
  bot('reads of a chat', `/chats/${chat}/read`);
  bot('messages of a chat', `/chats/${chat}/messages`);
  for (const [place, seq] of Object.entries({ first: 0, middle: 25_000, last: 49_800 })) {
    bot(`200 messages of a long chat, ${place}`, `/chats/${long}/messages?limit=200&afterSeq=${seq}`);
    visitor(`200 messages of a long chat, ${place}`, many, `/chats/${long}/messages?limit=200&afterSeq=${seq}`);
  }
  visitor('chats of one who has 1', few, '/chats');
  pages((title, path) => visitor(title, many, path), 'chats of one who has 1,000', '/chats', ['cht', chats]);
  visitor('chat:open of one who has 1', few, '/chats', {});
  visitor('chat:open of one who has 1,000', many, '/chats', {});
  visitor('chat:open of a long chat', many, '/chats', { chatId: long, afterSeq: 25_000 });

  const organizationPages = Object.assign((title, path) => admin(title, path), { isAscending: true });
  pages(organizationPages, 'organizations', '', ['org', organizations]);
  pages(ascending, 'groups', '/groups', ['grp', 200]);
  pages(ascending, 'agents', '/agents', ['agt', agents]);
  pages(ascending, 'bots', '/bots', ['bot', 1_000]);
  pages(ascending, 'tokens', `/bots/${botId}/tokens`, ['tok', tokens]);
  ours('webhooks', '/webhooks');
  pages(ascending, 'visitors', '/visitors', ['vis', chats]);
  pages(ascending, 'visitors', '/visitors', ['vis', chats], undefined, 'email=shared@example.com');
  ours('visitors email=…, one has it', `/visitors?email=visitor${chats / 2 + 1}@example.com`);
  ours('visitors email=…, nobody has it', '/visitors?email=nobody@example.com');
  ours('visitors externalId=…', `/visitors?externalId=user-${chats / 2}`);
  ours('visitors externalId=…&email=…', `/visitors?externalId=user-${chats / 2}&email=shared@example.com`);
  const lane = `/webhooks/${name('whk', 1)}/deliveries`;
  for (const status of ['', 'pending', 'in_flight', 'delivered', 'dead']) {
    for (const type of ['', 'message.created', 'chat.created', 'chat.transferred']) {
      const query = [status && `status=${status}`, type && `type=${type}`].filter(Boolean).join('&');
      pages(ours, 'deliveries', lane, ['dlv', deliveries], type ? ['first', 'last'] : undefined, query);
    }
  }
  return rows;
}

/** Begins a session of an agent, by a link. */
async function signIn({ url, adminToken }, organizationId, agentId) {
  const post = (path, body, token) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }).then((answer) => answer.json());
  };
  const path = `/api/admin/organizations/${organizationId}/agents/${agentId}/sign-in-links`;
  const link = await post(path, {}, adminToken);
  const { token } = await post('/api/agent/session/link', { token: new URL(link.url).hash.slice(1), mode: 'token' });
  return token;
}

/** What an agent asks for: each view's first and second page, the counts, a chat. */
async function viewsOf({ url }, token, { name, chats }) {
  const lists = [];
  for (const view of ['MINE', 'WAITING', 'BOT', 'OPEN', 'CLOSED']) {
    const path = `/api/agent/chats?view=${view}&limit=100`;
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    const { nextCursor } = await answer.json();
    lists.push([`${view}, first page of 100`, path], [`${view}, one`, `/api/agent/chats?view=${view}&limit=1`]);
    if (nextCursor) lists.push([`${view}, second page`, `${path}&cursor=${nextCursor}`]);
  }
  // About the middle of what has ended.
  const middle = new Date(Date.now() - 365 * 86_400_000 + (chats / 2) * 10_000).toISOString();
  const cursor = Buffer.from(middle + name('cht', chats / 2)).toString('base64url');
  lists.push(['CLOSED, middle page', `/api/agent/chats?view=CLOSED&limit=100&cursor=${cursor}`]);
  lists.push(['counts', '/api/agent/chats/counts'], ['groups', '/api/agent/groups'], ['agents', '/api/agent/agents']);
  const one = await fetch(`${url}/api/agent/chats?view=BOT&limit=1`, { headers: { authorization: `Bearer ${token}` } });
  const [chat] = (await one.json()).chats;
  lists.push(['one chat', `/api/agent/chats/${chat.id}`]);
  lists.push(['last messages of a chat', `/api/agent/chats/${chat.id}/messages?limit=200&beforeSeq=11`]);
  return lists;
}

/** Asks for each list again and again. */
async function timeAll({ url, adminToken }, lists) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const results = [];
  for (const [title, [token, path, body]] of lists) {
    const asked = () => ask(agent, url + path, token ?? adminToken, body);
    let best = await timeOne(asked);
    for (let tries = 1; best.p95 >= BOUND && tries < TRIES; tries++) {
      const again = await timeOne(asked);
      if (again.p95 < best.p95) best = again;
    }
    results.push({ title, ...best });
  }
  agent.destroy();
  return results;
}

async function timeOne(asked) {
  const times = [];
  let size = 0;
  for (let count = 0; count < WARM_UP + COUNTED; count++) {
    const start = performance.now();
    size = await asked();
    if (count >= WARM_UP) times.push(performance.now() - start);
  }
  return { p50: percentile(times, 50), p95: percentile(times, 95), size };
}

function ask(agent, url, token, body) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      let size = 0;
      response.on('data', (chunk) => (size += chunk.length));
      response.on('end', () =>
        response.statusCode < 300 ? resolve(size) : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    });
    asked.on('error', reject).end(body && JSON.stringify(body));
  });
}

function print(results) {
  const width = Math.max(...results.map(({ title }) => title.length));
  for (const { title, p50, p95, size } of results) {
    const figures = [p50.toFixed(1), p95.toFixed(1), (size / 1024).toFixed(0)].map((text) => text.padStart(8));
    console.log(`${title.padEnd(width)}${figures.join('')}${p95 >= BOUND ? '  SLOW' : ''}`);
  }
  const slow = results.filter(({ p95 }) => p95 >= BOUND).length;
  console.log(`${results.length} lists (p50 ms, p95 ms, kB), ${slow} of them not under ${BOUND} ms`);
}
