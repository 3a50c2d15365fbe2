import { get, Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../setup/database.mjs';
import { writeRequests } from '../load/load.mjs';
import { COLLECTABLE, residentKilobytes } from '../figures/memory.mjs';
import { sender } from '../setup/pair.mjs';
import { adminOf, runParley, startParley, TEMPLATE } from '../setup/parley.mjs';
import { Posts } from '../load/posts.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { number, row } from '../figures/rows.mjs';
import { percentile, pluck } from '../figures/stats.mjs';
import { chatsOf, someChatsOf } from '../setup/tenants.mjs';
import { verifyStored } from '../figures/verify.mjs';
import { drain, startPoller, startReceiver } from '../load/webhook-receiver.mjs';

const SENDS_A_SECOND = 50;
const CONNECTIONS = 16;
const ALL_SENDERS = ['VISITOR', 'BOT', 'AGENT', 'SYSTEM'];
const BOTS_EACH = 50;
const WARM_UP_CALLS = 100;

/** How polling affects sends, how many events a bot receives and how late, and the memory of waiting polls. */
export async function measurePull(bench) {
  const pulled = await startPulled(bench, bench.tenants);
  const rows = [...(await measureCost(bench, pulled)), ...(await measureAgainstWebhook(bench, pulled))];
  await pulled.stop();
  return [...rows, await measureWaiting(bench)];
}

/** Starts a Parley whose bots poll for every event. */
async function startPulled(bench, tenants) {
  const parley = await startParley(bench, 'pulled');
  const poller = await fetchAll(parley, tenants);
  const stop = async () => {
    await verifyStored(parley);
    await poller.stop();
    await parley.stop();
  };
  return { parley, arrivals: poller, stop };
}

/** Starts a process with bots that poll for every event. */
export async function fetchAll(parley, tenants) {
  const tokens = tenants.map(({ token }) => token);
  for (const token of tokens) await subscribe(parley, token);
  return startPoller(parley, tokens);
}

async function subscribe({ url }, token) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ senderTypes: ALL_SENDERS });
  const { status } = await fetch(`${url}/api/bot/subscription`, { method: 'PUT', headers, body });
  if (status !== 200) throw new Error(`the subscription was answered ${status}`);
}

async function measureCost(bench, pulled) {
  const without = await startParley(bench, 'not_pulled');
  const requestsFile = await writeRequests(bench, 'all-chats', chatsOf(bench.tenants));
  const contenders = [
    {
      name: 'with every event pulled',
      run: () => sendAndDrain(pulled, sender(bench, pulled.parley, requestsFile).run),
    },
    sender(bench, without, requestsFile, { name: 'without' }),
  ];
  const [ours, theirs] = await inTurns(contenders, bench.rounds);
  await verifyStored(without);
  await without.stop();
  return [
    row({
      key: 'pull',
      measure: 'sends a second, every one an event that a bot fetches',
      unit: '/s',
      ours: { name: 'Parley', values: pluck(ours, 'perSecond') },
      theirs: { name: 'Parley without', values: pluck(theirs, 'perSecond') },
      atLeast: null,
      aim: 0.8,
    }),
  ];
}

/** Compares one bot with one webhook, each with its own Parley: first the maximum rate of events, then the delay at a low rate. */
async function measureAgainstWebhook(bench, pulled) {
  const [tenant] = bench.tenants;
  const parley = await startParley(bench, 'not_pulled_but_sent', { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const receiver = await startReceiver('fast');
  await adminOf(parley)(`/${tenant.organizationId}/webhooks`, { url: receiver.url });
  const sent = { parley, arrivals: receiver };
  const requestsFile = await writeRequests(bench, 'one-organization', chatsOf([tenant]));
  const many = (side) => sendAndDrain(side, sender(bench, side.parley, requestsFile).run);
  const rates = await inTurns(
    [
      { name: 'one bot that fetches', run: () => many(pulled) },
      { name: 'one webhook', run: () => many(sent) },
    ],
    bench.rounds,
  );
  const chats = someChatsOf([tenant], 100);
  const late = await inTurns(
    [
      { name: 'one bot that fetches', run: () => measureDelay(pulled, chats, bench.seconds) },
      { name: 'one webhook', run: () => measureDelay(sent, chats, bench.seconds) },
    ],
    bench.rounds,
  );
  await verifyStored(parley);
  await receiver.stop();
  await parley.stop();
  const delay = (key, bound) => [
    against(`pull-${key}`, `message to the bot's answered call, ${key}`, 'ms', late, key, { aim: 1 }),
    row({
      key: `pull-${key}-bound`,
      measure: `the same, ${key}`,
      unit: 'ms',
      ours: { name: 'Parley', values: pluck(late[0], key) },
      theirs: { name: 'the requirement', values: [bound] },
      atLeast: null,
      aim: 1,
      isLessBetter: true,
    }),
  ];
  return [
    {
      ...against('pull-events', 'events a second to one bot', '/s', rates, 'eventsPerSecond', {
        aim: 1,
        isLessBetter: false,
      }),
    },
    ...delay('p50', 10),
    ...delay('p99', 50),
  ];
}

function against(key, measure, unit, [ours, theirs], figure, { aim, isLessBetter = true }) {
  const sides = {
    ours: { name: 'Parley', values: pluck(ours, figure) },
    theirs: { name: 'a webhook', values: pluck(theirs, figure) },
  };
  return row({ key, measure, unit, ...sides, atLeast: null, aim, isLessBetter });
}

/** Sends, and waits until all of the round's events have arrived. */
export async function sendAndDrain({ parley, arrivals }, sends) {
  const before = await countMessages(parley);
  const begunAt = performance.now();
  const result = await sends();
  const events = (await countMessages(parley)) - before;
  await drain(arrivals, events);
  return { ...result, eventsPerSecond: (events / (performance.now() - begunAt)) * 1000 };
}

async function countMessages({ databaseUrl }) {
  return Number((await query(databaseUrl, 'SELECT count(*) AS count FROM messages'))[0].count);
}

async function measureDelay({ parley, arrivals }, chats, seconds) {
  await arrivals.read();
  const posts = new Posts(parley, CONNECTIONS);
  const sending = [];
  for (let count = 0; count < seconds * SENDS_A_SECOND; count++) {
    sending.push(posts.send(chats[count % chats.length], 'tick'));
    await sleep(1000 / SENDS_A_SECOND);
  }
  await Promise.all(sending);
  await posts.close();
  await sleep(1_000);
  const { delays } = await arrivals.read();
  return { p50: percentile(delays, 50), p99: percentile(delays, 99) };
}

/** The memory of waiting polls, measured by the growth of a new process. */
async function measureWaiting(bench) {
  const count = bench.waitingCalls;
  const databaseUrl = await bench.postgres.createDatabase('waiting', TEMPLATE);
  const other = await runParley(bench, databaseUrl);
  const tokens = await createBots(other, count);
  await other.stop();
  const parley = await runParley(bench, databaseUrl, {}, COLLECTABLE);
  (await waitAll(parley, tokens.slice(0, WARM_UP_CALLS))).destroy();
  const before = await residentKilobytes(parley);
  const agent = await waitAll(parley, tokens);
  const megabytes = ((await residentKilobytes(parley)) - before) / 1024;
  agent.destroy();
  await parley.stop();
  return row({
    key: 'waiting',
    measure: `memory of ${number(count)} calls that wait for events`,
    unit: 'MB',
    ours: { name: 'Parley', values: [megabytes] },
    theirs: { name: 'the requirement', values: [(100 * count) / 1_000] },
    atLeast: null,
    aim: 1,
    isLessBetter: true,
  });
}

async function createBots(parley, count) {
  const post = adminOf(parley);
  const tokens = [];
  for (let first = 0; first < count; first += BOTS_EACH) {
    const { id } = await post('', { name: `Waiting ${first}` });
    for (let index = first; index < Math.min(count, first + BOTS_EACH); index++) {
      const bot = await post(`/${id}/bots`, { name: `Bot ${index}` });
      const { token } = await post(`/${id}/bots/${bot.id}/tokens`, {});
      await subscribe(parley, token);
      tokens.push(token);
    }
  }
  return tokens;
}

/** Starts a poll for each token, and resolves once all of them wait. */
async function waitAll({ url }, tokens) {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  for (const token of tokens) {
    get(`${url}/api/bot/events?wait=50`, { agent, headers: { authorization: `Bearer ${token}` } }).on(
      'error',
      () => undefined,
    );
  }
  await sleep(5_000);
  return agent;
}
