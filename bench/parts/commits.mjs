import { join } from 'node:path';
import { ratioLimit } from '../figures/limits.mjs';
import { replay, send, writeRequests } from '../load/load.mjs';
import { adminOf, runParley, startParley } from '../setup/parley.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { pluck } from '../figures/stats.mjs';
import { chatsOf, prepareTenants } from '../setup/tenants.mjs';
import { verifyStored } from '../figures/verify.mjs';
import { startReceiver } from '../load/webhook-receiver.mjs';
import { openRoad } from './live.mjs';
import { fetchAll, sendAndDrain as sendAndFetch } from './pull.mjs';
import { sendAndDrain } from './webhooks.mjs';

const AT_LEAST = 0.97;
/** The read that answers a replay also waits for a synchronous standby, if there is one. */
const REPLAYS_AT_LEAST = 0.9;

const MEASURED = {
  sends: measureSends,
  replays: measureReplays,
  webhooks: measureWebhooks,
  pull: measurePull,
  live: measureLive,
};

/**
 * `commits` compares the hot path with another built commit, in turns: sends, replays, sends with webhooks, sends whose events bots poll
 * for, and the time from a post to the visitor's socket. `commits:…` compares one of them. The other commit has a database that it
 * migrated itself. The ratios have limits.
 */
export const COMMIT_PARTS = {
  commits: (bench) => measure(bench, Object.keys(MEASURED)),
  ...Object.fromEntries(Object.keys(MEASURED).map((name) => [`commits:${name}`, (bench) => measure(bench, [name])])),
};

async function measure(bench, names) {
  if (!bench.against) throw new Error('the part commits needs --against <directory of another built commit>');
  const sides = [oursOf(bench), await theirsOf(bench)];
  const limits = [];
  for (const name of names) limits.push(await MEASURED[name](bench, sides));
  return limits;
}

function oursOf(bench) {
  return {
    name: 'this commit',
    tenants: bench.tenants,
    start: (database, settings) => startParley(bench, `${database}_ours`, settings),
  };
}

async function theirsOf(bench) {
  const file = join(bench.against, 'dist/src/main.js');
  const template = 'tenants_of_the_other';
  const { settings: secrets, tenants } = await prepareTenants(bench.postgres, bench.directory, { template, file });
  const start = async (database, settings) => {
    const databaseUrl = await bench.postgres.createDatabase(`${database}_theirs`, template);
    return runParley({ ...bench, settings: secrets }, databaseUrl, settings, [], file);
  };
  return { name: 'the other commit', tenants, start };
}

async function measureSends(bench, sides) {
  const started = await startAll(sides, 'commits');
  const runs = await Promise.all(
    started.map(async ({ name, tenants, parley }, place) => {
      const requests = await writeRequests(bench, `commit-${place}`, chatsOf(tenants));
      return { name, run: () => send(bench, parley, requests) };
    }),
  );
  return endAll(started, bench, runs, { measure: 'sends a second', figure: 'perSecond' });
}

async function measureReplays(bench, sides) {
  const started = await startAll(sides, 'commits_replays');
  const runs = await Promise.all(
    started.map(async ({ name, tenants, parley }, place) => {
      const chats = chatsOf(tenants).map((chat) => ({ ...chat, key: chat.id }));
      const requests = await writeRequests(bench, `commit-${place}`, chats);
      // The first use of each key stores a message, in the round that isn't measured.
      parley.cutOff += chats.length;
      await replay(bench, parley, requests);
      return { name, run: () => replay(bench, parley, requests) };
    }),
  );
  return endAll(started, bench, runs, {
    measure: 'replays a second: sends with a key that was used',
    figure: 'perSecond',
    atLeast: REPLAYS_AT_LEAST,
  });
}

async function measureWebhooks(bench, sides) {
  const started = await startAll(sides, 'commits_webhooks', { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const receivers = await Promise.all(started.map(() => startReceiver('fast')));
  const runs = await Promise.all(
    started.map(async ({ name, tenants, parley }, place) => {
      const receiver = receivers[place];
      const post = adminOf(parley);
      for (const { organizationId } of tenants) await post(`/${organizationId}/webhooks`, { url: receiver.url });
      const requests = await writeRequests(bench, `commit-${place}`, chatsOf(tenants));
      return { name, run: () => sendAndDrain(parley, receiver, () => send(bench, parley, requests)) };
    }),
  );
  const measured = await endAll(started, bench, runs, {
    measure: 'sends a second, every one an event of a webhook',
    figure: 'perSecond',
  });
  for (const receiver of receivers) await receiver.stop();
  return measured;
}

async function measurePull(bench, sides) {
  const started = await startAll(sides, 'commits_pull');
  const pollers = await Promise.all(started.map(({ tenants, parley }) => fetchAll(parley, tenants)));
  const runs = await Promise.all(
    started.map(async ({ name, tenants, parley }, place) => {
      const requests = await writeRequests(bench, `commit-${place}`, chatsOf(tenants));
      const side = { parley, arrivals: pollers[place] };
      return { name, run: () => sendAndFetch(side, () => send(bench, parley, requests)) };
    }),
  );
  const measured = await endAll(started, bench, runs, {
    measure: 'sends a second, every one an event that a bot fetches',
    figure: 'perSecond',
  });
  for (const poller of pollers) await poller.stop();
  return measured;
}

async function measureLive(bench, sides) {
  const started = await startAll(sides, 'commits_live');
  const roads = await Promise.all(started.map(({ tenants, parley }) => openRoad({ ...bench, tenants }, parley)));
  const runs = roads.map(({ run }, place) => ({ name: started[place].name, run }));
  const measured = await endAll(started, bench, runs, {
    measure: "POST to the visitor's socket, 200 a second over 100 visitors, p50: theirs by ours",
    figure: 'p50',
    isLessBetter: true,
  });
  for (const { close } of roads) await close();
  return measured;
}

async function startAll(sides, database, settings) {
  const started = [];
  for (const side of sides) started.push({ ...side, parley: await side.start(database, settings) });
  return started;
}

async function endAll(started, { rounds }, runs, { measure, figure, atLeast = AT_LEAST, isLessBetter = false }) {
  const figures = (await inTurns(runs, rounds)).map((results) => pluck(results, figure));
  for (const { parley } of started) {
    await verifyStored(parley);
    await parley.stop();
  }
  const [ours, theirs] = isLessBetter ? figures.toReversed() : figures;
  return ratioLimit({ measure, ours, theirs, atLeast });
}
