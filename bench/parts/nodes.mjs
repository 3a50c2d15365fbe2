import { setTimeout as sleep } from 'node:timers/promises';
import { writeRequests } from '../load/load.mjs';
import { sender } from '../setup/pair.mjs';
import { runParley, startParley } from '../setup/parley.mjs';
import { Redis } from '../setup/redis.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { row } from '../figures/rows.mjs';
import { pluck } from '../figures/stats.mjs';
import { chatsOf, someChatsOf } from '../setup/tenants.mjs';
import { connectVisitors, disconnectVisitors } from '../load/visitors.mjs';
import { openRoad } from './live.mjs';

const VISITORS = 100;
/** Milliseconds for nodes to notice that Redis is down or back. They check every second. */
const SETTLING = 2_500;

/** The cost of several nodes: sends while Redis runs, is killed, or is frozen, and the time from one node to another's visitor. */
export async function measureNodes(bench) {
  const redis = await Redis.start();
  const alone = await startParley(bench, 'nodes');
  const settings = { REDIS_URL: redis.url };
  const near = await runParley(bench, alone.databaseUrl, settings);
  const far = await runParley(bench, alone.databaseUrl, settings);
  const rows = [...(await measureRoads(bench, near, far)), ...(await measureSends(bench, redis, alone, near, far))];
  for (const side of [alone, near, far]) await side.stop();
  await redis.become('killed');
  return rows;
}

async function measureSends(bench, redis, alone, near, far) {
  const requestsFile = await writeRequests(bench, 'all-chats', chatsOf(bench.tenants));
  const visitors = await connectVisitors(far, someChatsOf(bench.tenants, VISITORS));
  const whileRedisIs = (state) => {
    const { run } = sender(bench, near, requestsFile);
    const runSo = async () => {
      await redis.become(state);
      await sleep(SETTLING);
      return run();
    };
    return { name: `Redis ${state}`, run: runSo };
  };
  const [there, killed, frozen, single] = await inTurns(
    [...['there', 'killed', 'frozen'].map(whileRedisIs), sender(bench, alone, requestsFile, { name: 'no Redis' })],
    bench.rounds,
  );
  disconnectVisitors(visitors);
  const compare = (key, unit, measure, ours, [name, theirs], bounds) =>
    row({
      key: `nodes-${key}`,
      measure,
      unit,
      ours: { name: 'Parley', values: pluck(ours, unit === 'ms' ? 'p99' : 'perSecond') },
      theirs: { name, values: pluck(theirs, unit === 'ms' ? 'p99' : 'perSecond') },
      ...bounds,
    });
  const rate = { atLeast: 0.95, aim: 1 };
  const slow = { atLeast: 1.05, aim: 1, isLessBetter: true };
  const byRedis = ['Redis there', there];
  return [
    compare('killed', '/s', 'sends a second to one of two nodes, Redis killed', killed, byRedis, rate),
    compare('frozen', '/s', 'the same, Redis frozen', frozen, byRedis, rate),
    compare('killed-p99', 'ms', 'p99 of that load, Redis killed', killed, byRedis, slow),
    compare('frozen-p99', 'ms', 'the same, Redis frozen', frozen, byRedis, slow),
    compare('redis', '/s', 'sends a second with Redis', there, ['one node without', single], {
      atLeast: null,
      aim: null,
    }),
  ];
}

async function measureRoads(bench, near, far) {
  const same = { ...(await openRoad(bench, near)), name: 'the same node' };
  const other = { ...(await openRoad(bench, near, far)), name: 'another node' };
  const [ours, theirs] = await inTurns([other, same], bench.rounds);
  await same.close();
  await other.close();
  return ['p50', 'p99'].map((percent) =>
    row({
      key: `nodes-${percent}`,
      measure: `POST to the socket of a visitor of another node, ${percent}`,
      unit: 'ms',
      ours: { name: 'Parley', values: pluck(ours, percent) },
      theirs: { name: 'the same node', values: pluck(theirs, percent) },
      atLeast: null,
      aim: null,
      isLessBetter: true,
    }),
  );
}
