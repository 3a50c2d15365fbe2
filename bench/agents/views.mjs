import { askSocket, connectAgent, signIn } from './prepare.mjs';
import { timeAll } from '../lists/asking.mjs';
import { addEnded, fillLists } from '../lists/fill-lists.mjs';
import { limit, notMeasured } from '../figures/limits.mjs';
import { runParley, TEMPLATE } from '../setup/parley.mjs';
import { median, percentile } from '../figures/stats.mjs';
import { visitorOf } from '../setup/tenants.mjs';
import { viewsOfPeople } from '../lists/views.mjs';

/** How often a chat is followed for the warm-up, and for the measurement. */
const WARM_UP = 20;
const COUNTED = 100;
/** How many times as long a view may take with many closed chats. Smaller differences are noise. */
const SLOWER = 1.25;

/**
 * Views and counts with few and with many closed chats, and a chat with 200 messages. The part `lists` measures a million chats.
 */
export async function measureViews(bench) {
  const [tenant] = bench.tenants;
  const [chat] = tenant.chats;
  const databaseUrl = await bench.postgres.createDatabase('agents_views', TEMPLATE);
  const facts = { organizationId: tenant.organizationId, botId: tenant.bot.id, visitorId: visitorOf(chat) };
  const ids = await fillLists(databaseUrl, bench.agents.few, facts);
  const few = await timeViews(bench, databaseUrl, facts, ids);
  await addEnded(databaseUrl, ids, { ...facts, groupId: ids.groupId }, bench.agents.closed);
  const many = await timeViews(bench, databaseUrl, facts, ids);
  const views = many.results.map((result, place) => ({ ...result, before: few.results[place] }));
  for (const { title, p50, p95, before } of views) {
    console.log(
      `  ${title.padEnd(44)} p50 ${before.p50.toFixed(1)} then ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    );
  }
  const slowest = views.reduce((one, other) => (one.p95 > other.p95 ? one : other));
  const added = `${bench.agents.closed.toLocaleString('en-US')} ended chats more`;
  const slower = views.map(({ p50, before }) => p50 / before.p50);
  return [
    notMeasured('views of 1 million chats with 10 million messages', 'npm run bench -- --only lists'),
    limit({
      measure: `the slowest view or count with ${added} (${slowest.title}), p95`,
      unit: 'ms',
      values: [slowest.p95],
      below: 20,
    }),
    limit({
      measure: `the median of all views and counts with ${added}, by before`,
      unit: '',
      values: [median(slower)],
      atMost: SLOWER,
    }),
    limit({
      measure: 'an agent opens a chat with 200 messages (chat:follow), p95',
      unit: 'ms',
      values: [many.follow],
      below: 15,
    }),
  ];
}

async function timeViews(bench, databaseUrl, { organizationId }, ids) {
  const parley = await runParley(bench, databaseUrl);
  const all = await viewsOfPeople(parley, organizationId, ids);
  const isView = (title) => /MINE|WAITING|BOT|OPEN|CLOSED|counts/.test(title);
  const results = await timeAll(parley, new Map([...all].filter(([title]) => isView(title))), bench.agents.asked);
  const follow = await timeFollows(parley, organizationId, ids);
  await parley.stop();
  return { results, follow };
}

/** Times following a long chat, which returns its details and first 200 messages. */
async function timeFollows(parley, organizationId, { people, name, chats }) {
  const socket = await connectAgent(parley, { token: await signIn(parley, organizationId, people.agent) });
  const chatId = name('cht', chats + 1);
  const times = [];
  for (let count = 0; count < WARM_UP + COUNTED; count++) {
    const begin = performance.now();
    const { messages } = await askSocket(socket, 'chat:follow', { chatId, afterSeq: 0 });
    if (count >= WARM_UP) times.push(performance.now() - begin);
    if (messages.length !== 200) throw new Error(`a chat was followed with ${messages.length} messages`);
    await askSocket(socket, 'chat:unfollow', { chatId });
  }
  socket.disconnect();
  return percentile(times, 95);
}
