import { setTimeout as sleep } from 'node:timers/promises';
import { startBare } from '../setup/bare-setup.mjs';
import { Posts } from '../load/posts.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { row } from '../figures/rows.mjs';
import { percentile, pluck } from '../figures/stats.mjs';
import { someChatsOf } from '../setup/tenants.mjs';
import { startPair, verifyPair } from '../setup/pair.mjs';
import { connectVisitors, disconnectVisitors } from '../load/visitors.mjs';

const VISITORS = 100;
const SENDS_A_SECOND = 200;
const CONNECTIONS = 16;
const PATIENCE = 5_000;
/** Messages to each chat before anything is measured. */
const WARM_UP_TURNS = 30;

/**
 * The time from a post to the visitor's socket under light, steady load. Runs on separate services, because after the load of `send`
 * the database would still be cleaning up, and Parley stores several times as many messages as the baseline.
 */
export async function measureLive(bench) {
  const pair = await startPair(bench, 'live');
  const bare = await startBare();
  const roads = await Promise.all([pair.parley, pair.baseline, bare].map((side) => openRoad(bench, side)));
  const results = await inTurns(roads, bench.rounds);
  for (const { close } of roads) await close();
  await verifyPair(pair);
  for (const side of [pair.parley, pair.baseline, bare]) await side.stop();
  return rowsOf(results);
}

/**
 * The posts and the sockets of one contender, both in this process, so that all times are from one clock.
 * @param listened the node that visitors connect to, if it's another one
 */
export async function openRoad({ tenants, seconds }, side, listened = side) {
  const chats = someChatsOf(tenants, VISITORS);
  const posts = new Posts(side, CONNECTIONS);
  const sentAt = new Map();
  const delays = [];
  const visitors = await connectVisitors(listened, chats, ({ content }) => {
    if (!sentAt.has(content)) return;
    delays.push(performance.now() - sentAt.get(content));
    sentAt.delete(content);
  });
  // Warms up all contenders equally, so that all have compiled their code.
  for (let turn = 0; turn < WARM_UP_TURNS; turn++) await posts.sendAll(chats, 'warm-up');
  const run = async () => {
    delays.length = 0;
    await sendSteadily(posts, chats, sentAt, seconds);
    if (sentAt.size > 0) throw new Error(`${sentAt.size} messages of ${side.name} did not reach their visitor`);
    return { p50: percentile(delays, 50), p99: percentile(delays, 99) };
  };
  const close = async () => {
    disconnectVisitors(visitors);
    await posts.close();
  };
  return { name: side.name, run, close };
}

/** Sends at a fixed rate, without waiting for earlier responses. Then waits until all have arrived. */
async function sendSteadily(posts, chats, sentAt, seconds) {
  const sending = [];
  const start = performance.now();
  for (let count = 0; count < seconds * SENDS_A_SECOND; count++) {
    const due = start + (count * 1000) / SENDS_A_SECOND;
    if (performance.now() < due) await sleep(due - performance.now());
    const content = `message ${count} of ${start}`;
    sentAt.set(content, performance.now());
    sending.push(posts.send(chats[count % chats.length], content));
  }
  await Promise.all(sending);
  const deadline = performance.now() + PATIENCE;
  while (sentAt.size > 0 && performance.now() < deadline) await sleep(10);
}

function rowsOf([parley, baseline, bare]) {
  const compare = (percent, name, results) => ({
    unit: 'ms',
    ours: { name: 'Parley', values: pluck(parley, percent) },
    theirs: { name, values: pluck(results, percent) },
    isLessBetter: true,
  });
  const bounds = { atLeast: 1, aim: 0.7 };
  const measure = "POST to the visitor's socket, 200 a second over 100 visitors";
  return [
    row({ key: 'live-p50', measure: `${measure}, p50`, ...compare('p50', 'baseline', baseline), ...bounds }),
    row({ key: 'live-p99', measure: `${measure}, p99`, ...compare('p99', 'baseline', baseline), ...bounds }),
    row({
      key: 'live-bare',
      measure: 'the same p50 against a road without a database',
      ...compare('p50', 'no database', bare),
      atLeast: 3,
      aim: 2,
    }),
  ];
}
