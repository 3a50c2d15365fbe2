import { BOUND, isSlow, timeAll } from './asking.mjs';
import { fillLists } from './fill-lists.mjs';
import { runParley, TEMPLATE } from '../setup/parley.mjs';
import { visitorOf } from '../setup/tenants.mjs';
import { viewsOfPeople } from './views.mjs';

/** Every list of every API on a large organization, one request after the other. Prints its own table. */
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
  for (const [title, list] of await viewsOfPeople(parley, facts.organizationId, ids)) lists.set(title, list);
  const results = await timeAll(parley, lists);
  await parley.stop();
  print(results);
  return [];
}

/** The requests, by row name: `[token, path]` or `[token, path, body]`. */
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
  ours('visitors email=…, no match', '/visitors?email=nobody@example.com');
  ours('visitors externalId=…', `/visitors?externalId=user-${chats / 2}`);
  ours('visitors externalId=…&email=…', `/visitors?externalId=user-${chats / 2}&email=shared@example.com`);
  ours('visitors search=…, all have it', '/visitors?search=visitor');
  ours('visitors search=…, one has it', `/visitors?search=visitor${chats / 2 + 1}@`);
  ours('visitors search=…, no match', '/visitors?search=nobody');
  const lane = `/webhooks/${name('whk', 1)}/deliveries`;
  for (const status of ['', 'pending', 'in_flight', 'delivered', 'dead']) {
    for (const type of ['', 'message.created', 'chat.created', 'chat.transferred']) {
      const query = [status && `status=${status}`, type && `type=${type}`].filter(Boolean).join('&');
      pages(ours, 'deliveries', lane, ['dlv', deliveries], type ? ['first', 'last'] : undefined, query);
    }
  }
  return rows;
}

function print(results) {
  const width = Math.max(...results.map(({ title }) => title.length));
  for (const { title, p50, p95, size, bound } of results) {
    const figures = [p50.toFixed(1), p95.toFixed(1), (size / 1024).toFixed(0)].map((text) => text.padStart(8));
    const limit = bound === BOUND ? '' : ` (limit ${bound === null ? 'none' : `${bound} ms`})`;
    console.log(`${title.padEnd(width)}${figures.join('')}${limit}${isSlow(p95, bound) ? '  SLOW' : ''}`);
  }
  const slow = results.filter(({ p95, bound }) => isSlow(p95, bound)).length;
  console.log(`${results.length} lists (p50 ms, p95 ms, kB), ${slow} of them not under ${BOUND} ms or their own limit`);
}
